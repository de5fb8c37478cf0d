#!/usr/bin/env bash
# The version stands in CHANGELOG.md and CITATION.cff as in CMakeLists.txt, and in the library's name as far as it says that nothing changes.
#   versions.sh SOURCES VERSION LIBRARY
set -u
cd "$1" || exit 1
version=$2 library=$3 failed=0
wrong() {
    echo "$1"
    failed=1
}
grep -q "^## \[$version\]" CHANGELOG.md || wrong "CHANGELOG.md has no section [$version]"
grep -qx "version: $version" CITATION.cff || wrong "CITATION.cff is of another version than $version"
date=$(sed -n 's/^date-released: //p' CITATION.cff)
grep -qx "## \[$version\] - $date" CHANGELOG.md || wrong "CHANGELOG.md and CITATION.cff have other dates for $version"
case $library in
*.so*)
    major=${version%%.*} rest=${version#*.}
    wanted=libcardo.so.$major
    [ "$major" = 0 ] && wanted=libcardo.so.0.${rest%%.*}
    found=$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
    [ "$found" = "$wanted" ] || wrong "the library calls itself $found, not $wanted"
    ;;
esac
[ $failed = 0 ] && echo "version $version everywhere"
exit $failed
