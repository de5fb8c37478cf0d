"""Models opened for work, and studies of structure files."""
import inspect
import os
import tempfile

import numpy

from cardo._library import call, encoded, ffi, lib, text
from cardo.conversions import Molecule
from cardo.results import array
from cardo.studies import Listener, describe, find, interruptible, run, strings, study_names, takes_files


class Model(Molecule):
    """A model file opened for work: bodies, hinges, a state, and who computes the forces.

    settings: {"forcefield.solvent": "none", ...} in place of what the file says. Every study that needs a model is a method, with its
    options as keyword arguments: `model.energy()`, `model.simulate(steps=1000, out="run")`; `help(model.simulate)` has them.
    Each begins where the model stands: at `q`, which may be set.
    """

    def __init__(self, path, settings=None, progress=None, forces=True):
        self._listener = Listener(progress)
        self._session = ffi.NULL
        self._settings = [f"{name}={given}" for name, given in (settings or {}).items()]
        array_of, kept = strings(self._settings)
        options = ffi.new("cardo_session_options *", {"size": ffi.sizeof("cardo_session_options"), "nsetting": len(kept), "setting": array_of,
                                                      "forces_optional": not forces})
        opened = ffi.new("cardo_session **")
        name = encoded(path)
        interruptible(lambda: call(lib.cardo_session_open, name, options, self._listener.pointer, opened), self._listener.stop)
        self._session = ffi.gc(opened[0], lib.cardo_session_close)
        self.path = os.fspath(path)
        self.found = None

    @property
    def messages(self):
        """What was said so far, one text a message."""
        return list(self._listener.said)

    @property
    def name(self):
        return text(lib.cardo_model_name(lib.cardo_session_model(self._session)))

    @property
    def _structure(self):
        return lib.cardo_model_structure_at(lib.cardo_session_model(self._session), 0)

    @property
    def bodies(self):
        """Names of the bodies."""
        model = lib.cardo_session_model(self._session)
        return [text(lib.cardo_model_body_name(model, k)) for k in range(lib.cardo_model_nbody(model))]

    @property
    def coordinates(self):
        """Names of the coordinates, in the order of q."""
        system = lib.cardo_session_system(self._session)
        name = ffi.new("char[]", lib.CARDO_COORDINATE_NAME)
        return [text(lib.cardo_coordinate_name(system, k, name)) for k in range(lib.cardo_system_nq(system))]

    @property
    def q(self):
        """The coordinates where the model stands (nm, radian; a path's q: 0 first structure, 1 second). May be set."""
        return numpy.array(array(lib.cardo_state_q(lib.cardo_session_state(self._session)),
                                 (lib.cardo_system_nq(lib.cardo_session_system(self._session)),), self._session))

    @q.setter
    def q(self, values):
        values = numpy.ascontiguousarray(values, "f8")
        n = lib.cardo_system_nq(lib.cardo_session_system(self._session))
        if values.shape != (n,):
            raise ValueError(f"q has {n} numbers, not {values.shape}")
        call(lib.cardo_session_set_coordinates, self._session, ffi.from_buffer("double[]", values))

    def place(self, where):
        """Puts one coordinate at a value: "mobile=0.5"."""
        call(lib.cardo_session_place, self._session, where.encode())

    @property
    def positions(self):
        """Positions of all atoms where the model stands, nm, n x 3."""
        system, state = lib.cardo_session_system(self._session), lib.cardo_session_state(self._session)
        call(lib.cardo_realize, system, state, lib.CARDO_STAGE_POSITION)
        out = numpy.empty((lib.cardo_system_nstation(system), 3))
        call(lib.cardo_station_positions, system, state, ffi.from_buffer("double[]", out))
        return out

    @property
    def reference(self):
        """Positions of the atoms in the structure that made the bodies, nm, n x 3: a view of the library's own."""
        structure = self._structure
        return array(lib.cardo_structure_positions(structure), (lib.cardo_structure_natom(structure), 3), self._session)

    def run(self, study, *files, out=None, force=False, go_on=False, progress=None, **options):
        """Runs a study by its name, with its options as keyword arguments (from_ for the option `from`). out: the folder or file that it
        writes; force: over what is there; go_on: with the run that is there. Ctrl-C stops it in good order and leaves the model usable;
        the KeyboardInterrupt has what there was in `result`."""
        return run(self._session, self._listener, study, files, options, out, force, go_on, progress, self.path, self._settings)

    def __fspath__(self):
        """Where a study takes files, a model stands for its own: cardo.saxs(model, "curve.dat"). Its coordinates are the file's then."""
        return self.path

    def __getattr__(self, name):
        found = self.__dict__.get("found")
        if found is not None and not name.startswith("_") and name in found:
            return found[name]
        raise AttributeError(f"a model has no {name!r}")

    def __repr__(self):
        return f"<Model {self.name!r} of {self.path}: {', '.join(self.bodies)}>"


def method(name):
    def study(self, *files, **options):
        return self.run(name, *files, **options)

    files = bool(lib.cardo_study_takes(find(name), 1))
    return describe(study, name, files, [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)])


def files_function(name):
    def study(*files, out=None, force=False, go_on=False, progress=None, **options):
        listener = Listener(progress)
        opened = ffi.new("cardo_session **")
        call(lib.cardo_session_create, listener.pointer, opened)
        session = ffi.gc(opened[0], lib.cardo_session_close)
        return run(session, listener, name, files, options, out, force, go_on, progress)

    return describe(study, name, True)


FILE_STUDIES = {name: files_function(name) for name in study_names() if takes_files(name)}
for _name in study_names():
    if not takes_files(_name):
        setattr(Model, _name, method(_name))


def domains(*files, out=None, settings=None, **options):
    """Finds domains and hinges between structures, and opens the model that it writes: `domains(open, closed).hinges[0].axis`.

    out: the model file, beside which its other files stand; None: a folder that goes with the model. What was found is `found`, and its
    parts are attributes of the model. Where no model could be made (no hinge, say) what was found is returned alone."""
    folder = None
    if out is None:
        folder = tempfile.TemporaryDirectory(prefix="cardo-")
        out = os.path.join(folder.name, "model.xml")
    options.setdefault("name", os.path.splitext(os.path.basename(out))[0])
    found = FILE_STUDIES["domains"](*files, out=out, **options)
    if not os.path.exists(out):
        return found
    model = Model(out, settings)
    model.found, model._folder = found, folder
    return model


domains.__signature__ = FILE_STUDIES["domains"].__signature__
domains.__doc__ += "\n\n" + FILE_STUDIES["domains"].__doc__
