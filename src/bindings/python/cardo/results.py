"""Results: trees of named values, arrays and tables, as the library describes them.

A group is a mapping whose parts are attributes too; a table is a mapping of columns whose rows are `table[k]`. Arrays of numbers are
views of the library's own memory, read-only, each with `unit`, `label`, `meaning` and `axes`; they keep what they are views of."""
import collections.abc
import csv
import html
import math
import os
import pathlib
import re
import tempfile

import numpy

from cardo._library import call, encoded, ffi, lib, text
from cardo._version import __version__
from cardo.conversions import Motion


class Array(numpy.ndarray):
    """An array of a result, which knows what it is."""

    def __array_finalize__(self, parent):
        for name in ("unit", "label", "meaning", "axes", "labels"):
            setattr(self, name, getattr(parent, name, None))

    def to_xarray(self):
        """An xarray.DataArray with its axes as dimensions, the names of their places as coordinates, and what it is in its attributes."""
        import xarray

        # Of a part of an array (a row, say) the axes are the last ones.
        skipped = len(self.axes or ()) - self.ndim
        named = zip(self.axes[skipped:], self.labels[skipped:]) if self.axes and skipped >= 0 else [(None, None)] * self.ndim
        named = [(axis or f"dim_{k}", names) for k, (axis, names) in enumerate(named)]
        axes = [axis for axis, _ in named]
        places = {axis: names for (axis, names), n in zip(named, self.shape) if names and len(names) == n}
        return xarray.DataArray(numpy.asarray(self), dims=axes, coords=places, attrs=attributes(self.label, self.unit, self.meaning))


def attributes(label, unit, meaning):
    """What a quantity is, by the names that xarray and NetCDF's conventions have for it."""
    return {name: given for name, given in (("long_name", label), ("units", unit), ("comment", meaning)) if given}


DTYPES = {name: numpy.dtype(name) for name in ("f8", "i8", "?")}


def array(pointer, shape, owner, dtype="f8"):
    """A view of the library's memory that keeps its owner."""
    count = math.prod(shape)
    if count == 0:
        return numpy.empty(shape, dtype)
    dtype = DTYPES[dtype]
    kept = ffi.gc(pointer, lambda _, owner=owner: None)
    view = numpy.frombuffer(ffi.buffer(kept, count * dtype.itemsize), dtype).reshape(shape)
    view.flags.writeable = False
    return view


class Part:
    """A part of a result; the root that it hangs on lives as long as it does."""

    def __init__(self, pointer, root):
        self._pointer, self._root = pointer, root

    def find(self, path):
        """What stands under a path of names and numbers, "hinges/0/axis" of lists; None: nothing."""
        part = lib.cardo_result_find(self._pointer, path.encode())
        return None if part == ffi.NULL else value(part, self._root)

    def save(self, path):
        """Writes it, as the ending says: txt, json, csv, npy."""
        call(lib.cardo_result_store, self._pointer, encoded(path))

    def unit(self, name):
        """The unit of a value, array or column of that name, in words; "" where it has none."""
        return self.about(name)["unit"]

    def about(self, name):
        """What a value of that name is: a dict of name, label, unit and meaning."""
        part = lib.cardo_result_find(self._pointer, name.encode())
        if part == ffi.NULL:
            raise KeyError(name)
        return described(part)


def described(part):
    quantity = lib.cardo_result_quantity(part)
    name = text(quantity.name)
    return {"name": name, "label": text(quantity.label) or name, "unit": text(quantity.unit) or "", "meaning": text(quantity.meaning) or ""}


def names(part):
    return [text(lib.cardo_result_quantity(lib.cardo_result_part(part, k)).name) for k in range(lib.cardo_result_count(part))]


class Attributes:
    """Names of a mapping as attributes too."""

    def __getattr__(self, name):
        if not name.startswith("_"):
            try:
                return self[name]
            except KeyError:
                pass
        raise AttributeError(f"there is no {name!r} here; there are {', '.join(self)}")

    def __dir__(self):
        return [*super().__dir__(), *self]

    def __repr__(self):
        return f"<{type(self).__name__}: {', '.join(self)}>"


