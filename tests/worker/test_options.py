from html import unescape
from importlib import import_module
from typing import Annotated, Any

import click
import pytest
from msgspec import Meta

from web.api.openapi import describe
from web.commands.cli import main
from worker.job import JobOptions
from worker.options import OPTIONS, declared, parse_options
from worker.rejection import Rejection, RejectionKind
from worker.settings import Settings


class WithFlag(JobOptions, frozen=True, kw_only=True):
    hurry: Annotated[bool, Meta(title="Hurry", description="Be quick about it.")] = False


FLAG = declared(WithFlag)["hurry"]


def test_every_interface_offers_every_option(http: Any) -> None:
    page = unescape(http.get("/").text)
    document = describe(Settings())
    query = document["paths"]["/api/v1/jobs"]["post"]["parameters"]
    asked = document["components"]["parameters"]
    fields = document["components"]["schemas"]["UploadForm"]["properties"]
    for name, option in OPTIONS.items():
        assert option.help
        assert f'name="{name}"' in page
        if name != "variant":  # a group of checkboxes, each with a description
            assert option.help in page
        assert {"$ref": f"#/components/parameters/{name}"} in query
        assert asked[name]["description"] == option.help == fields[name]["description"]
    for command in ("solve", "submit"):
        found = main.get_command(click.Context(main), command)
        assert found is not None
        flags = {each.name: each.is_flag for each in found.params if isinstance(each, click.Option)}
        for name, option in OPTIONS.items():
            assert flags[name] == option.is_flag


def test_bounds_come_from_the_settings() -> None:
    settings = Settings(max_limit=7)
    rejection = parse_options({"limit": "8"}, settings=settings)
    assert isinstance(rejection, Rejection)
    assert (rejection.kind, rejection.field) == (RejectionKind.BAD_OPTION, "limit")
    assert rejection.detail == "'limit' must be a whole number from 1 to 7, not 8"
    schema = describe(settings)["components"]["parameters"]["limit"]["schema"]
    assert (schema["minimum"], schema["maximum"], schema["default"]) == (1, 7, 2)


@pytest.mark.parametrize(
    ("value", "read"),
    [("true", True), ("on", True), ("1", True), (True, True), ("False", False), ("0", False),
     (False, False), ("", None), (None, None)],
)  # fmt: skip
def test_flag_is_read_from_every_interface(value: object, read: object) -> None:
    assert FLAG.read(value, Settings()) is read


def test_flag_that_is_neither_on_nor_off_is_rejected() -> None:
    rejection = FLAG.read("perhaps", Settings())
    assert isinstance(rejection, Rejection)
    assert rejection.field == "hurry"


def test_every_declared_option_is_in_the_form(http: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("web.pages.upload"), "OPTIONS", declared(WithFlag))
    page = http.get("/").text
    assert 'name="hurry" type="checkbox"' in page
    assert "Be quick about it." in page
