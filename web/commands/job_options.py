"""Define the options of jobs as command-line options, in the selections that commands need."""

import importlib
from collections.abc import Callable, Mapping
from itertools import starmap
from typing import Any

import click
from click.shell_completion import CompletionItem

from web.commands.option_groups import Decorator, option_group
from worker.option_texts import OPTION_TEXTS, READING_OPTIONS, OptionText

_Names = Callable[[], Mapping[str, str]]  # the names of an option's values, with display names


def _format_names() -> Mapping[str, str]:
    formats = importlib.import_module("solver.formats").FORMATS
    return dict.fromkeys(("auto", *(each.name for each in formats)), "")


def _variant_names() -> Mapping[str, str]:
    variants = importlib.import_module("solver.rules.variants").VARIANTS
    return {name: variant.title for name, variant in variants.items()}


class NamedOption(click.Option):
    """Command-line option whose help and shell completion list the names of its possible values.

    `names` returns these names with their display names. If the solver package, which defines them,
    isn't installed, the help and the completion omit them. If `is_list`, the value is a list of
    names separated by commas.
    """

    def __init__(self, *arguments: Any, names: _Names, is_list: bool = False, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._names = names
        self._is_list = is_list

    def known_names(self) -> Mapping[str, str]:
        """Return the names of the possible values, with display names.

        The mapping is empty if the solver isn't installed.
        """
        try:
            return self._names()
        except ModuleNotFoundError:
            return {}

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its help, to which the names of the possible values are added.

        Returns None if the option is hidden in the help.
        """
        record = super().get_help_record(ctx)
        names = self.known_names()
        return (
            (record[0], f"{record[1]} One of: {', '.join(names)}.") if record and names else record
        )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return completions of the value, or of the last name in a comma-separated list.

        Names that the list already has aren't offered.
        """
        del ctx
        before, comma, last = incomplete.rpartition(",") if self._is_list else ("", "", incomplete)
        return [
            CompletionItem(before + comma + name, help=title or None)
            for name, title in self.known_names().items()
            if name.startswith(last) and name not in before.split(",")
        ]


_NAMES: dict[str, dict[str, Any]] = {
    "format": {"cls": NamedOption, "names": _format_names},
    "variant": {"cls": NamedOption, "names": _variant_names, "is_list": True},
}


def _option(name: str, text: OptionText) -> Decorator:
    """Return the decorator that adds a job option to a command. The value isn't checked."""
    flag = f"--{name.replace('_', '-')}"
    if text.value is None:
        return click.option(flag, is_flag=True, default=None, help=text.description)
    default = f" [default: {text.default}]" if text.default else ""
    return click.option(
        flag, help=text.description + default, metavar=text.value, **_NAMES.get(name, {})
    )


job_options = option_group(*starmap(_option, OPTION_TEXTS.items()))
reading_options = option_group(*(_option(name, OPTION_TEXTS[name]) for name in READING_OPTIONS))
# For commands on collections, which set the options that determine the contents of results.
collection_options = option_group(
    *(_option(name, OPTION_TEXTS[name]) for name in (*READING_OPTIONS, "step_limit"))
)
