"""Read the values of settings from text, and define their types with bounds."""

import ipaddress
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin

import msgspec
from msgspec import Meta

MIB = 1 << 20
GIB = 1 << 30
DAY = 86_400.0
YEAR = 365 * DAY

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# Types include bounds. A time span without an upper bound could be infinite.
Port = Annotated[int, Meta(ge=0, le=65_535)]
Count = Annotated[int, Meta(ge=1, le=1 << 53)]
Share = Annotated[float, Meta(ge=0, le=1)]
ShortTime = Annotated[float, Meta(ge=0.01, le=DAY)]
LeaseTime = Annotated[float, Meta(ge=0.5, le=DAY)]
Timeout = Annotated[float, Meta(ge=1, le=DAY)]
Retention = Annotated[float, Meta(ge=1, le=100 * YEAR)]
WholeSeconds = Annotated[int, Meta(ge=1, le=int(DAY))]


class BadSetting(Exception):
    """An environment variable has an invalid value, or a required one is missing."""


@dataclass(frozen=True, slots=True)
class Variable:
    """The environment variable of a setting, with its meaning and unit for the documentation."""

    name: str
    meaning: str
    unit: str = ""


def read_networks(name: str, texts: tuple[str, ...]) -> tuple[Network, ...]:
    """Return the networks in the value of a variable. Raises BadSetting if one is invalid.

    A single address is a network of its own. Bits of an address that don't belong to its network
    are ignored.
    """
    networks = []
    for text in texts:
        try:
            networks.append(ipaddress.ip_network(text, strict=False))
        except ValueError:
            raise BadSetting(
                f"{name}: {text!r} is neither an IP address nor a network such as 10.0.0.0/8"
            ) from None
    return tuple(networks)


def read_value(variable: Variable, text: str, type_: Any) -> Any:
    """Convert the text of an environment variable to the type of its setting.

    The items of a list are separated by commas or spaces. Raises BadSetting if the text is invalid.
    """
    is_list = get_origin(get_args(type_)[0]) is tuple
    try:
        return msgspec.convert(
            text.replace(",", " ").split() if is_list else text,
            type_,
            strict=False,
            dec_hook=lambda path, value: path(value),
        )
    except msgspec.ValidationError as error:
        expected = str(error).partition(", got")[0].removeprefix("Expected ")
        for word, plain in (
            ("`int`", "a whole number"),
            ("`float`", "a number"),
            ("<=", "of at most"),
            (">=", "of at least"),
        ):
            expected = expected.replace(word, plain)
        raise BadSetting(f"{variable.name} must be {expected}, not {text!r}") from None
