#!/usr/bin/env bash
# phi and psi of a chain of five alanines, held by stiff springs and rigid (README.md here): an hour of one core, less by MOVES and PS.
#   tests/reference/torsions/survey.sh CARDO FOLDER [python3 with OpenMM and SciPy]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cardo=$(realpath "$1") python=${3:-/usr/bin/python3} moves=${MOVES:-40000} ps=${PS:-8000}
mkdir -p "$2"
cd "$2"
export CARDO_PDB_DIR=$PWD

"$python" "$here/chain.py" pdb "$here/../../../pdb/alanine.pdb" 5 >chain.pdb
cc -O3 -march=native -ffast-math -o springs "$here/springs.c" -lm
for scale in 0 32 128; do
    "$python" "$here/chain.py" terms chain.pdb $scale terms$scale
    "$python" "$here/chain.py" check ./springs terms$scale chain.pdb $scale
done
./springs terms0 700 0.002 1 "$ps" 0.1 1 >atoms
./springs terms32 700 0.0007 3 "$ps" 0.1 2 >weak
./springs terms128 700 0.00035 6 "$ps" 0.1 3 >strong

# All in the corrected ensemble (equalized masses, welded base: neither makes a difference to it); none is in the rigid one, of a free molecule.
run() {
    "$cardo" simulate "$here/chain.xml" -o "$1" --quiet --force --set "simulate.steps=$moves" "${@:2}"
}
run corrected --set simulate.masses=equalized --set simulate.timestep=20fs
run rigid --set simulate.ensemble=rigid --set model.base=free --set simulate.timestep=16fs
run weighted --set model.base=free --set simulate.timestep=16fs
"$python" "$here/chain.py" judge chain.pdb corrected/trajectory.csv rigid/trajectory.csv weak strong atoms
"$python" "$here/chain.py" reweigh chain.pdb weighted/trajectory.csv
