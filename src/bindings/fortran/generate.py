"""Writes the Fortran module, one source, from the public headers.

    python3 generate.py INCLUDE_FOLDER OUTPUT

Names are those of C. Where a constant and a function have one name but for capitals, the constant ends in _CONSTANT."""
import pathlib
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import interface

HEAD = """! Cardo for Fortran 2008 (with ISO/IEC TS 29113, that is Fortran 2018's arguments of C functions that may be absent). Made from the public
! headers by src/bindings/fortran/generate.py: what each function does is said there under its name.
!
!   use cardo
!   type(c_ptr) :: system, state
!   type(cardo_error) :: error
!   if (cardo_state_create(system, state, error) /= CARDO_OK) error stop ...
!
! What stands for what:
!   - handles (cardo_system *, ...), texts and arrays that the library lends: type(c_ptr); cardo_text and cardo_numbers look at these;
!   - texts that it is given: arrays of character that end in c_null_char, which cardo_c_text makes;
!   - arrays, and pointers that may be null: arguments that may be absent. Where a function gives one thing through a pointer that takes a
!     variable, an array, or c_null_ptr; where it gives several, arrays, of one element where it is one number, or nothing;
!   - structs: types of the same name whose members are zero to begin with. C's m(row, column) are Fortran's m(column, row);
!   - functions that the library calls: type(c_funptr).
! There are no functions here whose arguments C leaves open: %s.
module cardo
  use, intrinsic :: iso_c_binding
  implicit none
  public

"""

NUMBERS = {"double": ("real(c_double)", "0"), "float": ("real(c_float)", "0"), "int": ("integer(c_int)", "0"), "long": ("integer(c_long)", "0"),
           "long long": ("integer(c_long_long)", "0"), "unsigned": ("integer(c_int)", "0"), "sig_atomic_t": ("integer(c_int)", "0"),
           "bool": ("logical(c_bool)", ".false._c_bool"), "size_t": ("integer(c_size_t)", "0"), "char": ("character(kind=c_char)", "c_null_char")}


def wrapped(text, indent):
    """Lines of at most 120 letters that go on with &."""
    lines = textwrap.wrap(text, 120, initial_indent=indent, subsequent_indent=indent + "    ", break_long_words=False, break_on_hyphens=False)
    return " &\n".join(lines) + "\n"


def shape(kind):
    """Element and lengths of an array, in Fortran's order."""
    sizes = []
    while kind.kind == "array":
        sizes.append(kind.size)
        kind = kind.of
    return kind, sizes[::-1]


def base(kind):
    """A type that is no pointer and no array, and what it is to begin with."""
    if kind.kind == "number":
        return NUMBERS[kind.name]
    if kind.kind == "enum":
        return "integer(c_int)", "0"
    if kind.kind == "struct":
        return f"type({kind.name})", None
    if kind.kind == "callback":
        return "type(c_funptr)", "c_null_funptr"
    return "type(c_ptr)", "c_null_ptr"


def is_given(kind):
    """Whether a function gives something through a pointer: one thing or several, as only its header says in words."""
    return kind.is_pointer_to("number", "struct", "enum") and not kind.of.const and kind.of.name not in ("char", "cardo_error")