class Group(Attributes, Part, collections.abc.Mapping):
    """Named parts."""

    def __getitem__(self, name):
        for k, other in enumerate(names(self._pointer)):
            if other == name:
                return value(lib.cardo_result_part(self._pointer, k), self._root)
        raise KeyError(name)

    def __iter__(self):
        return iter(names(self._pointer))

    def __len__(self):
        return lib.cardo_result_count(self._pointer)


class Result(Group):
    """What a study came to."""

    def __init__(self, pointer):
        super().__init__(ffi.gc(pointer, lib.cardo_result_destroy), None)
        self._root = self._pointer

    def _repr_html_(self):
        """For notebooks: its numbers, truths and texts with their units."""
        rows = []
        for name in self:
            one = self[name]
            if isinstance(one, (bool, int, float, str)):
                about = self.about(name)
                rows.append("".join(f"<td>{html.escape(str(cell))}</td>" for cell in (about["label"], one, about["unit"], about["meaning"])))
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


class Run(Motion, Result):
    """What a study came to that has written a run folder: its tables are here too."""

    def __init__(self, pointer, folder):
        super().__init__(pointer)
        self._folder = folder

    def __fspath__(self):
        """Where a study takes the folder of a run, the run stands for it: cardo.saxs(model, "curve.dat", prior=free)."""
        return os.fspath(self._folder)

    def page(self, path, title=None):
        """Writes the page of this run, which opens without a network; see cardo report."""
        folder = ffi.new("char[]", encoded(self._folder))
        told = [ffi.NULL if one is None else ffi.new("char[]", one.encode()) for one in (title, "cardo (Python)", __version__)]
        options = ffi.new("cardo_report_options *", {"size": ffi.sizeof("cardo_report_options"), "title": told[0], "program": told[1], "version": told[2]})
        call(lib.cardo_report_write, 1, ffi.new("char *[]", [folder]), options, encoded(path), ffi.NULL)
        return path

    def _repr_html_(self):
        """For notebooks: the page of the run, in a frame of its own."""
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(self.page(pathlib.Path(folder) / "page.html")).read_text(encoding="utf-8")
        return f'<iframe srcdoc="{html.escape(page)}" width="100%" height="800" style="border: 0"></iframe>'

    @property
    def trajectory(self):
        """The columns of trajectory.csv by name, such as run.trajectory["time"]; their units are in trajectory.units."""
        return Columns(self._folder / "trajectory.csv")


