"""Studies from Python: the program's figures bit for bit, options and errors of the library's tables, Ctrl-C."""
import functools
import inspect
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading

import cardo
import numpy
import pytest

SOURCES = pathlib.Path(os.environ["CARDO_SOURCES"])
PROGRAM = os.environ["CARDO_PROGRAM"]
PAIR = [str(SOURCES / f"pdb/2mcg_{k}.pdb") for k in (1, 2)]


def program(*words):
    return json.loads(subprocess.run([PROGRAM, *map(str, words), "--json"], check=True, capture_output=True, text=True).stdout)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return cardo.domains(*PAIR, out=tmp_path_factory.mktemp("model") / "elbow.xml", forcefield="kim-hummer.xml")


def same(value, told):
    """A part of a result against what the program's JSON says."""
    if isinstance(value, cardo.Array) and value.labels and value.labels[0]:
        assert dict(zip(value.labels[0], value.tolist())) == told
    elif isinstance(value, numpy.ndarray):
        assert value.tolist() == told
    elif isinstance(value, cardo.Group):
        for name in value:
            if name in told:
                same(value[name], told[name])
    elif isinstance(value, cardo.Table):
        assert value.nrow == len(told)
    elif isinstance(value, (float, int, str, bool)):
        assert value == told


def test_figures_are_the_programs(model):
    energy = model.energy()
    told = program("energy", model.path)
    assert energy.potential_kJ_per_mol == told["potential_kJ_per_mol"]
    same(energy, told)
    assert energy.unit("potential_kJ_per_mol") == "kJ/mol"


def test_domains_are_found_and_the_model_is_open(model):
    assert model.hinges[0].angle_deg == pytest.approx(135.6, abs=0.1)
    assert numpy.linalg.norm(model.hinges[0].axis) == pytest.approx(1)
    assert model.bodies == ["domain1", "domain2"]
    assert model.positions.shape[1] == 3


def test_a_run_writes_its_folder_and_goes_on_bit_for_bit(model, tmp_path):
    half = model.simulate(steps=20, timestep="20 fs", out=tmp_path / "run")
    assert half.steps_done == 20
    model.simulate(steps=40, out=tmp_path / "run", go_on=True)
    model.place("domain2=0")
    at_once = cardo.Model(model.path).simulate(steps=40, timestep="20 fs", out=tmp_path / "whole")
    whole = cardo.results.Columns(tmp_path / "run/trajectory.csv")
    assert at_once.trajectory["q domain2"].tolist() == whole["q domain2"].tolist()
    assert whole.units["potential"] == "kJ/mol"
    with pytest.raises(cardo.CardoError):
        model.simulate(steps=1, out=tmp_path / "run")


def test_every_study_is_here_with_the_options_of_its_table():
    for name in cardo.study_names():
        function = cardo.domains if name == "domains" else getattr(cardo, name, None) or getattr(cardo.Model, name)
        parameters = inspect.signature(function).parameters
        for option in cardo.options_of(name):
            assert cardo.studies.python_name(option["name"]) in parameters
        assert inspect.getdoc(function)
    methods = next(option for option in cardo.options_of("sample") if option["name"] == "method")
    assert {"umbrella", "metadynamics"} <= set(methods["choices"]) and methods["default"] == "umbrella"
    assert "integrator" in inspect.signature(cardo.Model.simulate).parameters
    assert "timestep" in {option["name"] for option in cardo.options_of("simulate")}


def test_every_function_of_the_headers_is_here():
    exported = subprocess.run(["nm", "-D", "--defined-only", shared_library()], check=True, capture_output=True, text=True).stdout
    names = {line.split()[-1] for line in exported.splitlines() if " cardo_" in line}
    here = set(dir(cardo.lib))
    missing = {name for name in names if name not in here and "mpi" not in name}
    assert not missing


def shared_library():
    for line in open("/proc/self/maps", encoding="utf-8"):
        if "libcardo.so" in line:
            return line.split()[-1]
    raise AssertionError("libcardo.so is not loaded")


