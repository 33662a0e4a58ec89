"""`shipcli completion`: the scripts that ask the program what can stand next."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from shipcli.cli.console.output import show_text
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.help_pages import write_docstring
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Command, Verbs

verb = Verbs()

BASH = """\
# Completion of shipcli for bash.
_shipcli() {
    local choice
    COMPREPLY=()
    while IFS= read -r choice; do
        COMPREPLY+=("$choice")
    done < <(_SHIPCLI_COMPLETE=plain "${COMP_WORDS[0]}" "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _shipcli shipcli
"""

ZSH = """\
#compdef shipcli
# Completion of shipcli for zsh.
_shipcli() {
    local -a choices
    local line
    while IFS= read -r line; do
        choices+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}")
    done < <(_SHIPCLI_COMPLETE=described "${words[1]}" "${(@)words[2,CURRENT]}" 2>/dev/null)
    if (( ${#choices} )); then
        _describe 'shipcli' choices
    else
        _files
    fi
}
if [[ "${funcstack[1]}" == _shipcli ]]; then
    _shipcli "$@"
else
    compdef _shipcli shipcli
fi
"""

FISH = """\
# Completion of shipcli for fish.
function __shipcli_choices
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    env _SHIPCLI_COMPLETE=described $words[1] $words[2..-1] "$word" 2>/dev/null
end
complete --command shipcli --arguments '(__shipcli_choices)'
"""

POWERSHELL = """\
# Completion of shipcli for PowerShell.
Register-ArgumentCompleter -Native -CommandName shipcli -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    $env:_SHIPCLI_COMPLETE = 'described'
    $env:_SHIPCLI_WORD = "$wordToComplete"
    try {
        shipcli @words 2>$null | ForEach-Object {
            $value, $help = $_ -split "`t", 2
            if (-not $help) { $help = $value }
            [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $help)
        }
    } finally {
        Remove-Item Env:_SHIPCLI_COMPLETE, Env:_SHIPCLI_WORD -ErrorAction SilentlyContinue
    }
}
"""


class Shell(NamedTuple):
    """A shell: its script, the script's file name, where it is installed, and what else is to do."""

    script: str
    file: str
    path: str
    then: str


SHELLS = {
    "bash": Shell(BASH, "shipcli.bash", "~/.local/share/bash-completion/completions/shipcli",
                  "open a new shell; without the bash-completion package, source this file in ~/.bashrc"),
    "zsh": Shell(ZSH, "_shipcli", "~/.zfunc/_shipcli",
                 "have `fpath+=~/.zfunc; autoload -Uz compinit; compinit` in ~/.zshrc, and open a new shell"),
    "fish": Shell(FISH, "shipcli.fish", "~/.config/fish/completions/shipcli.fish", "open a new shell"),
    "powershell": Shell(POWERSHELL, "shipcli.ps1", "~/.config/powershell/shipcli.ps1",
                        "add `. ~/.config/powershell/shipcli.ps1` to the file $PROFILE"),
}  # fmt: skip


TITLES = {"powershell": "PowerShell"}


def _make_printing(name: str, shell: Shell) -> Command:
    """The command that prints the script of a shell."""

    def run() -> None:
        show_text(shell.script)

    sentence = f"Print the completion script for {TITLES.get(name, name)}."
    command = f"shipcli completion {name}"
    run.__doc__ = write_docstring(sentence, [command, f"{command} -o {shell.file}"])
    return run


verb.update({name: _make_printing(name, shell) for name, shell in SHELLS.items()})


@verb
def install(
    shell: Annotated[
        str | None, typer.Argument(metavar="[SHELL]", help="bash, zsh, fish or powershell.")
    ] = None,
) -> None:
    """Install completion for your shell.

    Examples:
    shipcli completion install bash
    shipcli completion install zsh --dry-run
    """
    name = shell or Path(os.environ.get("SHELL", "")).name.replace("pwsh", "powershell")
    if name not in SHELLS:
        raise Usage(f"say which shell: {', '.join(SHELLS)}")
    chosen = SHELLS[name]
    target = Path(chosen.path).expanduser()
    if would(f"write {target}"):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(chosen.script, "utf-8")
    note(f"wrote {target}")
    note(chosen.then)
