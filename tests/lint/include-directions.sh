#!/usr/bin/env bash
# Includes point downwards only (DESIGN.md, section 1), and each third party has one door.
set -u
cd "$1/src" || exit 1
failed=0

may_include() { # module: what it may include
    case $1 in
    base) echo "base" ;;
    structure | multibody) echo "base $1" ;;
    topology) echo "base structure multibody topology" ;;
    forcefield) echo "base structure topology forcefield multibody/force.h" ;;
    coarse) echo "base structure topology coarse multibody/force.h" ;;
    rigid) echo "base forcefield rigid multibody/force.h" ;;
    dynamics) echo "base multibody dynamics" ;;
    sampling) echo "base multibody dynamics analysis sampling" ;;
    analysis | io) echo "base structure multibody topology dynamics $1" ;;
    cli) echo "base structure multibody topology forcefield rigid coarse dynamics analysis sampling io cli" ;;
    esac
}

for module in base structure multibody topology forcefield rigid coarse dynamics analysis sampling io cli; do
    allowed=" $(may_include $module) "
    while IFS=: read -r file line text; do
        header=${text#*'#include "'}
        header=${header%%\"*}
        case "$allowed" in
        *" ${header%%/*} "* | *" $header "*) ;;
        *)
            echo "src/$file:$line: $module may not include $header"
            failed=1
            ;;
        esac
    done < <(grep -rn '#include "' "$module" --include='*.[ch]' --include='*.cpp')
done

one_door() { # pattern, files that may have it
    found=$(grep -rlE "$1" . --include='*.[ch]' --include='*.cpp' | sed 's|^\./||' | sort | tr '\n' ' ')
    if [ "$found" != "$2 " ]; then
        echo "$1 belongs in $2 alone, and is in: $found"
        failed=1
    fi
}
one_door '#include [<"]libxml/' base/xml.c
one_door '#include [<"]lapacke' base/linalg.c
one_door '#include [<"]OpenMMCWrapper' forcefield/openmm_door.h
# What that door is open to: the parts of module openmm.
one_door '#include [<"]forcefield/openmm_door' 'forcefield/openmm_bonded.c forcefield/openmm_engine.h forcefield/openmm_terms.c'
one_door '#include [<"]forcefield/openmm_engine' 'forcefield/openmm_engine.c forcefield/openmm_provider.h'
one_door '#include [<"]forcefield/openmm_provider' "$(echo forcefield/openmm{,_adopt,_build,_context,_method,_parts}.c)"
one_door '#include [<"]netcdf' io/trajectory_netcdf.c
one_door '#include [<"]curl/' io/download.c
one_door '#include [<"]jansson' io/json.c
one_door '#include [<"]Random123' base/random.c
one_door '#include [<"]mpi\.h' base/communicator_mpi.h
one_door '#include [<"]base/communicator_mpi' 'base/communicator_mpi.c cli/mpi_ranks.c'
one_door '#include [<"]lbfgs' base/minimize.c
one_door '#include [<"](cvode|arkode|nvector|sun[a-z]*|sundials)/[a-z]' dynamics/sundials.c
exit $failed
