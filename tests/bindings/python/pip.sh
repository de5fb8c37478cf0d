#!/usr/bin/env bash
# pip installs the package from the sources, offline; it runs with nothing but what it brought, and is removed without a trace.
#   pip.sh PYTHON BUILD_FOLDER SOURCES
set -euo pipefail
python=$1 build=$2 source=$3
if ! "$python" -c "import cffi, numpy, pycparser, setuptools" 2>/dev/null || ! "$python" -m venv --help >/dev/null 2>&1 || ! "$python" -m pip --version >/dev/null 2>&1; then
    echo "SKIPPED: pip, venv or what the package is made with is not there (python3-pip, python3-venv, python3-cffi)"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore PIP_NO_INDEX=1
unset CARDO_DATA PYTHONPATH
"$python" -m venv --without-pip --system-site-packages "$work/home"
here="$work/home/bin/python"
before=$(find "$work/home" | sort)
CARDO_BUILD=$build "$here" -m pip install --quiet --no-build-isolation --no-deps "$source"

# Its own copy of the data is what is read: a file that is nowhere else is found.
share=$(dirname "$("$here" -c 'import importlib.util; print(importlib.util.find_spec("cardo").origin)')")/share/cardo
cp "$share/forcefields/kim-hummer.xml" "$share/forcefields/only-here.xml"
cd "$work"
"$here" - "$source" <<'PYTHON'
import sys

import cardo

model = cardo.domains(f"{sys.argv[1]}/pdb/2mcg_1.pdb", f"{sys.argv[1]}/pdb/2mcg_2.pdb", out="elbow.xml", forcefield="only-here.xml")
assert "/home/lib" in cardo.__file__ and "/home/lib" in next(line for line in open("/proc/self/maps") if "libcardo.so" in line)
assert abs(model.hinges[0].angle_deg - 135.6) < 0.1
run = model.simulate(steps=10, timestep="100 fs", out="run")
print(f"cardo {cardo.__version__}: {run.steps_done} steps, {model.energy().potential_kJ_per_mol:.3f} kJ/mol")
PYTHON
# The stubs are Python, and have every study with its options.
"$here" - <<'PYTHON'
import ast
import pathlib

import cardo

stubs = ast.parse((pathlib.Path(cardo.__file__).parent / "__init__.pyi").read_text())
functions = {node.name: node for node in ast.walk(stubs) if isinstance(node, ast.FunctionDef)}
for name in cardo.study_names():
    there = {argument.arg for argument in functions[name].args.kwonlyargs + functions[name].args.args}
    missing = {cardo.studies.python_name(option["name"]) for option in cardo.options_of(name)} - there
    assert not missing, (name, missing)
print(f"{len(cardo.study_names())} studies have type stubs")
PYTHON
rm "$share/forcefields/only-here.xml"
"$here" -m pip uninstall --quiet --yes cardo
[ "$(find "$work/home" | sort)" = "$before" ] || {
    echo "left behind:"
    diff <(echo "$before") <(find "$work/home" | sort)
    exit 1
}
