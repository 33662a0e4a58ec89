"""Ways out of a template that people have found or might try: none of them may lead anywhere.

The list grows; nothing is taken off it.
"""

from __future__ import annotations

import base64
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shipcli.documents.rendering import BadTemplate, Renderer, RenderJob
from shipcli.isolation import make_bare_environment
from tests.documents.samples import pictures, texts

REFUSED = [
    # Python internals, by attribute, by item, by filter, spelt out or put together
    "{{ ().__class__.__base__.__subclasses__() }}",
    "{{ ''.__class__.__mro__ }}",
    "{{ ''|attr('__class__') }}",
    "{{ ''|attr('__cl' ~ 'ass__') }}",
    "{{ ''|attr('\\x5f\\x5fclass\\x5f\\x5f') }}",
    "{{ ''['__class__'].mro() }}",
    "{{ [''.__class__]|map(attribute='__base__')|list|first|string|list|sum }}",
    "{{ dict.__subclasses__() }}",
    "{{ dict.mro() }}",
    "{{ range.__class__.__base__ }}",
    "{{ self.__init__.__globals__ }}",
    "{{ self._TemplateReference__context.environment }}",
    "{{ cycler.__init__.__globals__.os }}",
    "{{ joiner.__init__.__globals__ }}",
    "{{ namespace.__init__.__globals__ }}",
    "{{ namespace().__class__.__init__.__globals__ }}",
    "{{ utils.create_barcode.__globals__ }}",
    "{{ utils.create_barcode.__code__.co_consts }}",
    "{{ utils.datetime._now.__class__ }}",
    "{{ utils.datetime.now.__func__.__globals__ }}",
    "{{ utils.datetime.__class__.__init__.__globals__ }}",
    "{{ utils.datetime.now().__reduce_ex__(2) }}",
    "{{ lipsum.__globals__.os.environ }}",
    "{{ lipsum(n=100000) }}",
    "{{ url_for.__globals__ }}",
    "{{ config.items() }}",
    "{{ request.application.__globals__ }}",
    "{{ get_flashed_messages.__globals__ }}",
    "{% set x = (1).__class__ %}{{ x.from_bytes }}",
    "{{ (1).__class__ }}",
    "{{ 1.0.__class__ }}",
    "{{ (utils|list).__class__ }}",
    "{% for x in ().__class__.__base__.__subclasses__() %}{{ x }}{% endfor %}",
    "{% macro m() %}{% endmacro %}{{ m.__call__.__globals__ }}",
    "{% macro m() %}{% endmacro %}{{ m._func.__globals__ }}",
    "{{ loop.__class__ }}{% for i in [1] %}{{ loop.__init__.__globals__ }}{% endfor %}",
    "{{ caller.__globals__ }}",
    "{% macro m() %}{{ caller.__closure__[0] }}{% endmacro %}{% call m() %}{% endcall %}",
    "{% set ns = namespace() %}{{ ns._Namespace__attrs.x }}",
    "{{ missing.__class__.__init__.__globals__ }}",
    "{{ missing._undefined_hint.x() }}",
    # through the formatting of text
    "{{ '{0.__class__.__base__}'.format(1) }}",
    "{{ '{0.__class__}'.format_map({'0': 1}) }}",
    "{{ ('{x.__class__.__init__.__globals__}'|safe).format(x=utils.datetime) }}",
    "{{ '{0.__init__.__globals__}'.format(cycler) }}",
    "{{ ''.format.__self__.__class__ }}",
    "{{ ['{0.__class__}']|map('format', 1)|map(attribute='__class__')|list|first|attr('mro') }}",
    "{% set f = '{0.__class__}'.format %}{{ f(1) }}",
    "{{ [1]|map('attr', '__class__')|list|first|attr('mro') }}",
    # generators, frames and code
    "{% set g = (1, 2)|map('string') %}{{ g.gi_frame.f_globals }}",
    "{{ [1]|select.gi_code }}",
    "{{ ([1]|map('string')).gi_frame.f_back.f_builtins }}",
    # changing what is shared
    "{% do units.update({'x': 1}) %}",
    "{{ units.countries.update({'DE': 'x'}) }}",
    "{{ units.clear() }}",
    "{{ metadata.__setitem__('a', 1) }}",
    "{{ data.append(1) }}",
    "{{ [1].append(2) }}",
    "{{ {}.setdefault('a', 1) }}",
    # other templates and modules
    "{% include '/etc/passwd' %}",
    "{% include 'x' ignore missing %}{% extends '/etc/passwd' %}",
    "{% import 'os' as os %}{{ os.system('id') }}",
    "{% from '/etc/passwd' import x %}",
    "{{ __import__('os').environ }}",
    "{{ open('/etc/passwd').read() }}",
    "{{ eval('1') }}",
    "{{ exec('1') }}",
    "{{ getattr(utils, 'x') }}",
    "{{ globals() }}",
    "{{ utils.datetime.now().tzinfo.utcoffset.__self__.__class__ }}",
    # time and memory
    "{{ 'a' * 10 ** 9 }}",
    "{{ 10 ** (10 ** 10) }}",
    "{{ 2 ** 99999999 }}",
    "{{ [0] * 10 ** 10 }}",
    "{{ range(10 ** 9)|list }}",
    "{{ 'x'.ljust(10 ** 10) }}",
    "{{ 'x'|center(10 ** 10) }}",
    "{{ '%0999999999d' % 7 }}",
    "{{ ('a' * 1000).replace('a', 'b' * 1000000).replace('b', 'c' * 100000) }}",
    "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "{{ utils.generate_code('x', 'qr', {'scale': 100000}) }}",
    "{{ utils.create_barcode('x', {'height': 100000000}) }}",
    "{{ utils.create_barcode('x', {'quiet_zone': 100000000}) }}",
    "{{ utils.date_format('2031-05-07', '%0999999999Y') }}",
]


