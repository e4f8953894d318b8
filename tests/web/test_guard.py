"""The guard: token, hosts, origins, sizes and paths; and the headers of every answer."""

from __future__ import annotations

import socket

import httpx
import pytest

from tests.web.browsing import client

TOKEN = "an-open-secret"


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    folder = tmp_path_factory.mktemp("web")
    (folder / "runs").mkdir()
    (folder / "secret.txt").write_text("nobody may read this")
    with client(folder) as browser:
        yield browser


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    with client(tmp_path_factory.mktemp("web"), TOKEN) as browser:
        yield browser


@pytest.mark.parametrize("path", ["/play", "/api/tables", "/static/style.css", "/runs", "/replays", "/nix"])
def test_nothing_is_told_without_the_token(guarded, path):
    for query in ("", "?token=", "?token=wrong", "?token=an-open-secre"):
        answer = httpx.get(f"{guarded.base_url}{path}{query}")
        assert answer.status_code == 401
        assert "token" in answer.text
    assert httpx.get(f"{guarded.base_url}{path}", headers={"cookie": "kontor_token=wrong"}).status_code == 401
    assert httpx.post(f"{guarded.base_url}{path}?token={TOKEN}").status_code == 401


def test_the_token_comes_in_by_the_address_and_stays_in_a_cookie(guarded):
    with httpx.Client(base_url=guarded.base_url) as browser:
        answer = browser.get(f"/play?a=b&token={TOKEN}")
        assert answer.status_code == 303
        assert answer.headers["location"] == "/play?a=b"
        assert "httponly" in answer.headers["set-cookie"].lower()
        assert browser.get("/play").status_code == 200
    elsewhere = httpx.get(f"{guarded.base_url}//evil.example/?token={TOKEN}")
    assert elsewhere.headers["location"].startswith("/evil.example")


def test_other_pages_cannot_act_through_a_visitors_browser(local):
    body = {"game": "connect_four", "seats": [{"type": "human"}, {"type": "human"}]}
    for headers in (
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://[evil"},
        {"host": "evil.example"},
    ):
        answer = local.post("/api/tables", json=body, headers=headers)
        assert answer.status_code in (403, 421), headers
    assert local.get("/api/tables").json()["tables"] == []
    own = str(local.base_url).rstrip("/")
    assert local.post("/api/tables", json=body, headers={"origin": own}).status_code == 201


def test_a_form_of_another_page_is_no_request(local):
    body = '{"game": "connect_four", "seats": [{"type": "human"}, {"type": "human"}]}'
    answer = local.post("/api/tables", content=body, headers={"content-type": "text/plain"})
    assert answer.status_code == 400


def test_a_body_may_be_only_so_large(local):
    answer = local.post("/api/tables", content=b"x" * 100_000, headers={"content-type": "application/json"})
    assert answer.status_code == 413
    assert "64 KiB" in answer.json()["error"]

    def chunks():
        for _ in range(100):
            yield b"x" * 1000

    answer = local.post("/api/tables", content=chunks(), headers={"content-type": "application/json"})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "target",
    [
        "/static/../../secret.txt",
        "/static/..%2f..%2fsecret.txt",
        "/static/%2e%2e/%2e%2e/secret.txt",
        "/static//etc/passwd",
        "/tables/../secret.txt",
        "/tables/..%2fsecret",
        "/play/..%2f..%2fsecret.txt",
        "/replay?record=../secret.txt",
        "/replay?record=/etc/passwd",
        "/replay?record=%00",
        "/replay?table=../secret",
        "/run?run=../..",
        "/play/%00",
        "/\\..\\secret.txt",
    ],
)
def test_paths_lead_nowhere_else(local, target):
    status, text = raw(local, target)
    assert 400 <= status < 500
    assert "nobody may read this" not in text
    assert "root:" not in text
    assert "Traceback" not in text


def raw(browser, target):
    """Status and text of a GET whose path is sent as it stands."""
    url = browser.base_url
    with socket.create_connection((url.host, url.port)) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: {url.host}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
    return int(answer.split()[1]), answer


def test_every_answer_is_sent_with_care(local):
    for path in ("/play", "/play/connect_four", "/api/tables", "/static/style.css", "/nix", "/runs", "/replays"):
        headers = local.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"]


def test_an_error_is_a_page_to_people_and_json_to_scripts(local):
    page = local.get("/tables/000000000000", headers={"accept": "text/html"})
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "there is no table" in page.text
    assert local.get("/api/tables/000000000000").json() == {"error": "there is no table '000000000000'"}
    assert local.put("/api/tables").status_code == 405
    assert "<script>" not in local.get("/play/<script>alert(1)</script>").text
