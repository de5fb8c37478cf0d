"""Studies: what can be done with a model or with structure files, each a function made from the library's own tables of options."""
import inspect
import itertools
import logging
import os
import pathlib
import shlex
import threading

from cardo._library import CardoError, call, encoded, ffi, keep_raised, lib, text
from cardo._version import __version__
from cardo.results import Result, Run

log = logging.getLogger("cardo")


class Listener:
    """Hears what a session says, for Python's logging (logger "cardo"), and may stop it."""

    def __init__(self, progress=None):
        self.progress = progress
        self.said = []
        self.parts = []
        self.stop = ffi.new("sig_atomic_t *")
        self._handle = ffi.new_handle(self)
        self.pointer = ffi.new("cardo_listener *", {
            "size": ffi.sizeof("cardo_listener"), "user": self._handle, "stop": self.stop, "say": lib.cardo_python_say,
            "progress": lib.cardo_python_progress})


def heard(exception, exception_value, traceback):
    """A function of the user's own that raises ends what is under way."""
    keep_raised(exception_value)


@ffi.def_extern(onerror=heard)
def cardo_python_say(user, severity, about, said):
    listener = ffi.from_handle(user)
    words = text(said)
    listener.said.append(words)
    level = logging.WARNING if severity == lib.CARDO_SAID_WARNING else logging.INFO
    log.log(level, "%s", words, extra={"about": text(about)})


@ffi.def_extern()
def cardo_python_progress(user, about, done, of):
    listener = ffi.from_handle(user)
    if listener.progress:
        try:
            listener.progress(text(about), done, of)
        except BaseException as exception:
            listener.stop[0] = 1
            keep_raised(exception)


def interruptible(function, stop):
    """Runs what takes long so that Ctrl-C, which only the main thread hears, makes it stop in good order."""
    if threading.current_thread() is not threading.main_thread():
        return function()
    outcome = []
    done = threading.Event()

    def work():
        try:
            outcome.append((function(), None))
        except BaseException as exception:
            outcome.append((None, exception))
        done.set()

    worker = threading.Thread(target=work, name="cardo")
    worker.start()
    interrupted = None
    while not done.is_set():
        try:
            # The signal may come to another thread, so the wait ends by itself; Thread.join takes a thread for ended after an interrupt.
            done.wait(0.1)
        except KeyboardInterrupt as interrupt:
            stop[0] = 1
            interrupted = interrupt
    made, exception = outcome[0]
    if interrupted is not None:
        interrupted.result = made if exception is None else getattr(exception, "result", None)
        raise interrupted
    if exception is not None:
        raise exception
    return made


def option_texts(options):
    """{"time_step": 5} as ["time-step=5"]: hyphens, yes and no, lists with blanks; a name that Python keeps ends in _ (from_)."""
    made = []
    for name, given in options.items():
        if given is None:
            continue
        if isinstance(given, bool):
            given = "yes" if given else "no"
        elif isinstance(given, (list, tuple)):
            given = " ".join(str(one) for one in given)
        elif isinstance(given, os.PathLike):
            given = os.fspath(given)
        made.append(f"{name.rstrip('_').replace('_', '-')}={given!s}")
    return made


def strings(texts):
    """Texts as the library takes them, with what keeps them alive."""
    kept = [ffi.new("char[]", encoded(one)) for one in texts]
    return ffi.new("char *[]", kept), kept


def find(name):
    study = lib.cardo_study_find(name.encode())
    if study == ffi.NULL:
        raise ValueError(f"there is no study {name!r}; there are {', '.join(study_names())}")
    return study


def listed():
    table = lib.cardo_study_list()
    return list(itertools.takewhile(lambda study: study != ffi.NULL, (table[k] for k in itertools.count())))


def study_names():
    """Names of all studies."""
    return [text(lib.cardo_study_name(study)) for study in listed()]


def takes_files(name):
    return bool(lib.cardo_study_takes_files(find(name)))