@pytest.mark.parametrize("template", REFUSED)
def test_a_template_that_reaches_out_is_refused(renderer: Renderer, template: str) -> None:
    with pytest.raises(BadTemplate):
        renderer.render(RenderJob(template, [{"data": {"x": 1}}], metadata={"a": 1}))


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """A server that nobody may ask."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server


SECRET = "the-secret-of-the-house"
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'width="9" height="9">{}</svg>'
)
HTML = [
    '<img src="{file}.png">',
    '<img src="file://{file}.png">',
    '<img src="{name}.png">',
    '<img src="../../../../../../{file}.png">',
    '<img src="http://{host}/x.png">',
    '<img src="//{host}/x.png">',
    '<img src="ftp://{host}/x.png">',
    '<link rel="stylesheet" href="{file}.css"><p>x</p>',
    '<link rel="stylesheet" href="http://{host}/x.css"><p>x</p>',
    '<style>@import url("{file}.css");</style><p>x</p>',
    '<style>@import "http://{host}/x.css";</style><p>x</p>',
    '<style>p {{ background-image: url("{file}.png") }}</style><p>x</p>',
    '<style>p {{ background-image: url("http://{host}/x.png") }}</style><p>x</p>',
    '<style>@page {{ background-image: url("{file}.png") }}</style><p>x</p>',
    '<style>@page {{ background-image: url("file://{file}.pdf") }}</style><p>x</p>',
    '<style>@font-face {{ font-family: F; src: url("{file}.ttf") }} p {{ font-family: F }}</style><p>x</p>',
    '<style>@font-face {{ font-family: F; src: url("http://{host}/f.ttf") }}</style><p>x</p>',
    '<pdf:font name="F" src="{file}.ttf"/><p>x</p>',
    '<pdf:attachment src="{file}.txt" name="a.txt"/><p>x</p>',
    '<a href="file://{file}.txt">x</a>',
    '<object data="file://{file}.txt"></object><p>x</p>',
    '<iframe src="file://{file}.txt"></iframe><p>x</p>',
    '<embed src="{file}.txt"><p>x</p>',
    '<img src="data:image/svg+xml;base64,{svg_file}">',
    '<img src="data:image/svg+xml;base64,{svg_host}">',
    '<img src="data:image/svg+xml;base64,{svg_entity}">',
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file://{file}.txt">]><p>&e;</p>',
    '<meta http-equiv="refresh" content="0; url=http://{host}/"><p>x</p>',
    '<base href="file:///"><img src="{file}.png">',
]


@pytest.mark.parametrize("html", HTML)
def test_html_brings_nothing_from_outside(
    renderer: Renderer, tmp_path: Path, listener: socket.socket, html: str
) -> None:
    made = rendered(renderer, html, tmp_path, listener)
    assert SECRET not in " ".join(texts(made))
    assert SECRET.encode() not in made
    assert pictures(made) == 0
    with pytest.raises(BlockingIOError):
        listener.accept()


def rendered(renderer: Renderer, html: str, folder: Path, listener: socket.socket) -> bytes:
    """The document; refusing it whole is as good."""
    file, host = folder / "secret", f"127.0.0.1:{listener.getsockname()[1]}"
    for ending, content in (
        (".txt", SECRET.encode()),
        (".css", f'p:before {{ content: "{SECRET}" }}'.encode()),
        (".png", PICTURE),
        (".ttf", SECRET.encode()),
        (".pdf", SECRET.encode()),
    ):
        file.with_suffix(ending).write_bytes(content)
    svgs = {
        "svg_file": SVG.format(f'<image width="9" height="9" xlink:href="file://{file}.png"/>'),
        "svg_host": SVG.format(f'<image width="9" height="9" xlink:href="http://{host}/x.png"/>'),
        "svg_entity": f'<!DOCTYPE s [<!ENTITY e SYSTEM "file://{file}.txt">]>'
        + SVG.format('<text y="9">&e;</text>'),
    }
    coded = {name: base64.b64encode(text.encode()).decode() for name, text in svgs.items()}
    try:
        return renderer.render(RenderJob(html.format(file=file, host=host, name=file.name, **coded)))
    except BadTemplate:
        return renderer.render(RenderJob("refused"))


# -- the walls of the process, should a template get out of its language -----------------------------

WALLED = """
import sys
from shipcli.documents import html
from shipcli.isolation import forbid_outside
html.prepare()
forbid_outside()
try:
    {}