ALANINE = """<cardo version="1">
  <model name="Alanine dipeptide">
    <structure id="a" file="alanine.pdb"/>
    <domain name="all" residues="A:1-3"/>
    <body name="peptide" domains="all" base="free"/>
    <flexible residues="A:1-3" torsions="phi psi"/>
    <forcefield files="ff14SB.xml" solvent="none"/>
  </model>
</cardo>
"""
# What each study is tried with besides its defaults: options, and the program's words where these are not its name and --set STUDY.OPTION=VALUE.
# A study that is not here is tried with its defaults: both do it alike, or both refuse it in the same words.
SHORT = {
    "domains": ({"forcefield": "kim-hummer.xml", "name": "made"}, ["domains", "--forcefield", "kim-hummer.xml"]),
    "drive": ({"steps": 4, "to": 0.001}, None),
    "minimize": ({"iterations": 5}, None),
    "modes": ({"count": 3, "minimize": "no"}, None),
    "prepare": ({"output": "made.pdb"}, ["prepare"]),
    "sample": ({"method": "mixed", "variable": "dihedral", "a": "A:1@C", "b": "A:2@N", "c": "A:2@CA", "d": "A:2@C", "temperature": 700, "cycles": 40,
                "burn-in": 5, "interval": 2}, None),
    "scan": ({"coordinate": "domain2", "to": 0.1, "places": 3}, ["energy", "--scan", "domain2=0:0.1:3"]),
    "simulate": ({"steps": 5, "timestep": "20 fs"}, None),
    "transition": ({"rung": "coarse", "time": 0.0001}, ["study", "--rung", "coarse", "--time", "0.0001"]),
}
OUTPUTS = {"check": None, "domains": "made.xml", "energy": None, "info": None, "prepare": "made.pdb"}
# How long it took, and which files there are: one writes what the other only hands back.
ABOUT = re.compile(r"(about|took) [0-9.]+ (s|min)")
PASSING = {"elapsed_s", "took_s", "predicted_s", "ms_per_step", "ns_per_day", "file", "files", "folder", "timings"}


def differences(said, told, where=""):
    """Where a study's figures from Python are not those that the program prints."""
    if isinstance(said, dict) and isinstance(told, dict):
        for name in said.keys() & told.keys() - PASSING:
            yield from differences(said[name], told[name], f"{where}/{name}")
        yield from (f"{where}/{name} is not told by the program" for name in said.keys() - told.keys() - PASSING)
    elif isinstance(said, list) and isinstance(told, list) and len(said) == len(told):
        for k, (one, other) in enumerate(zip(said, told)):
            yield from differences(one, other, f"{where}/{k}")
    elif said != told and ABOUT.sub("", str(said)) != ABOUT.sub("", str(told)):
        yield f"{where}: {said} here, {told} by the program"


def arguments(name, model):
    """Files of structures and data that a study is given, and the model."""
    if name == "sample":
        pathlib.Path("alanine.xml").write_text(ALANINE)
        shutil.copy(SOURCES / "pdb/alanine.pdb", ".")
        return [], "alanine.xml"
    if name == "saxs":
        q = numpy.linspace(0.01, 0.2, 12)
        numpy.savetxt("curve.dat", numpy.column_stack([q, numpy.exp(-((q * 20) ** 2) / 3), 0.01 + 0 * q]))
        return [PAIR[0], "curve.dat"], None
    if cardo.studies.takes_files(name):
        return PAIR if name in ("domains", "transition") else PAIR[:1], None
    return PAIR[:1] if name == "fit" else [], model.path


def test_models_and_runs_stand_for_their_files(model, tmp_path):
    q = numpy.linspace(0.01, 0.2, 12)
    curve = tmp_path / "curve.dat"
    numpy.savetxt(curve, numpy.column_stack([q, numpy.exp(-((q * 20) ** 2) / 3), 0.01 + 0 * q]))
    along = cardo.saxs(model, curve, places=3, out=tmp_path / "along")
    assert along.hinge.q.tolist() == [0, 0.5, 1]
    assert os.fspath(along) == str(tmp_path / "along")
    assert cardo.studies.option_texts({"prior": along}) == [f"prior={tmp_path / 'along'}"]