class Columns(dict):
    """A table of numbers from a file: columns by name, and their units."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as lines:
            heading = next(csv.reader(lines))
            values = numpy.loadtxt(lines, delimiter=",", ndmin=2)
        pairs = [re.fullmatch(r"(.*?)(?: \((.*)\))?", one).groups() for one in heading]
        super().__init__((name, values[:, k]) for k, (name, _) in enumerate(pairs))
        self.units = {name: unit or "" for name, unit in pairs}

    def to_pandas(self):
        """A pandas.DataFrame; units stand in its attrs["units"]."""
        import pandas

        frame = pandas.DataFrame(dict(self))
        frame.attrs["units"] = dict(self.units)
        return frame

    def to_xarray(self, along="time"):
        """An xarray.Dataset along one of the columns, with units in the attributes."""
        import xarray

        columns = {name: (along, values, attributes(name, self.units[name], "")) for name, values in self.items()}
        return xarray.Dataset({name: column for name, column in columns.items() if name != along}, coords={along: columns[along]})


class Row(Attributes, collections.abc.Mapping):
    """One row of a table."""

    def __init__(self, table, row):
        self._table, self._row = table, row

    def __getitem__(self, name):
        column = self._table[name]
        cell = column[self._row]
        return None if cell is numpy.ma.masked else cell

    def __iter__(self):
        return iter(self._table)

    def __len__(self):
        return len(list(self._table))


class Table(Attributes, Part, collections.abc.Mapping):
    """Columns that share their rows. `table["name"]` is a column, `table[3]` a row, `rows` all of them."""

    def __getitem__(self, name):
        if isinstance(name, (int, numpy.integer)):
            n = self.nrow
            if not -n <= name < n:
                raise IndexError(f"row {name} of {n}")
            return Row(self, int(name) % n)
        for k, other in enumerate(names(self._pointer)):
            if other == name:
                return column(lib.cardo_result_part(self._pointer, k), self._root)
        raise KeyError(name)

    def __iter__(self):
        return iter(names(self._pointer))

    def __len__(self):
        return lib.cardo_result_count(self._pointer)

    @property
    def nrow(self):
        return lib.cardo_result_rows(self._pointer)

    @property
    def rows(self):
        return [Row(self, k) for k in range(self.nrow)]

    def to_pandas(self):
        """A pandas.DataFrame; units stand in its attrs["units"]."""
        import pandas

        frame = pandas.DataFrame({name: list(self[name]) for name in self})
        frame.attrs["units"] = {name: self.unit(name) for name in self}
        return frame

    def to_xarray(self):
        """An xarray.Dataset of the columns along "row"; absent numbers are NaN, what each is stands in its attributes."""
        import xarray

        columns = {}
        for name in self:
            one, about = self[name], self.about(name)
            if isinstance(one, numpy.ma.MaskedArray):
                one = one.astype(float).filled(numpy.nan) if one.dtype != object else one.filled(None)
            columns[name] = ("row", numpy.asarray(one), attributes(about["label"], about["unit"], about["meaning"]))
        return xarray.Dataset(columns)


def elements(part, root, shape):
    kind = lib.cardo_result_type_of(part)
    if kind == lib.CARDO_RESULT_DOUBLE:
        return array(lib.cardo_result_as_doubles(part), shape, root)
    if kind == lib.CARDO_RESULT_INTEGER:
        return array(lib.cardo_result_as_integers(part), shape, root, "i8")
    if kind == lib.CARDO_RESULT_TRUTH:
        return array(lib.cardo_result_as_truths(part), shape, root, "?")
    n = int(numpy.prod(shape, dtype="i8"))
    if kind == lib.CARDO_RESULT_TEXT:
        source, made = lib.cardo_result_as_texts(part), text
    else:
        source, made = lib.cardo_result_as_parts(part), lambda p: None if p == ffi.NULL else value(p, root)
    out = numpy.empty(n, object)
    for k in range(n):
        out[k] = made(source[k])
    return out.reshape(shape)


def with_meaning(values, part):
    out = values.view(Array)
    about = described(part)
    out.unit, out.label, out.meaning = about["unit"], about["label"], about["meaning"]
    out.axes = tuple(text(lib.cardo_result_axis(part, k).name) for k in range(lib.cardo_result_naxis(part)))
    out.labels = tuple(labels_of(part, k) for k in range(len(out.axes)))
    return out


def labels_of(part, axis):
    """Names of the places on an axis, or None where they have none."""
    found = [text(lib.cardo_result_label_of(part, axis, k)) for k in range(lib.cardo_result_axis(part, axis).n)]
    return found if any(found) else None


def column(part, root):
    if lib.cardo_result_kind_of(part) != lib.CARDO_RESULT_ARRAY:
        return value(part, root)
    shape = [lib.cardo_result_axis(part, k).n for k in range(lib.cardo_result_naxis(part))]
    values = with_meaning(elements(part, root, shape), part)
    absent = [lib.cardo_result_is_absent(part, k) for k in range(shape[0])] if shape else []
    if not any(absent):
        return values
    mask = numpy.zeros(shape, bool)
    mask[absent] = True
    return numpy.ma.array(values, mask=mask)


def value(part, root):
    """A part as what Python has for it: a mapping, a list, an array, or a number, truth or text."""
    kind = lib.cardo_result_kind_of(part)
    if kind == lib.CARDO_RESULT_GROUP:
        return Group(part, root)
    if kind == lib.CARDO_RESULT_TABLE:
        return Table(part, root)
    if kind == lib.CARDO_RESULT_LIST:
        return [value(lib.cardo_result_part(part, k), root) for k in range(lib.cardo_result_count(part))]
    naxis = lib.cardo_result_naxis(part)
    if naxis:
        return with_meaning(elements(part, root, [lib.cardo_result_axis(part, k).n for k in range(naxis)]), part)
    one = elements(part, root, [1])[0]
    return one.item() if isinstance(one, numpy.generic) else one
