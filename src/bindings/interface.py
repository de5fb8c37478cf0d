"""The public headers as tables of constants, structs, handles and functions, from which the layers for C++ and Fortran are written.

The declarations are read by pycparser. What C leaves open and the headers settle in words is settled here in one place:

  - a handle is a struct that only the library knows; it is owned where a function ..._destroy, ..._close or ..._free takes it alone;
  - a function hands out an owned handle by a parameter T **; a handle that it returns is borrowed;
  - the length of what an accessor gives a view of stands in the comment after it: "(nu)"."""
import dataclasses
import pathlib
import re

from pycparser import c_ast, c_generator, c_parser

import declarations

KNOWN = "typedef int bool;\ntypedef unsigned long size_t;\ntypedef int sig_atomic_t;\ntypedef struct FILE FILE;\n"
NUMBERS = ("double", "float", "int", "long", "long long", "unsigned", "bool", "size_t", "sig_atomic_t", "char")


@dataclasses.dataclass
class Type:
    """kind: void, number, enum, struct, handle, callback, pointer or array. name: that of C."""

    kind: str
    name: str = ""
    const: bool = False
    of: "Type" = None
    size: int = 0

    def is_pointer_to(self, *kinds):
        return self.kind == "pointer" and self.of.kind in kinds

    @property
    def name_of_elements(self):
        return self.of.name if self.kind == "array" else None

    @property
    def is_text(self):
        return self.kind == "pointer" and self.of.name == "char" and self.of.const


@dataclasses.dataclass
class Named:
    """A member of a struct or a parameter: its type, and its declaration in C."""

    name: str
    type: Type
    c: str


@dataclasses.dataclass
class Function:
    name: str
    result: Type
    parameters: list
    variadic: bool
    rows: str = None  # the length of the array that it gives a view of, as the header has it: "nu"

    @property
    def can_fail(self):
        return self.result.name == "cardo_status" and bool(self.parameters) and is_error(self.parameters[-1].type)

    @property
    def inputs(self):
        """All parameters but the error record."""
        return self.parameters[:-1] if self.can_fail else self.parameters


def c_type(kind):
    """A type as C writes it."""
    if kind.kind == "pointer":
        return c_type(kind.of) + (" *const" if kind.const else " *")
    return ("const " if kind.const else "") + kind.name


def is_error(kind):
    return kind.kind == "pointer" and kind.of.name == "cardo_error" and not kind.of.const


class Interface:
    """constants: name -> value; enums: names of types; structs: name -> members; handles: names; destroyers: handle -> function."""

    def __init__(self, include):
        self.constants, self.enums, self.structs, self.handles, self.callbacks, self.functions = {}, [], {}, [], [], {}
        self._types = {}
        self._text = c_generator.CGenerator()
        for item in c_parser.CParser().parse(KNOWN + declarations.declarations(include)).ext:
            self._read(item)
        self.handles = [name for name in self.handles if name not in self.structs]
        for function in self.functions.values():
            for held in [function.result] + [p.type for p in function.parameters]:
                self._settle(held)
        for members in self.structs.values():
            for member in members:
                self._settle(member.type)
        self.destroyers = {}
        for f in self.functions.values():
            if re.search("_(destroy|close|free)$", f.name) and len(f.parameters) == 1 and f.parameters[0].type.is_pointer_to("handle"):
                self.destroyers[f.parameters[0].type.of.name] = f.name
        self._read_rows(include)

    def owned(self, parameter):
        """The handle that a parameter T ** hands out, or None."""
        kind = parameter.type
        if kind.kind == "pointer" and kind.of.is_pointer_to("handle") and not kind.of.of.const and kind.of.of.name in self.destroyers:
            return kind.of.of.name
        return None

    def counted(self, parameters, k):
        """Whether parameter k says how many there are of the next one: int noption, const char *const *option."""
        if k + 1 == len(parameters) or parameters[k].type.name != "int":
            return False
        given = parameters[k + 1]
        singular = parameters[k].name[1:]
        return given.type.kind == "pointer" and parameters[k].name[0] == "n" and given.name in (singular, singular + "s", singular[:-2] + "es")

    def stem(self, handle):
        """What the names of a handle's functions begin with: cardo_state_."""
        if handle in self.destroyers:
            return self.destroyers[handle].rsplit("_", 1)[0] + "_"
        return handle + "_"

    def _settle(self, kind):
        """A struct whose members are not public is a handle, wherever its name was met first."""
        while kind:
            if kind.kind == "struct" and kind.name not in self.structs:
                kind.kind = "handle"
            kind = kind.of

    def _read(self, item):
        if isinstance(item, c_ast.Typedef):
            self._read_type(item)
        elif isinstance(item, c_ast.Decl) and isinstance(item.type, c_ast.FuncDecl):
            self._read_function(item)
        elif isinstance(item, c_ast.Decl) and isinstance(item.type, c_ast.Enum):
            self._read_constants(item.type)

    def _read_type(self, item):
        inner = getattr(item.type, "type", None)
        if isinstance(inner, c_ast.Enum):
            self._read_constants(inner)
            self.enums.append(item.name)
            self._types[item.name] = Type("enum", item.name)
        elif isinstance(inner, c_ast.Struct):
            self._types[item.name] = Type("struct", item.name)
            if inner.decls:
                self.structs[item.name] = [self._named(member) for member in inner.decls]
            else:
                self.handles.append(item.name)
        elif isinstance(item.type, c_ast.PtrDecl) and isinstance(inner, c_ast.FuncDecl):
            self.callbacks.append(item.name)
            self._types[item.name] = Type("callback", item.name)

    def _read_constants(self, enum):
        following = 0
        for constant in enum.values.enumerators:
            value = following if constant.value is None else self._number(constant.value)
            self.constants[constant.name] = value
            following = value + 1

    def _number(self, expression):
        """The value of a constant expression; C's operators on integers are Python's."""
        return eval(self._text.visit(expression), {"__builtins__": {}}, dict(self.constants))

    def _read_function(self, item):
        given = item.type.args.params if item.type.args else []
        variadic = any(isinstance(p, c_ast.EllipsisParam) for p in given)
        parameters = [self._named(p) for p in given if isinstance(p, c_ast.Decl)]
        self.functions[item.name] = Function(item.name, self._type(item.type.type), parameters, variadic)

    def _named(self, item):
        return Named(item.name, self._type(item.type), self._text.visit(item))

    def _type(self, node):
        if isinstance(node, c_ast.PtrDecl):
            if isinstance(node.type, c_ast.FuncDecl):
                return Type("callback")
            return Type("pointer", const="const" in node.quals, of=self._type(node.type))
        if isinstance(node, c_ast.ArrayDecl):
            return Type("array", of=self._type(node.type), size=self._number(node.dim))
        const = "const" in node.quals
        if isinstance(node.type, c_ast.Struct):
            return Type("struct", node.type.name, const)
        name = " ".join(node.type.names)
        name = {"unsigned int": "unsigned"}.get(name, name)
        if name == "void":
            return Type("void", name, const)
        if name in NUMBERS:
            return Type("number", name, const)
        if name in self._types:
            return dataclasses.replace(self._types[name], const=const)
        return Type("handle", name, const)

    def _read_rows(self, include):
        for header in sorted(pathlib.Path(include).glob("cardo/*.h")):
            for name, rows in re.findall(r"\b(cardo_\w+)\([^;(]*\);\s*/\* \((n\w+)\)", header.read_text()):
                if name in self.functions and self.functions[name].result.kind == "pointer":
                    self.functions[name].rows = rows