FIELD_TYPES = {lib.CARDO_FIELD_DOUBLE: "number", lib.CARDO_FIELD_INT: "integer", lib.CARDO_FIELD_LONG: "integer", lib.CARDO_FIELD_BOOL: "bool",
               lib.CARDO_FIELD_CHOICE: "one of", lib.CARDO_FIELD_STRING: "str", lib.CARDO_FIELD_TEXT: "str"}


def rows_of(fields):
    return list(itertools.takewhile(lambda field: field.name != ffi.NULL, (fields[k] for k in itertools.count())))


def described(field, group):
    choices = []
    if field.choices != ffi.NULL:
        choices = [text(one) for one in itertools.takewhile(lambda choice: choice != ffi.NULL, (field.choices[k] for k in itertools.count()))]
    return {"group": group, "name": text(field.name), "type": FIELD_TYPES[field.type], "unit": text(field.unit) or "",
            "default": text(field.default_value), "choices": choices, "doc": text(field.doc)}


def choice_of(study, c):
    words = itertools.takewhile(lambda word: word != ffi.NULL, (lib.cardo_study_choice_word(study, c, k) for k in itertools.count()))
    return {"group": f"{text(lib.cardo_study_name(study))} options", "name": text(lib.cardo_study_choice_name(study, c)), "type": "text", "unit": "",
            "default": text(lib.cardo_study_choice_word(study, c, -1)), "choices": [text(word) for word in words],
            "doc": "which kind; its options are in a group of their own"}


def options_of(name):
    """Options of a study: a list of dicts of group, name, type, unit, default, choices and doc, from the library's tables. Words that
    choose a kind (a method, an integrator) come first, and the options of each kind in groups of their own."""
    study, tables = find(name), ffi.new("const cardo_field *[]", lib.CARDO_STUDY_MOST_TABLES)
    ntable = ffi.new("int *")
    call(lib.cardo_study_option_tables, study, 0, ffi.NULL, ntable, tables)
    groups = lib.cardo_study_option_groups(study)
    titled = [(f"{name} options", tables[k]) for k in range(ntable[0])]
    if groups != ffi.NULL:
        titled += [(text(one.title), one.fields)
                   for one in itertools.takewhile(lambda group: group.title != ffi.NULL, (groups[k] for k in itertools.count()))]
    found, seen = [choice_of(study, c) for c in itertools.takewhile(lambda c: lib.cardo_study_choice_name(study, c) != ffi.NULL, itertools.count())], []
    for title, fields in titled:
        if fields not in seen:
            seen.append(fields)
            found += [described(field, title) for field in rows_of(fields)]
    return found


def python_name(option):
    import keyword

    name = option.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def describe(function, name, files, leading=()):
    """Signature and documentation of a study's function, from the tables that the program's help has."""
    parameters, lines, seen, group = [*leading], [], set(), None
    P = inspect.Parameter
    if files:
        parameters.append(P("files", P.VAR_POSITIONAL))
    for option in options_of(name):
        if option["group"] != group:
            group = option["group"]
            lines.append(f"\n{group}")
        kind = f"{option['type']} {', '.join(option['choices'])}" if option["choices"] else option["type"]
        unit = f" ({option['unit']})" if option["unit"] else ""
        lines.append(f"    {python_name(option['name'])}: {kind}, {option['default'] or 'none'}{unit}: {option['doc']}")
        if option["name"] not in seen:
            seen.add(option["name"])
            parameters.append(P(python_name(option["name"]), P.KEYWORD_ONLY, default=None))
    for extra in ("out", "force", "go_on", "progress"):
        if extra not in {p.name for p in parameters}:
            parameters.append(P(extra, P.KEYWORD_ONLY, default=None))
    function.__signature__ = inspect.Signature(parameters)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = (f"{text(lib.cardo_study_doc(find(name)))}\n\nout: where it writes; force: over what is there; go_on: with the run that is "
                        "there; progress: a function of (what, done, of).\n" + "\n".join(lines))
    return function


