"""Parse the URLs of web pages."""

from urllib.parse import parse_qs, unquote, urlsplit


def split_address(text: str) -> tuple[str, dict[str, str]]:
    """Return the path and the query arguments of a URL, or ("", {}) if it is malformed.

    Percent-encoding is decoded. A plus sign stays a plus sign, because it is a base64 digit. If an
    argument is repeated, its first value counts.
    """
    try:
        parts = urlsplit(text)
        arguments = parse_qs(parts.query.replace("+", "%2B"))
    except ValueError:
        return "", {}
    return unquote(parts.path), {key: values[0] for key, values in arguments.items()}
