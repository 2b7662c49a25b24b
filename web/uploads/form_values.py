"""The fields that a user typed into an upload form, to show them again next to an error message."""

from flask import Request
from werkzeug.sansio.multipart import Data, Field, MultipartDecoder, NeedData

from web.uploads.progress_body import watch_body

_REMEMBERED_BYTES = 1 << 20


class Typed:
    """Keeps what the user typed into the upload form, to show the form again.

    The form is shown again if the upload is rejected. But the request's body is a stream that can
    be read only once, and creating the job reads it. So this object must be created first. It
    watches the body while it is being read, and keeps a copy of the first MiB.
    """

    def __init__(self, request: Request) -> None:
        self._boundary = request.mimetype_params.get("boundary", "").encode()
        self._head = bytearray()
        watch_body(request, self._remember)

    def _remember(self, piece: bytes) -> None:
        self._head += piece[: _REMEMBERED_BYTES - len(self._head)]

    def fields(self) -> dict[str, str]:
        """Return the form's text fields by name, as far as the body has been read.

        Only the first 1 MiB of the body is used, so the last field may be incomplete and later ones
        missing. Files are left out. Values of fields with the same name are joined with commas. The
        result is {} if the request isn't a multipart form. A malformed form gives the fields before
        the error.
        """
        fields: dict[str, str] = {}
        if not self._boundary:
            return fields
        decoder = MultipartDecoder(self._boundary)
        name = None
        try:
            decoder.receive_data(bytes(self._head))
            while not isinstance(event := decoder.next_event(), NeedData):
                if isinstance(event, Data) and name is not None:
                    fields[name] = fields.get(name, "") + event.data.decode("utf-8", "replace")
                elif not isinstance(event, Data):
                    name = event.name if isinstance(event, Field) else None
                    if name in fields:  # checkboxes with the same name form a list
                        fields[name] += ","
        except ValueError:
            pass  # malformed form: creating the job reports the error
        return fields