class Output:
    """Where a study writes: a run folder, the file that it makes, or nowhere."""

    def __init__(self, name, out, force, go_on, files):
        self._close, self.writer, self._keep, self._kept = None, ffi.NULL, None, []
        self.is_folder = False
        if out is None:
            return
        handed = ffi.new("char[]", encoded(out))
        self._kept.append(handed)
        ending = os.path.splitext(os.fspath(out))[1]
        if name in ("domains", "prepare", "fit"):
            array, kept = strings(files)
            self._kept += [array, kept]
            which = {"domains": "model", "prepare": "structures", "fit": "table" if ending == ".csv" else "structures"}[name]
            holder = ffi.new("char[]", b"Python")
            names = ffi.new("cardo_file_names *", {"size": ffi.sizeof("cardo_file_names"), which: handed, "replace": bool(force), "holder": holder,
                                                   "ninput": len(files), "input": array})
            self._kept += [names, holder]
            opened = ffi.new("cardo_named_files **")
            call(lib.cardo_named_files_open, names, opened)
            self._files = opened[0]
            self._close, self._keep = lib.cardo_named_files_close, lib.cardo_named_files_keep
            self.writer = lib.cardo_named_files_writer(self._files)
            return
        options = ffi.new("cardo_files_options *", {"size": ffi.sizeof("cardo_files_options"), "checkpoint": lib.cardo_study_checkpoint(find(name)),
                                                    "go_on": bool(go_on), "start_over": bool(force)})
        study = ffi.new("char[]", name.encode())
        self._kept += [options, study]
        opened = ffi.new("cardo_files **")
        call(lib.cardo_files_open_as, handed, study, options, opened)
        self._files = opened[0]
        self._close, self.is_folder = lib.cardo_files_close, True
        self.writer = lib.cardo_files_writer(self._files)

    def former_options(self, name):
        """What the run that goes on was begun with, in the library's names and texts."""
        command = text(lib.cardo_files_said(self._files, b"command")) or ""
        prefix = name + "."
        return [one[len(prefix):] for one in shlex.split(command) if one.startswith(prefix) and "=" in one]

    def start(self, session):
        """Puts the session where the run that goes on has started."""
        q = ffi.new("double[]", lib.cardo_system_nq(lib.cardo_session_system(session)))
        if lib.cardo_files_start(self._files, len(q), q):
            call(lib.cardo_session_set_coordinates, session, q)

    def tell_how(self, name, model, settings, options):
        """Notes how the run is repeated, as a command of the program."""
        sets = itertools.chain.from_iterable(("--set", one) for one in (*settings, *(f"{name}.{option}" for option in options)))
        kept = [ffi.new("char[]", one.encode()) for one in ("cardo (Python)", __version__, shlex.join(["cardo", name, model, *sets]),
                                                            os.getcwd())]
        self._kept += kept
        lib.cardo_files_repeat(self._files, *kept)

    def keep(self):
        if self._keep:
            call(self._keep, self._files)

    def close(self):
        if self._close:
            self._close(self._files)


def run(session, listener, name, files, options, out=None, force=False, go_on=False, progress=None, model=None, settings=()):
    """Runs a study on a session; see Model.run."""
    texts = option_texts(options)
    inputs, kept_inputs = strings(files)
    output = Output(name, out, force, go_on, files)
    try:
        if output.is_folder and model:
            if go_on:
                texts = output.former_options(name) + texts
                output.start(session)
            output.tell_how(name, model, settings, texts)
        array, kept = strings(texts)
        how = ffi.new("cardo_run_options *", {"size": ffi.sizeof("cardo_run_options"), "noption": len(kept), "option": array, "ninput": len(kept_inputs),
                                              "input": inputs, "writer": output.writer, "frames": lib.cardo_trajectory_reader()})
        made = ffi.new("cardo_result **")
        listener.stop[0] = 0
        listener.progress = progress

        def work():
            try:
                call(lib.cardo_session_run, session, name.encode(), how, made)
            except CardoError as failure:
                failure.result = Result(made[0]) if made[0] != ffi.NULL else None
                raise
            output.keep()
            return Run(made[0], pathlib.Path(out)) if output.is_folder else Result(made[0])

        return interruptible(work, listener.stop)
    finally:
        output.close()
