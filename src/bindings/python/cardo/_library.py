"""The library as cffi sees it, and how its failures become exceptions."""
import os
import threading

from cardo._cardo import ffi, lib

__all__ = ["ffi", "lib", "call", "text", "encoded", "CardoError"]


class CardoError(Exception):
    """What the library says of a failure: what, where (file, line, residue or value), and what to do about it.

    `code` is the status in words; `result` what a study that was under way had come to, or None."""

    code = "failed"
    result = None


class InputError(CardoError, ValueError):
    """A structure, model or data file is wrong."""


class UsageError(CardoError, TypeError):
    """A name or an option that there is none of; the message has the nearest one."""


class FileError(CardoError, OSError):
    """A file cannot be read or written."""


class OutOfMemory(CardoError, MemoryError):
    """There is not enough memory."""


class ArgumentError(CardoError, ValueError):
    """A function was called outside its contract."""


class StageError(CardoError):
    """A quantity was asked for above the realized stage."""


class SingularError(CardoError, ArithmeticError):
    """A mass matrix or a mobilizer is singular here."""


class NumericalError(CardoError, ArithmeticError):
    """Numbers that are not finite, or no convergence."""


class ProviderError(CardoError):
    """Whoever computes the forces has failed, or cannot compute them here."""


class Unsupported(CardoError, NotImplementedError):
    """This is not supported."""


class Interrupted(CardoError):
    """Somebody said stop. What there is so far is in `result`."""


KINDS = {
    lib.CARDO_RECOVERABLE: ProviderError,
    lib.CARDO_ERROR_INPUT: InputError,
    lib.CARDO_ERROR_USAGE: UsageError,
    lib.CARDO_ERROR_FILE: FileError,
    lib.CARDO_ERROR_MEMORY: OutOfMemory,
    lib.CARDO_ERROR_ARGUMENT: ArgumentError,
    lib.CARDO_ERROR_STAGE: StageError,
    lib.CARDO_ERROR_SINGULAR: SingularError,
    lib.CARDO_ERROR_NUMERICAL: NumericalError,
    lib.CARDO_ERROR_PROVIDER: ProviderError,
    lib.CARDO_ERROR_UNSUPPORTED: Unsupported,
    lib.CARDO_ERROR_INTERRUPTED: Interrupted,
    lib.CARDO_ERROR_LOST: CardoError,
}


OK = lib.CARDO_OK


def text(pointer):
    """A C string as str, NULL as None."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "surrogateescape")


def encoded(value):
    """A str or a path as bytes for the library."""
    return os.fsencode(value)


class Owner:
    """Who frees what the library handed out: when it was given up, and everything that was made from it. Python collects a cycle (a module's own
    variables at the end, say) in any order, and the library needs a state's system until the state is gone."""

    def __init__(self, pointer, destroy, *needed):
        self._pointer, self._destroy, self._needed, self._holders = pointer, destroy, needed, 1
        for owner in needed:
            owner._holders += 1

    def pointer(self):
        """What others hold: once it is dropped the owner may free."""
        return ffi.gc(self._pointer, self._release)

    def _release(self, _=None):
        self._holders -= 1
        if self._holders == 0:
            self._destroy(self._pointer)
            for owner in self._needed:
                owner._release()


# What a Python function raised while the library was calling it, by thread: it is raised again when the library is back.
_raised = {}

# Error records that no call has in hand. Those that say something are not used again.
_records = []


def keep_raised(exception):
    _raised[threading.get_ident()] = exception


def call(function, *arguments):
    """Calls a function whose last argument is the error record; raises what went wrong."""
    try:
        error = _records.pop()
    except IndexError:
        error = ffi.new("cardo_error *")
    status = function(*arguments, error)
    if _raised:
        exception = _raised.pop(threading.get_ident(), None)
        if exception is not None:
            raise exception
    if status == OK:
        _records.append(error)
    else:
        failure = KINDS.get(status, CardoError)(text(error.message) or text(lib.cardo_status_text(status)))
        failure.code = text(lib.cardo_status_text(status))
        raise failure


def fail(error, exception):
    """Of a function of Python's that the library called: keeps what it raised, and tells the library that it failed."""
    keep_raised(exception)
    lib.cardo_fail(error, lib.CARDO_ERROR_PROVIDER, ffi.NULL, 0, b"%s",
                   ffi.new("char[]", f"{type(exception).__name__}: {exception}".encode()))
    return lib.CARDO_ERROR_PROVIDER
