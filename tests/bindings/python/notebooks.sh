#!/usr/bin/env bash
# Runs the notebooks of examples/notebooks from beginning to end; a cell that raises, or one that is to show a picture and does not, fails.
#   notebooks.sh PYTHON PACKAGE_FOLDER SOURCES
set -euo pipefail
python=$1 package=$2 source=$3
if [ -z "$package" ]; then
    echo "SKIPPED: the Python package was not built (python3-cffi, python3-numpy and python3-dev are needed)"
    exit 77
fi
if ! "$python" -c "import nbconvert, ipykernel, matplotlib, pandas" 2>/dev/null; then
    echo "SKIPPED: notebooks are not run, nbconvert, ipykernel, matplotlib or pandas is not there (python3-nbconvert, python3-ipykernel, python3-matplotlib, python3-pandas)"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONPATH=$package PYTHONDONTWRITEBYTECODE=1 PYDEVD_DISABLE_FILE_VALIDATION=1 CARDO_EXAMPLE_PDB=$source/pdb TMPDIR=$work
export JUPYTER_DATA_DIR=$work/jupyter JUPYTER_RUNTIME_DIR=$work/jupyter IPYTHONDIR=$work/ipython MPLCONFIGDIR=$work/matplotlib
notebooks=("$source"/examples/notebooks/*.ipynb)
if [ -n "${CI:-}" ]; then
    # Each takes a kernel of its own, some three seconds.
    notebooks=("$source"/examples/notebooks/linkage.ipynb)
    echo "with CI set ${notebooks[*]##*/} alone is run; without, all of them"
fi
"$python" -m nbconvert --log-level ERROR --to markdown --execute --output-dir "$work/made" "${notebooks[@]}" 2>"$work/log" || {
    cat "$work/log"
    exit 1
}
for notebook in "${notebooks[@]}"; do
    name=$(basename "$notebook" .ipynb)
    wanted=$(grep -c 'plt.subplots' "$work/made/$name.md")
    pictures=$(find "$work/made/${name}_files" -name '*.png' -size +4k | wc -l)
    [ "$wanted" = "$pictures" ] || {
        echo "$name: $pictures pictures, not $wanted"
        exit 1
    }
    echo "$name: $pictures pictures"
done
