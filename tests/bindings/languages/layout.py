"""Writes a program in C and one in Fortran that print all constants of the public headers, and the size of all structs and where their last members are.

    python3 layout.py SOURCES FOLDER"""
import pathlib
import sys

root, folder = map(pathlib.Path, sys.argv[1:])
sys.path[:0] = [str(root / "src/bindings"), str(root / "src/bindings/fortran")]
import generate
import interface

api = interface.Interface(root / "src/include")
constants = generate.Writer(api).constants

c = interface.declarations.INCLUDES + "#include <stddef.h>\n#include <stdio.h>\nint main(void)\n{\n"
fortran = "program layout\n  use cardo\n  implicit none\n"
body = ""
for name in api.constants:
    c += f'    printf("{name} %lld\\n", (long long){name});\n'
    body += f"  write (*, '(a,i0)') '{name} ', {constants[name]}\n"
for k, (struct, members) in enumerate(api.structs.items()):
    last = members[-1].name
    c += f'    printf("{struct} %zu %zu\\n", sizeof({struct}), offsetof({struct}, {last}));\n'
    fortran += f"  type({struct}), target :: s{k}\n"
    body += f"  write (*, '(a,i0,a,i0)') '{struct} ', c_sizeof(s{k}), ' ', place(c_loc(s{k}), c_loc(s{k}%{last}))\n"
c += "    return 0;\n}\n"
fortran += body + """contains
  integer(c_intptr_t) function place(whole, part)
    type(c_ptr), intent(in) :: whole, part
    place = transfer(part, place) - transfer(whole, place)
  end function place
end program layout
"""
(folder / "layout.c").write_text(c)
(folder / "layout.f90").write_text(fortran)
