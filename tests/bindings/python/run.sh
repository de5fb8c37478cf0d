#!/usr/bin/env bash
# Runs a file of tests with the package that was built; skipped where it was not.
#   run.sh PYTHON PACKAGE_FOLDER TESTS.py
set -u
if [ -z "$2" ]; then
    echo "SKIPPED: the Python package was not built (python3-cffi, python3-numpy and python3-dev are needed)"
    exit 77
fi
if ! "$1" -c "import pytest" 2>/dev/null; then
    echo "SKIPPED: there is no pytest (python3-pytest)"
    exit 77
fi
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$2 exec "$1" -m pytest -q -p no:cacheprovider "$3"
