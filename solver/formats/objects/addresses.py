"""What stands in the address of a web page."""

from urllib.parse import parse_qs, unquote, urlsplit


def split_address(text: str) -> tuple[str, dict[str, str]]:
    """Return the path and the arguments of an address, nothing of what is none.

    A plus sign stays one: it is a digit of base64.
    """
    try:
        parts = urlsplit(text)
        arguments = parse_qs(parts.query.replace("+", "%2B"))
    except ValueError:
        return "", {}
    return unquote(parts.path), {key: values[0] for key, values in arguments.items()}