except PermissionError as error:
    print("refused:", error)
"""
DEEDS = [
    "open('/etc/passwd')",
    "open('/proc/self/environ')",
    "open('/tmp/shipcli-escape', 'w')",
    "__import__('pathlib').Path.home().joinpath('.bashrc').read_text()",
    "__import__('os').open('/etc/passwd', 0)",
    "__import__('os').system('true')",
    "__import__('os').remove('/tmp/nothing')",
    "__import__('os').mkdir('/tmp/shipcli-escape')",
    "__import__('os').fork()",
    "__import__('os').kill(1, 0)",
    "__import__('os').execv('/bin/true', ['true'])",
    "__import__('subprocess').run(['true'])",
    "__import__('socket').socket()",
    "__import__('socket').getaddrinfo('localhost', 80)",
    "__import__('sqlite3').connect('/tmp/shipcli-escape.db')",
    "__import__('ctypes').CDLL(None)",
    "__import__('shutil').rmtree('/tmp/nothing')",
    "__import__('tempfile').mkstemp(dir='/tmp')",
]


@pytest.mark.parametrize("deed", DEEDS)
def test_the_process_itself_can_do_nothing(deed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WALLED.format(deed)], capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("refused:"), (done.stdout, done.stderr)


def test_the_process_has_no_environment_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHIPCLI_MASTER_KEY", SECRET)
    assert SECRET not in make_bare_environment().values()
    assert set(make_bare_environment()) <= {"PYTHONPATH", "PYTHONHASHSEED", "SYSTEMROOT"}


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
def test_nothing_is_left_running_after_the_end() -> None:
    renderer = Renderer()
    renderer.render(RenderJob("x"))
    assert renderer._process is not None
    group = renderer._process.pid
    renderer.close()
    with pytest.raises(ProcessLookupError):
        os.killpg(group, 0)
