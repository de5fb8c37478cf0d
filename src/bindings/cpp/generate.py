"""Writes the layer for C++17, one header, from the public headers.

    python3 generate.py INCLUDE_FOLDER OUTPUT

A handle that somebody owns becomes three classes: StateView looks at one, StateRef may change it, State owns it. A function whose first
argument is the handle and whose name begins with the handle's becomes a method, ..._create a constructor, what hands out a handle without
having one a static function; all others are functions of the namespace. A cardo_error becomes an exception."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import interface

HEAD = """/* Cardo for C++17: handles that free what they own, failures as exceptions, views of the library's arrays without copies. Made from the
 * public headers by src/bindings/cpp/generate.py: what each function does is said there under its name, cardo_...
 *
 *     cardo::System system;
 *     system.add_body(definition, nullptr);
 *     system.finalize();
 *     cardo::State state(system);
 *     cardo::realize(system, state, CARDO_STAGE_ACCELERATION);
 *     for (double a : state.udot()) ...
 *
 * Who borrows what is as in C: a system outlives its states. A function that takes over what it is given is given x.release(). Functions
 * that the library calls are to let no exception out. A moved-from handle may only be assigned to or destroyed. */
#ifndef CARDO_CARDO_HPP
#define CARDO_CARDO_HPP

#if defined(_MSVC_LANG) ? _MSVC_LANG < 201703L : __cplusplus < 201703L
#error "cardo.hpp needs C++17"
#endif

%s#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace cardo {

"""

VIEW = """class {name}View {{
  public:
    {name}View(const {c} *pointer) noexcept : pointer_(const_cast<{c} *>(pointer)) {{}}
    const {c} *get() const noexcept {{ return pointer_; }}
    operator const {c} *() const noexcept {{ return pointer_; }}
    explicit operator bool() const noexcept {{ return pointer_ != nullptr; }}
{view}
  protected:
    {c} *pointer_;
}};

class {name}Ref : public {name}View {{
  public:
    {name}Ref({c} *pointer) noexcept : {name}View(pointer) {{}}
    {c} *get() const noexcept {{ return pointer_; }}
    operator {c} *() const noexcept {{ return pointer_; }}
{ref}}};

class {name} : public {name}Ref {{
  public:
    /* Takes over what C handed out. */
    static {name} adopt({c} *pointer) noexcept {{ return {name}(pointer, Owned()); }}
    {name}({name} &&other) noexcept : {name}Ref(other.release()) {{}}
    {name} &operator=({name} &&other) noexcept
    {{
        std::swap(pointer_, other.pointer_);
        return *this;
    }}
    ~{name}()
    {{
        if (pointer_)
            {destroy}(pointer_);
    }}
    /* Gives it up to somebody who takes it over. */
    {c} *release() noexcept {{ return std::exchange(pointer_, nullptr); }}
{own}
  private:
    struct Owned {{}};
    {name}({c} *pointer, Owned) noexcept : {name}Ref(pointer) {{}}
}};

