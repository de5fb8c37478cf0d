#!/usr/bin/env bash
# What a program that lives on shares between all its calls and threads is listed here, with why that is safe.
#   statics.sh LIBRARY...   static libraries, one a folder
set -u

# object symbol
allowed=$(
    sed 's/ *#.*//' <<'LIST' | grep .
memory allocation_count # atomic; how often, for tests
memory in_use           # a thread's own
memory most             # a thread's own
number made             # pthread_once
number plain            # the locale "C", made under it
lock guard              # mutex of the list below
lock held               # locks of POSIX belong to a process as a whole
xml started             # pthread_once
engine once             # pthread_once
guard one_at_a_time     # mutex around what OpenMM makes and reads
netcdf one_at_a_time    # mutex around libnetcdf, which has none
download started        # pthread_once
interrupt cardo_interrupted # sig_atomic_t, the program's
LIST
)

found=$(for library in "$@"; do
    objdump -C -t "$library" 2>/dev/null | awk '
        / file format / { sub(/\.(c|cpp|inc)\.o:$/, "", $1); sub(/:$/, "", $1); object = $1 }
        NF >= 4 {
            section = $(NF - ($(NF - 1) == ".hidden" ? 3 : 2))
            if (section ~ /^(\.(data|bss|tdata|tbss)(\.|$)|\*COM\*)/ && section !~ /^\.data\.rel\.ro/ && $NF !~ /^(\.|DW\.ref)/) {
                name = $NF
                sub(/\.[0-9]+$/, "", name)
                print object, name
            }
        }'
done | sort -u)
[ -n "$found" ] || {
    echo "no statics in $*: objdump is missing, or the libraries are not what they were"
    exit 1
}
failed=0
new=$(comm -23 <(echo "$found") <(sort -u <<<"$allowed"))
if [ -n "$new" ]; then
    echo "statics that can be written, and are not listed in tests/lint/statics.sh with why threads may share them:"
    echo "$new"
    failed=1
fi
gone=$(comm -13 <(echo "$found") <(sort -u <<<"$allowed"))
if [ -n "$gone" ]; then
    echo "listed in tests/lint/statics.sh, and not there any more:"
    echo "$gone"
    failed=1
fi
exit $failed
