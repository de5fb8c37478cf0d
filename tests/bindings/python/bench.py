"""What a call from Python costs beside the library's own work, and whether what is made and dropped leaves anything. By name:

    PYTHONPATH=build/release/python python3 tests/bindings/python/bench.py

Needs a C compiler, which makes the loop that is compared with."""
import gc
import importlib.util
import pathlib
import resource
import tempfile
import time
import timeit

import cardo
import cffi
import numpy
from cardo._library import ffi, lib
from cardo.results import array

LOOP = """
#include <stdint.h>
int cardo_state_set_q(void *state, const double *q);
int cardo_realize(const void *system, void *state, int stage, void *error);
const double *cardo_state_udot(const void *state);
static double loop(uintptr_t system, uintptr_t state, uintptr_t q, long n, int stage)
{
    double sum = 0;
    for (long k = 0; k < n; ++k) {
        cardo_state_set_q((void *)state, (const double *)q);
        cardo_realize((const void *)system, (void *)state, stage, 0);
        sum += cardo_state_udot((const void *)state)[0];
    }
    return sum;
}
"""


def best(function, n):
    """Microseconds a call, of the thread's own time, the least of many rounds."""
    return min(timeit.repeat(function, number=n, repeat=30, timer=time.thread_time)) / n * 1e6


def compiled_loop(folder, library):
    builder = cffi.FFI()
    builder.cdef("double loop(uintptr_t system, uintptr_t state, uintptr_t q, long n, int stage);")
    builder.set_source("cardo_bench_loop", LOOP, extra_link_args=[library], extra_compile_args=["-O2"])
    path = builder.compile(tmpdir=folder)
    spec = importlib.util.spec_from_file_location("cardo_bench_loop", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.lib.loop


def tree():
    """Ten pins that branch."""
    system = cardo.System()
    for k in range(10):
        system.add_body("pin", (k + 1) // 2, mass=1, com=(0, -0.1, 0), inertia=(0.2, 0.1, 0.2, 0, 0, 0), X_PF=(0.1 * k, -0.2, 0))
    system.gravity = (0, -9.81, 0)
    return system


def forward_dynamics(folder):
    system = tree()
    q = numpy.arange(10) * 0.1
    state = system.state(q=q, u=q)

    def python():
        state.q = q
        return state.udot

    library = next(line.split()[-1] for line in open("/proc/self/maps", encoding="utf-8") if "libcardo.so" in line)
    loop = compiled_loop(folder, library)
    addresses = [int(ffi.cast("uintptr_t", pointer)) for pointer in (system._pointer, state._pointer, ffi.from_buffer("double[]", q))]
    n = 2000
    in_c = best(lambda: loop(*addresses, n, lib.CARDO_STAGE_ACCELERATION), 1) / n
    in_python = best(python, n)
    print(f"forward dynamics of ten bodies: {in_c:.2f} us in C, {in_python:.2f} us from Python: {in_python - in_c:.2f} us over C")


def frame():
    system = cardo.System()
    system.add_body("free", mass=1, inertia=(1, 1, 1, 0, 0, 0))
    system.add_stations(1, numpy.random.default_rng(1).normal(size=(100_000, 3)))
    shown = []

    def force(positions, q, u):
        shown.append(positions.shape)
        return 0.0, None

    cardo.Simulation(system.state(), "verlet", cardo.Forces(force), timestep="1 fs").run(1)
    memory = ffi.new("double[]", 300_000)
    print(f"a frame of {shown[0][0]} atoms as a view: {best(lambda: array(memory, (100_000, 3), memory), 1000):.2f} us")


def resident():
    gc.collect()
    pages = int(pathlib.Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * resource.getpagesize() // 1024


def dropped(model_path):
    def system():
        state = tree().state(q=numpy.arange(10) * 0.1)
        return state.udot, state.M

    def result():
        energy = model.energy()
        return energy.potential_kJ_per_mol, energy._repr_html_()

    model = cardo.Model(model_path)
    for what, function, n in (("systems with states", system, 10_000), ("results of a study", result, 10_000), ("models", lambda: cardo.Model(model_path), 1_000)):
        for _ in range(n // 10):
            function()
        del model._listener.said[:]
        before, start = resident(), time.perf_counter()
        for _ in range(n):
            function()
            del model._listener.said[:]
        print(f"{n} {what} made and dropped: {resident() - before:+d} KiB, {1e3 * (time.perf_counter() - start) / n:.2f} ms each")


def main():
    sources = pathlib.Path(__file__).resolve().parents[3]
    with tempfile.TemporaryDirectory() as folder:
        forward_dynamics(folder)
        frame()
        model = cardo.domains(*(sources / f"pdb/2mcg_{k}.pdb" for k in (1, 2)), out=pathlib.Path(folder) / "elbow.xml", forcefield="kim-hummer.xml")
        dropped(model.path)


if __name__ == "__main__":
    main()
