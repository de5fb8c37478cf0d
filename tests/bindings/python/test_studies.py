"""Studies from Python: the program's figures bit for bit, options and errors of the library's tables, Ctrl-C."""
import inspect
import json
import os
import pathlib
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


def test_errors_are_exceptions_that_say_what_to_do(model):
    with pytest.raises(cardo.UsageError, match="iterations"):
        model.minimize(iteration=1)
    with pytest.raises(cardo.FileError, match="nowhere.xml"):
        cardo.Model("nowhere.xml")
    with pytest.raises(cardo.CardoError):
        cardo.prepare("nowhere.pdb")
    assert isinstance(pytest.raises(cardo.UsageError, model.energy, foo=1).value, TypeError)


def test_control_c_stops_in_good_order_and_the_model_goes_on(model):
    timer = threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        model.simulate(steps=100_000_000)
    model.place("domain2=0")
    assert numpy.isfinite(model.energy().potential_kJ_per_mol)


def test_progress_is_heard_and_what_it_raises_ends_the_study(model):
    heard = []
    model.simulate(steps=50, progress=lambda what, done, of: heard.append((done, of)))
    assert heard[-1] == (50, 50)

    def refuse(what, done, of):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        model.simulate(steps=1_000_000, progress=refuse)