class Writer:
    def __init__(self, api):
        self.api = api
        self.by_value = {p.type.name for f in api.functions.values() for p in f.parameters if p.type.kind == "struct"}
        others = {name.lower() for name in [*api.functions, *api.structs]}
        self.constants = {name: name + ("_CONSTANT" if name.lower() in others else "") for name in api.constants}
        self._check_names()

    def _check_names(self):
        """Fortran knows no capitals, and module and members share no names."""
        taken = {"cardo": "the module"}
        for name in [*self.constants.values(), *self.api.structs, *self.api.functions]:
            if taken.setdefault(name.lower(), name) != name or len(name) > 63:
                sys.exit(f"{name} is no name of its own in Fortran")
        for struct, members in self.api.structs.items():
            if len({m.name.lower() for m in members}) < len(members):
                sys.exit(f"members of {struct} differ by capitals alone")

    def argument(self, p, k, given, several, form):
        """How parameter p is declared; form: as what a function that gives one thing takes it (one, array, pointer)."""
        kind, optional = p.type, ", optional"
        if kind.kind == "array":
            element, sizes = shape(kind)
            return f"{base(element)[0]}, intent({'in' if element.const else 'inout'}){optional} :: {p.name}(*)"
        if kind.kind != "pointer":
            return f"{base(kind)[0]}, value :: {p.name}"
        if interface.is_error(kind):
            return f"type(cardo_error), intent(inout){optional} :: {p.name}"
        inside = kind.of
        if inside.kind in ("pointer", "handle"):
            if inside.kind == "handle":
                return f"type(c_ptr), value :: {p.name}"
            if inside.const or inside.of.const and k > 0 and given[k - 1].type.name == "int":
                return f"type(c_ptr), intent(in){optional} :: {p.name}(*)"
            return f"type(c_ptr), intent(inout) :: {p.name}"
        if inside.kind not in ("number", "struct", "enum"):
            return f"type(c_ptr), value :: {p.name}"
        if is_given(kind) and not several:
            if form == "pointer":
                return f"type(c_ptr), value :: {p.name}"
            return f"{base(inside)[0]}, intent(inout) :: {p.name}{'' if form == 'one' else '(*)'}"
        intent = "in" if inside.const else "inout"
        # A struct that is passed by value where one is meant is meant several times by a pointer.
        counted = k > 0 and self.api.counted(given, k - 1)
        one = inside.kind == "struct" and inside.const and inside.name not in self.by_value and not counted
        return f"{base(inside)[0]}, intent({intent}){optional} :: {p.name}{'' if one else '(*)'}"

    def body(self, f, name, several, form):
        """An interface of function f under a name."""
        names = ", ".join(p.name for p in f.parameters)
        bind = f'bind(c, name="{f.name}")'
        kinds = [self.argument(p, k, f.parameters, several, form) for k, p in enumerate(f.parameters)]
        if f.result.kind == "void":
            text = wrapped(f"subroutine {name}({names}) {bind}", "    ")
        else:
            text = wrapped(f"function {name}({names}) result(result_) {bind}", "    ")
        text += "      import\n" + "".join(wrapped(line, "      ") for line in kinds)
        if f.result.kind == "void":
            return text + f"    end subroutine {name}\n"
        return text + f"      {base(f.result)[0]} :: result_\n    end function {name}\n"

    def function(self, f):
        """Its interface; where it gives one thing, one for each form under one name."""
        given = sum(is_given(p.type) for p in f.parameters)
        if given != 1:
            return "  interface\n" + self.body(f, f.name, True, None) + "  end interface\n\n"
        forms = "".join(self.body(f, f"{f.name}_{form}", False, form) for form in ("one", "array", "pointer"))
        return f"  interface {f.name}\n{forms}  end interface {f.name}\n\n"

    def struct(self, name, members):
        text = f"  type, bind(c) :: {name}\n"
        for m in members:
            element, sizes = shape(m.type)
            declared, zero = base(element)
            lengths = f"({', '.join(map(str, sizes))})" if sizes else ""
            text += wrapped(f"{declared} :: {m.name}{lengths}" + (f" = {zero}" if zero else ""), "    ")
        return text + f"  end type {name}\n\n"

    def module(self):
        plain = [f for f in self.api.functions.values() if not f.variadic]
        text = HEAD % ", ".join(f.name for f in self.api.functions.values() if f.variadic)
        text += "".join(f"  integer(c_int), parameter :: {self.constants[name]} = {value}\n" for name, value in self.api.constants.items()) + "\n"
        text += "".join(self.struct(*struct) for struct in self.api.structs.items())
        text += "".join(self.function(f) for f in plain)
        text += ('\n  interface\n    pure function c_length(c) result(length) bind(c, name="strlen")\n      import\n      type(c_ptr), value :: c\n'
                 "      integer(c_size_t) :: length\n    end function c_length\n  end interface\n  private :: c_length\n\ncontains\n\n")
        return text + (pathlib.Path(__file__).parent / "support.f90").read_text() + "\nend module cardo\n"


if __name__ == "__main__":
    pathlib.Path(sys.argv[2]).write_text(Writer(interface.Interface(sys.argv[1])).module())
