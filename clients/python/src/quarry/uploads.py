"""The files of upload forms."""

from io import TextIOBase
from typing import IO, BinaryIO, cast


class _Stream:
    """
    Reads a file for a form, without its method `fileno`.

    httpx would take the length of the form from `fileno`: 0 for a pipe, and the compressed size for `gzip.open`.
    """

    def __init__(self, file: BinaryIO) -> None:
        self.read = file.read


class _SeekableStream(_Stream):
    """Has the methods with which httpx measures a file, and reads it again for a retry."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__(file)
        self.seek = file.seek
        self.tell = file.tell


def build_form_file(file: BinaryIO) -> IO[bytes]:
    """Builds the file for a form of httpx. A file that cannot be measured is sent in chunks, without a length."""
    if isinstance(file, TextIOBase):
        raise TypeError("Expected a file that is open in binary mode, found one in text mode.")
    stream = _SeekableStream(file) if file.seekable() else _Stream(file)
    return cast(IO[bytes], stream)  # httpx calls no other methods.
