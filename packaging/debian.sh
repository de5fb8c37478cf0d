#!/usr/bin/env bash
# Makes the Debian packages from a source archive, without a network, and has lintian read them.
#   packaging/debian.sh FOLDER [REVISION]
# FOLDER gets the source package (cardo_*.dsc with its tarballs) and the packages; REVISION is what git archives (HEAD; in an unpacked
# archive the tree itself is taken). The OpenMM C wrapper is made from the distribution's own source package, or taken from
# $CARDO_OPENMM_WRAPPER_DIR, and becomes an orig tarball of its own. DEB_BUILD_OPTIONS, if unset, is parallel=1.
set -euo pipefail
[ $# = 1 ] || [ $# = 2 ] || { sed -n '2,6p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
mkdir -p "$1"
out=$(cd "$1" && pwd)
version=$(sed -n 's/^project(cardo VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
source=$out/cardo-$version
rm -rf "$source" "$out"/*cardo*.deb "$out"/cardo_*

echo "== the source archive"
archive=$out/cardo_$version.orig.tar.gz
if git -C "$root" rev-parse HEAD >/dev/null 2>&1; then
    git -C "$root" archive --prefix="cardo-$version/" -o "$archive" "${2:-HEAD}"
else
    tar -C "$root" --exclude=./build --exclude=./runs --exclude=./debian --transform="s,^\.,cardo-$version," -czf "$archive" .
fi

echo "== the OpenMM C wrapper"
wrapper=${CARDO_OPENMM_WRAPPER_DIR:-$out/openmm-c-wrapper}
[ -s "$wrapper/OpenMMCWrapper.cpp" ] || "$root/cmake/make-openmm-c-wrapper.sh" "$wrapper"
tar -C "$wrapper" --sort=name --owner=0 --group=0 --transform="s,^,openmm-c-wrapper/," \
    -czf "$out/cardo_$version.orig-openmm-c-wrapper.tar.gz" OpenMMCWrapper.cpp OpenMMCWrapper.h

echo "== building"
tar -C "$out" -xzf "$archive"
tar -C "$source" -xzf "$out/cardo_$version.orig-openmm-c-wrapper.tar.gz"
cp -r "$source/packaging/debian" "$source/debian"
# Without a network but for the machine itself, which MPI's compiler wants.
offline=(unshare --net sh -c 'ip link set lo up && exec "$@"' sh)
if ! "${offline[@]}" true 2>/dev/null; then
    offline=(unshare --map-root-user --net sh -c 'ip link set lo up && exec "$@"' sh)
    if ! "${offline[@]}" true 2>/dev/null; then
        echo "no network namespace can be made here (unshare, iproute2): that the build needs no network is not shown"
        offline=()
    fi
fi
start=$(date +%s)
(cd "$source" && DEB_BUILD_OPTIONS=${DEB_BUILD_OPTIONS:-parallel=1} \
    nice -n 19 "${offline[@]}" dpkg-buildpackage --no-sign >"$out/build.log" 2>&1) || {
    tail -n 40 "$out/build.log" >&2
    echo "the build failed; $out/build.log has all of it" >&2
    exit 1
}
echo "built in $(($(date +%s) - start)) s"
(cd "$out" && ls -s --block-size=1K ./*.deb ./*.dsc ./*.tar.*)

echo "== lintian"
if command -v lintian >/dev/null; then
    lintian --allow-root --no-cfg --fail-on error,warning "$out"/cardo_"$version"*.changes
    echo "no errors, no warnings"
else
    echo "SKIPPED: there is no lintian"
fi
