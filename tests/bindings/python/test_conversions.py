"""Models, runs and samples in other packages, by what these read themselves. A package that this machine lacks is skipped by its name."""
import html
import os
import pathlib

import cardo
import numpy
import pytest

SOURCES = pathlib.Path(os.environ["CARDO_SOURCES"])
PAIR = [str(SOURCES / f"pdb/2mcg_{k}.pdb") for k in (1, 2)]
SINGLE = 2e-6  # nm: positions in single precision, which the packages and trajectories have

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    made = cardo.domains(*PAIR, out=tmp_path_factory.mktemp("model") / "elbow.xml", forcefield="kim-hummer.xml")
    made.place("domain2=0.01")
    return made


@pytest.fixture(scope="module", params=["netcdf", "dcd"])
def run(request, model, tmp_path_factory):
    model.place("domain2=0")
    made = model.simulate(steps=20, timestep="100 fs", trajectory_interval=5, trajectory=request.param, out=tmp_path_factory.mktemp("run") / "run")
    made.last = model.positions
    return made


def test_mdanalysis(model, run):
    pytest.importorskip("MDAnalysis")
    universe = model.to_mdanalysis()
    assert universe.atoms.positions / 10 == pytest.approx(model.positions, abs=SINGLE)
    alpha = universe.select_atoms("protein and name CA")
    assert alpha.n_atoms == universe.residues.n_residues == 215
    assert set(alpha.elements) == {"C"} and alpha.masses[0] == pytest.approx(12.011, abs=0.01)
    motion = run.to_mdanalysis()
    assert len(motion.trajectory) == 5
    motion.trajectory[-1]
    assert motion.atoms.positions / 10 == pytest.approx(run.last, abs=SINGLE)
    assert motion.atoms.names.tolist() == universe.atoms.names.tolist()


def test_mdtraj(model, run):
    pytest.importorskip("mdtraj")
    frame = model.to_mdtraj()
    assert frame.xyz[0] == pytest.approx(model.positions, abs=SINGLE)
    assert len(frame.topology.select("protein and name CA")) == 215
    # a chain of so many residues has more bonds than atoms less one: rings
    assert frame.topology.n_bonds >= frame.topology.n_atoms - 1
    motion = run.to_mdtraj()
    assert motion.n_frames == 5 and motion.xyz[-1] == pytest.approx(run.last, abs=SINGLE)


def test_prody(model, run):
    pytest.importorskip("prody")
    group = model.to_prody()
    assert group.getCoords() / 10 == pytest.approx(model.positions, abs=1e-12)
    assert group.select("protein and name CA").numAtoms() == 215
    if run._folder.joinpath("trajectory.dcd").exists():
        frames = run.to_prody()
        assert frames.numCoordsets() == 5 and frames.getCoordsets()[-1] / 10 == pytest.approx(run.last, abs=SINGLE)
    else:
        with pytest.raises(ValueError, match='trajectory="dcd"'):
            run.to_prody()


def test_pandas(run):
    pytest.importorskip("pandas")
    frame = run.trajectory.to_pandas()
    assert frame["q domain2"].tolist() == run.trajectory["q domain2"].tolist()
    assert frame.attrs["units"]["potential"] == "kJ/mol"


def test_pymbar_takes_the_reduced_energies_and_finds_the_same_overlap(model, tmp_path):
    pymbar = pytest.importorskip("pymbar")
    model.place("domain2=0")
    free = model.sample(method="umbrella", windows=4, steps=2000, equilibration=200, pull=500, from_=0.0, to=0.03, u_kn="yes", out=tmp_path / "free")
    assert free.u_kn.shape == (4, free.N_k.sum())
    mbar = pymbar.MBAR(numpy.array(free.u_kn), numpy.array(free.N_k))
    ours = numpy.array([free.overlap[name] for name in free.overlap])
    assert ours == pytest.approx(numpy.array(mbar.computeOverlap()["matrix"]), abs=1e-5)


def test_a_run_shows_its_page_in_a_notebook(run, tmp_path):
    shown = run._repr_html_()
    page = html.unescape(shown.split('srcdoc="')[1].split('"')[0])
    assert page.startswith("<!DOCTYPE html>") and page == run.page(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<title>2mcg_1 to 2mcg_2</title>" in page
    assert "<title>elbow" in run.page(tmp_path / "page.html", title="elbow").read_text(encoding="utf-8")


def test_a_result_shows_its_numbers_in_a_notebook(model):
    energy = model.energy()
    assert f"<td>{energy.potential_kJ_per_mol}</td><td>kJ/mol</td>" in energy._repr_html_()


def test_xarray(model, run):
    pytest.importorskip("xarray")
    motion = run.trajectory.to_xarray()
    assert motion["q domain2"].dims == ("time",) and motion["potential"].attrs["units"] == "kJ/mol"
    assert motion["q domain2"].values.tolist() == run.trajectory["q domain2"].tolist()
    modes = model.modes(count=2, minimize=False)
    table = next(modes[name] for name in modes if isinstance(modes[name], cardo.Table))
    found = table.to_xarray()
    assert set(found) == set(table) and found.sizes["row"] == table.nrow
    axis = model.hinges[0].axis
    assert axis.to_xarray().values.tolist() == axis.tolist() and axis.to_xarray().dims == tuple(axis.axes)[-1:]
