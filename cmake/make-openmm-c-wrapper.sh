#!/usr/bin/env bash
# Makes OpenMMCWrapper.h and .cpp in the folder named as argument, the way upstream's build does: the
# distribution's own OpenMM source package, doxygen over its headers, upstream's generateWrappers.py.
set -euo pipefail
out=$1
python=${PYTHON:-python3}
mkdir -p "$out"
work=$(mktemp -d "$out/work.XXXXXX")
trap 'rm -rf "$work"' EXIT

version=$(dpkg-query -W -f '${source:Version}' libopenmm-dev)
echo "fetching the source of openmm $version"
if ! (cd "$work" && apt-get source --download-only "openmm=$version" >apt.log 2>&1); then
    cat "$work/apt.log" >&2
    echo "apt-get source openmm failed: a deb-src entry is needed; cmake/install-dependencies.sh adds one" >&2
    exit 1
fi
(cd "$work" && dpkg-source -x --no-check ./*.dsc source >dpkg-source.log 2>&1) || {
    cat "$work/dpkg-source.log" >&2
    exit 1
}
echo "reading its headers with doxygen"
mkdir "$work/doxygen"
sed "s|@CMAKE_SOURCE_DIR@|$work/source|g; s|@[A-Z_]*@||g" "$work/source/wrappers/Doxyfile.in" >"$work/doxygen/Doxyfile"
(cd "$work/doxygen" && doxygen Doxyfile >doxygen.log 2>&1) || {
    tail -n 20 "$work/doxygen/doxygen.log" >&2
    exit 1
}
echo "generating the wrapper"
mkdir "$work/made"
"$python" "$work/source/wrappers/generateWrappers.py" "$work/doxygen/xml" "$work/made"
mv "$work/made/OpenMMCWrapper.h" "$work/made/OpenMMCWrapper.cpp" "$out/"
