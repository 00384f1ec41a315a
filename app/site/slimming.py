"""Removes unneeded files from the runtime's archives."""

import io
import re
import zipfile

from .to_bytecode import packed

# Parts of NumPy: tests, C and Fortran interfaces, type stubs, and modules that neither the
# mathematics nor Bokeh imports.
_NUMPY = re.compile(
    r"(^|/)tests/|^numpy/(f2py|_pyinstaller|core|doc|fft|polynomial|testing)/"
    r"|^numpy/conftest|/testing/_private/extbuild|\.(pyi|pxd|h|a|typed|ini)$"
)

# Encodings that Python itself, addresses and text files may need; the Web no longer uses most of
# the others.
_ENCODINGS = (
    r"__init__|aliases|ascii|base64_codec|charmap|cp437|cp125[0-4]|hex_codec|idna|latin_1|iso8859_1"
    r"|punycode|raw_unicode_escape|undefined|unicode_escape|utf_8|utf_8_sig|utf_16\w*|utf_32\w*"
)

# Modules of the standard library that a page never imports: for terminals, development, processes,
# servers, mail, databases and some file formats.
_LIBRARY = re.compile(
    rf"^encodings/(?!({_ENCODINGS})\.py$)"
    r"|^(_pyrepl|curses|dbm|ensurepip|multiprocessing|pydoc_data|sqlite3|tomllib|unittest|venv"
    r"|wsgiref|xmlrpc|zoneinfo|__phello__)/"
    r"|^(_pyio|__hello__|antigravity|bdb|cProfile|cmd|code|compileall|doctest|filecmp|fileinput"
    r"|ftplib|getpass|graphlib|imaplib|mailbox|modulefinder|netrc|nturl2path|optparse|pdb"
    r"|pickletools|plistlib|poplib|profile|pstats|pty|pyclbr|pydoc|rlcompleter|sched|shelve"
    r"|smtplib|socketserver|symtable|tabnanny|this|timeit|trace|tty|wave|zipapp)\.py$"
    r"|^http/(server|cookiejar|cookies)\.py$|^xml/|^concurrent/futures/(process|interpreter)\.py$"
    r"|^asyncio/(__main__|tools)\.py$"
)


def slim_numpy(wheel: bytes) -> bytes:
    """Return NumPy's wheel without the files that no page needs."""
    return _without(_NUMPY, wheel)


def slim_library(archive: bytes) -> bytes:
    """Return the standard library's archive without the files that no page needs."""
    return _without(_LIBRARY, archive)


def is_left_out(module: str) -> bool:
    """Return whether `slim_library` removes a module such as ``xml.sax``."""
    name = module.replace(".", "/")
    return bool(_LIBRARY.search(f"{name}.py") or _LIBRARY.search(f"{name}/__init__.py"))


def _without(left_out: re.Pattern[str], archive: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(archive)) as given:
        names = [name for name in given.namelist() if not name.endswith("/")]
        return packed({name: given.read(name) for name in names if not left_out.search(name)})