"""


def camel(c_name):
    return "".join(word.capitalize() for word in c_name.removeprefix("cardo_").split("_"))


def spaced(result):
    return result if result.endswith("*") else result + " "


class Writer:
    def __init__(self, api):
        self.api = api
        self.owned = sorted(api.destroyers, key=api.handles.index)
        self.members = {handle: {"view": [], "ref": [], "own": []} for handle in self.owned}
        self.bodies, self.free = [], []
        self.skipped = []

    def parameters(self, given):
        """How given parameters are declared, and what the C function gets."""
        declared, passed, k = [], [], 0
        while k < len(given):
            p = given[k]
            if self.api.counted(given, k):
                p = given[k + 1]
                declared.append(f"Span<{interface.c_type(p.type.of)}> {p.name}")
                passed.append(f"static_cast<int>({p.name}.size()), {p.name}.data()")
                k += 2
                continue
            kind = p.type
            if kind.is_text:
                declared.append(f"Text {p.name}")
            elif kind.is_pointer_to("number", "struct", "enum") and kind.of.name not in ("char", "sig_atomic_t"):
                declared.append(f"Array<{interface.c_type(kind.of)}> {p.name}")
            else:
                declared.append(p.c)
            passed.append(p.name)
            k += 1
        return declared, passed

    def function(self, f):
        """Where function f goes, and what it looks like there."""
        api = self.api
        out = next((p for p in f.inputs if api.owned(p)), None) if f.can_fail else None
        made = api.owned(out) if out else None
        given = [p for p in f.inputs if p is not out]
        text = next((p for p in given if f.result.is_pointer_to("number") and f.result.of.name == p.type.name_of_elements == "char"), None)
        if text:
            given.remove(text)
        first = given[0].type.of.name if given and given[0].type.is_pointer_to("handle") else None
        owner = first if first in self.members and f.name.startswith(api.stem(first)) else None
        inside = given[1:] if owner else given
        declared, passed = self.parameters(inside)
        if owner:
            passed.insert(0, "get()")
        if out:
            before = sum(1 for p in f.inputs[:f.inputs.index(out)] if p in given)
            counted = sum(api.counted(given, k) for k in range(before))
            passed.insert(before - counted, "&made_")
        if text:
            place = f.parameters.index(text)
            passed.insert(place, "text_")
        arguments = ", ".join(passed)

        if out:
            result = camel(made)
            body = (f"    {made} *made_ = nullptr;\n    Check check_;\n    const cardo_status status_ = {f.name}({arguments}, check_);\n"
                    f"    {result} result_ = {result}::adopt(made_);\n    check_(status_);\n    return result_;\n")
        elif f.can_fail:
            result = "void"
            body = "    Check check_;\n    check_(" + f.name + "(" + ", ".join(passed + ["check_"]) + "));\n"
        elif text:
            result = "std::string"
            body = f"    char text_[{text.type.size}];\n    return {f.name}({arguments});\n"
        else:
            result, body = self.returned(f, owner, arguments)

        stem = api.stem(owner or made) if owner or made else ""
        name = f.name.removeprefix(stem) if stem and f.name.startswith(stem) else f.name.removeprefix("cardo_")
        declaration = ", ".join(declared)
        if owner:
            where = "view" if given[0].type.of.const else "ref"
            self.members[owner][where].append(f"    {spaced(result)}{name}({declaration}) const;\n")
            of = camel(owner) + ("View" if where == "view" else "Ref")
            self.bodies.append(f"inline {spaced(result)}{of}::{name}({declaration}) const\n{{\n{body}}}\n\n")
        elif made and f.name == stem + "create":
            self.members[made]["own"].append(f"    explicit {result}({declaration}) : {result}Ref(nullptr)\n    {{\n        Check check_;\n"
                                             f"        check_({f.name}({', '.join(a if a != '&made_' else '&pointer_' for a in passed)}, check_));\n    }}\n")
        elif made and f.name.startswith(stem):
            self.members[made]["own"].append(f"    static {result} {name}({declaration});\n")
            self.bodies.append(f"inline {result} {result}::{name}({declaration})\n{{\n{body}}}\n\n")
        else:
            self.free.append(f"inline {spaced(result)}{name}({declaration})\n{{\n{body}}}\n\n")

    def returned(self, f, owner, arguments):
        kind = f.result
        call = f"{f.name}({arguments})"
        if kind.is_pointer_to("handle") and kind.of.name in self.members:
            result = camel(kind.of.name) + ("View" if kind.of.const else "Ref")
        elif f.rows and owner and self.length(f, owner):
            result = f"Span<{interface.c_type(kind.of)}>"
            return result, f"    return {{{call}, static_cast<std::size_t>({self.length(f, owner)})}};\n"
        else:
            result = interface.c_type(kind)
        return result, f"    {'return ' if kind.kind != 'void' else ''}{call};\n"

    def length(self, f, owner):
        """How many elements there are in what an accessor gives a view of, by the accessors of its handle or of the system's."""
        stem = self.api.stem(owner)
        if stem + f.rows in self.api.functions:
            return f"{stem}{f.rows}(get())"
        if stem + "system" in self.api.functions and "cardo_system_" + f.rows in self.api.functions:
            return f"cardo_system_{f.rows}({stem}system(get()))"
        return None

    def header(self):
        for f in self.api.functions.values():
            if f.variadic or f.name in self.api.destroyers.values():
                continue
            self.function(f)
        text = HEAD % interface.declarations.INCLUDES
        text += (pathlib.Path(__file__).parent / "support.hpp").read_text() + "\n"
        plain = [n for n in self.api.enums + list(self.api.structs) + self.api.handles if n not in self.members and n not in ("cardo_error", "FILE")]
        text += "".join(f"using {camel(name)} = {name};\n" for name in plain) + "\n"
        text += "".join(f"class {camel(h)}View;\nclass {camel(h)}Ref;\nclass {camel(h)};\n" for h in self.owned) + "\n"
        for handle in self.owned:
            parts = {where: "".join(lines) for where, lines in self.members[handle].items()}
            text += VIEW.format(name=camel(handle), c=handle, destroy=self.api.destroyers[handle], **parts)
        return text + "".join(self.free) + "".join(self.bodies) + "} // namespace cardo\n\n#endif\n"


if __name__ == "__main__":
    pathlib.Path(sys.argv[2]).write_text(Writer(interface.Interface(sys.argv[1])).header())
