"""What a browser may be made to do: pages of other origins, and names that point here."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from tests.api.conftest import BASE, client_of

SHOP, STRANGER = "https://shop.example", "https://evil.example"
PREFLIGHT = {"Access-Control-Request-Method": "POST",
             "Access-Control-Request-Headers": "authorization,content-type,x-test-mode"}  # fmt: skip


def served(app: App) -> TestClient:
    return TestClient(build(app), base_url=BASE, raise_server_exceptions=False)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server whose setting names one shop."""
    flags = {"allowed_origins": f"{SHOP}, https://other.example", "allowed_hosts": "api.shop.example"}
    app = open_app(tmp_path_factory.mktemp("shop") / "home", sandbox=True, environ={}, flags=flags)
    with served(app) as http:
        http.headers["Authorization"] = str(client_of(app, http)._authorization)
        yield http
    app.close()


def test_with_any_origin_allowed_a_preflight_of_any_page_is(tmp_path: Path) -> None:
    app = open_app(tmp_path / "home", sandbox=True, environ={}, flags={"allowed_origins": "*"})
    with served(app) as http:
        said = http.options("/v1/shipments", headers={"Origin": STRANGER, **PREFLIGHT})
    app.close()
    assert said.status_code == 200
    assert said.headers["access-control-allow-origin"] == STRANGER
    assert {"authorization", "content-type", "x-test-mode"} <= set(
        said.headers["access-control-allow-headers"].split(", ")
    )
    assert said.headers["access-control-max-age"] == "86400"
    assert "POST" in said.headers["access-control-allow-methods"]
    assert "access-control-allow-credentials" not in said.headers


def test_no_page_may_read_answers_unless_its_origin_is_in_the_setting(http: TestClient) -> None:
    for path in ("/", "/v1/nothing", "/v1/addresses"):
        for origin in (STRANGER, "null"):
            said = http.get(path, headers={"Origin": origin})
            assert not [name for name in said.headers if name.startswith("access-control-")]
            assert "origin" in said.headers["vary"]
    said = http.options("/v1/shipments", headers={"Origin": STRANGER, **PREFLIGHT})
    assert not [name for name in said.headers if name.startswith("access-control-")]


def test_a_page_of_a_listed_origin_reads_answers_and_errors(shop: TestClient) -> None:
    for path in ("/", "/v1/nothing", "/v1/addresses"):
        said = shop.get(path, headers={"Origin": SHOP})
        assert said.headers["access-control-allow-origin"] == SHOP
        assert "access-control-allow-credentials" not in said.headers
    stranger = shop.get("/v1/addresses", headers={"Origin": STRANGER})
    assert "access-control-allow-origin" not in stranger.headers


def test_only_who_is_no_page_is_asked_for_basic_credentials(http: TestClient) -> None:
    assert http.get("/v1/addresses").headers["www-authenticate"] == 'Basic realm="api"'
    for origin in (STRANGER, BASE):
        assert "www-authenticate" not in http.get("/v1/addresses", headers={"Origin": origin}).headers


def test_basic_credentials_that_a_browser_adds_are_no_good_for_other_origins(shop: TestClient) -> None:
    key = shop.headers["Authorization"].partition(" ")[2]
    basic = {"Authorization": f"Basic {base64.b64encode(f'{key}:'.encode()).decode()}"}

    def status(**headers: str) -> int:
        return shop.get("/v1/addresses", headers={**basic, **headers}).status_code

    assert (status(), status(Origin=BASE), status(Origin=SHOP)) == (200, 200, 200)
    assert (status(Origin=STRANGER), status(Origin="null")) == (401, 401)
    with_token = shop.get("/v1/addresses", headers={"Origin": STRANGER})
    assert with_token.status_code == 200  # the page was given the key; it can't read the answer


@pytest.mark.parametrize(
    "host", ["evil.test", "evil.test:5002", "127.0.0.1.evil.test", "192.0.2.7", "[::1]:5002"]
)
def test_a_host_that_is_not_served_here_is_refused_and_not_reflected(http: TestClient, host: str) -> None:
    for path in ("/", "/oauth/.well-known/openid-configuration", "/v1/carriers"):
        said = http.get(path, headers={"Host": host})
        assert (said.status_code, said.json()["errors"][0]["code"]) == (421, "unknown_host")
        assert "allowed_hosts" in said.json()["errors"][0]["message"]
        assert f"//{host}" not in said.text


@pytest.mark.parametrize("host", ["127.0.0.1:5002", "localhost:5002", "LOCALHOST", "127.0.0.1"])
def test_the_names_of_this_machine_are_served(http: TestClient, host: str) -> None:
    assert http.get("/", headers={"Host": host}).status_code == 200


def test_a_name_in_the_setting_is_served_and_stands_in_links(shop: TestClient) -> None:
    assert (
        shop.get("/", headers={"Host": "api.shop.example"})
        .json()["HOST"]
        .startswith("http://api.shop.example")
    )
    assert shop.get("/", headers={"Host": "shop.example"}).status_code == 421