@pytest.mark.parametrize("name", cardo.study_names())
def test_every_study_says_what_the_program_says(name, model, tmp_path, monkeypatch):
    options, words = SHORT.get(name, ({}, None))
    words = words or [name, *(word for option, given in options.items() for word in ("--set", f"{name}.{option}={given}"))]
    out = OUTPUTS.get(name, "run")
    for who in ("program", "python"):
        (tmp_path / who).mkdir()
        monkeypatch.chdir(tmp_path / who)
        files, model_path = arguments(name, model)
        given = [model_path, *files] if model_path else files
        if who == "program":
            process = subprocess.run([PROGRAM, words[0], *given, *words[1:], *(["-o", out] if out else []), "--json"], capture_output=True, text=True)
            continue
        function = functools.partial(cardo.Model(model_path).run, name) if model_path else cardo.model.FILE_STUDIES[name]
        try:
            result = function(*files, out=out, **{cardo.studies.python_name(option): value for option, value in options.items()})
        except cardo.CardoError as failure:
            assert name not in SHORT, failure
            assert process.returncode, f"the program does it: {failure}"
            assert str(failure).split(": ")[-1] in process.stderr + process.stdout
            return
        result.save("told.json")
        said = json.loads(pathlib.Path("told.json").read_text())
    told = json.loads(process.stdout)
    wrong = list(differences(said, told))
    assert said and not wrong, wrong[:5]


def test_errors_are_exceptions_that_say_what_to_do(model):
    with pytest.raises(cardo.UsageError, match="iterations"):
        model.minimize(iteration=1)
    with pytest.raises(cardo.FileError, match="nowhere.xml"):
        cardo.Model("nowhere.xml")
    with pytest.raises(cardo.CardoError):
        cardo.prepare("nowhere.pdb")
    assert isinstance(pytest.raises(cardo.UsageError, model.energy, foo=1).value, TypeError)


# Studies that take long even of a coarse model, with options that make them so; among them are all that can go on from a checkpoint.
LONG = {
    "drive": {"steps": 100_000_000, "duration": 1e6, "to": 0.001},
    "sample": {"method": "umbrella", "to": 0.02, "windows": 2, "steps": 100_000_000},
    "scan": {"coordinate": "domain2", "to": 0.1, "places": 1_000_000},
    "simulate": {"steps": 100_000_000},
    "transition": {"rung": "coarse", "time": 5},
}


def test_those_are_the_long_studies():
    assert {name for name in cardo.study_names() if cardo.lib.cardo_study_checkpoint(cardo.studies.find(name)) != cardo.ffi.NULL} <= set(LONG)


@pytest.mark.parametrize("name", LONG)
def test_control_c_stops_in_good_order_and_the_session_goes_on(name, model, tmp_path):
    timer = threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT])
    opened, before = cardo.Model(model.path), len(threading.enumerate())
    energy = opened.energy().potential_kJ_per_mol
    function = cardo.model.FILE_STUDIES.get(name) or functools.partial(opened.run, name)
    files = PAIR if name in cardo.model.FILE_STUDIES else []
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        function(*files, out=tmp_path / "run", **LONG[name])
    timer.join()
    assert len(threading.enumerate()) == before
    opened.place("domain2=0")
    assert opened.energy().potential_kJ_per_mol == pytest.approx(energy, rel=1e-9)
    assert opened.simulate(steps=2).steps_done == 2


def test_control_c_ends_a_preparation_that_relaxes(tmp_path):
    def interrupt(what, done, of):
        if done == 1:
            os.kill(os.getpid(), signal.SIGINT)

    bare = tmp_path / "bare.pdb"
    bare.write_text("".join(line for line in open(PAIR[0], encoding="utf-8") if line[76:78] != " H"), encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        cardo.prepare(bare, out=tmp_path / "prepared.pdb", progress=interrupt)
    assert not (tmp_path / "prepared.pdb").exists()


def test_a_scan_leaves_the_model_where_it_stood(model):
    model.place("domain2=0.03")
    before = model.q
    model.scan(coordinate="domain2", to=0.1, places=3)
    assert (model.q == before).all()
    model.place("domain2=0")


def test_progress_is_heard_and_what_it_raises_ends_the_study(model):
    heard = []
    model.simulate(steps=50, progress=lambda what, done, of: heard.append((done, of)))
    assert heard[-1] == (50, 50)

    def refuse(what, done, of):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        model.simulate(steps=1_000_000, progress=refuse)
