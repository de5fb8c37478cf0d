"""Writes type stubs of the package, cardo/__init__.pyi, from the package itself: studies with the options of the library's tables.

    python3 stubs.py FOLDER      where cardo/ is, ready to be imported"""
import inspect
import pathlib
import sys

sys.path.insert(0, sys.argv[1])
import cardo

KINDS = {"number": "float | str", "integer": "int", "bool": "bool", "str": "str | list[str]", "text": "str"}
HEAD = """# Made from the package by stubs.py.
from collections.abc import Callable
from os import PathLike
from typing import Any, Literal

from cardo._library import (ArgumentError as ArgumentError, CardoError as CardoError, FileError as FileError, InputError as InputError,
    Interrupted as Interrupted, NumericalError as NumericalError, OutOfMemory as OutOfMemory, ProviderError as ProviderError,
    SingularError as SingularError, StageError as StageError, Unsupported as Unsupported, UsageError as UsageError)
from cardo.engine import (Forces as Forces, Simulation as Simulation, State as State, System as System, constraints as constraints,
    mobilizers as mobilizers)
from cardo.model import Model as _Model
from cardo.results import Array as Array, Group as Group, Result as Result, Row as Row, Run as Run, Table as Table

__version__: str
ffi: Any
lib: Any

def options_of(name: str) -> list[dict[str, Any]]: ...
def study_names() -> list[str]: ...

"""
RUN = {"out": "str | PathLike[str]", "force": "bool", "go_on": "bool", "progress": "Callable[[str, int, int], Any]"}


def type_of(option):
    if option["choices"]:
        return f"Literal[{', '.join(repr(word) for word in option['choices'] if word)}]"
    return KINDS[option["type"]]


def function(name, indent=""):
    """The signature of a study; the first option of a name says what it takes, but for those that some kind has otherwise: any text."""
    found = cardo.domains if name == "domains" else getattr(cardo, name, None) or getattr(cardo.Model, name)
    types = {}
    for option in cardo.options_of(name):
        types.setdefault(cardo.studies.python_name(option["name"]), set()).add(type_of(option))
    words = ["self"] if indent else []
    for parameter in inspect.signature(found).parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind == parameter.VAR_POSITIONAL:
            words.append(f"*{parameter.name}: str | PathLike[str]")
            continue
        if parameter.kind == parameter.KEYWORD_ONLY and not any(word.startswith("*") for word in words):
            words.append("*")
        kinds = " | ".join(sorted(types.get(parameter.name, ()))) or RUN.get(parameter.name, "Any")
        needed = parameter.default is parameter.empty
        words.append(f"{parameter.name}: {kinds}" + ("" if needed else " | None = ..."))
    result = "_Model" if name == "domains" else "Run" if indent else "Result"
    return f"{indent}def {name}({', '.join(words)}) -> {result}: ...\n"


def main():
    text = HEAD + "class Model(_Model):\n"
    text += "".join(function(name, "    ") for name in cardo.study_names() if not cardo.studies.takes_files(name))
    text += "\nopen = Model\n\n"
    text += "".join(function(name) for name in cardo.study_names() if cardo.studies.takes_files(name))
    folder = pathlib.Path(sys.argv[1]) / "cardo"
    (folder / "__init__.pyi").write_text(text)
    (folder / "py.typed").write_text("")


main()
