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
    model) echo "base structure multibody topology model" ;;
    forces) echo "base structure topology forces multibody/force.h" ;;
    forces/coarse) echo "base structure topology model forces multibody/force.h" ;;
    dynamics) echo "base multibody dynamics" ;;
    sampling) echo "base multibody dynamics analysis sampling" ;;
    analysis | io) echo "base structure multibody topology model dynamics $1" ;;
    experiment) echo "base structure analysis sampling experiment" ;;
    study) echo "base structure multibody topology model forces dynamics analysis sampling experiment study" ;;
    cli) echo "base structure multibody topology model forces dynamics analysis sampling study io cli" ;;
    esac
}

# Whose declarations a public header has: an internal header includes its own, and none of a module above.
module_of() { # header; sets module_found: a process for each of thousands of lines takes half a minute
    case $1 in
    cardo/export.h | cardo/status.h | cardo/units.h | cardo/geometry.h | cardo/field.h | cardo/result.h | cardo/result_fill.h | cardo/memory.h | \
        cardo/writer.h | cardo/text.h | cardo/communicator.h | cardo/mpi.h) module_found=base ;;
    cardo/provider.h) module_found=multibody/force.h ;;
    cardo/functions.h | cardo/mobilizers.h | cardo/constraints.h | cardo/manifold.h | cardo/planar.h | cardo/sdfast.h | cardo/stabilization.h | cardo/system.h | cardo/state.h | cardo/operators.h | cardo/motion.h | cardo/elements.h | cardo/contact.h | cardo/impact.h | \
        cardo/fit.h) module_found=multibody ;;
    cardo/evaluator.h | cardo/events.h | cardo/simulation.h) module_found=dynamics ;;
    cardo/forces.h) module_found=forces ;;
    cardo/structure.h) module_found=structure ;;
    cardo/model.h) module_found=model ;;
    cardo/listener.h | cardo/session.h | cardo/study.h) module_found=study ;;
    cardo/fetch.h | cardo/files.h | cardo/named_files.h | cardo/report.h | cardo/result_text.h) module_found=io ;;
    cardo/*) module_found=nobody ;; # of all: users include it
    *) module_found=$1 ;;
    esac
}

for module in base structure multibody topology model forces forces/coarse dynamics analysis sampling experiment study io cli; do
    allowed=" $(may_include $module) "
    while IFS=: read -r file line text; do
        case $module:$file in forces:forces/coarse/*) continue ;; esac
        header=${text#*'#include "'}
        header=${header%%\"*}
        [ $module = cli ] && [[ $header == cardo/* ]] && continue
        module_of "$header"
        header=$module_found
        case "$allowed" in
        *" ${header%%/*} "* | *" $header "*) ;;
        *)
            echo "src/$file:$line: $module may not include $header"
            failed=1
            ;;
        esac
    done < <(grep -rn '#include "' "$module" --include='*.[ch]' --include='*.inc' --include='*.cpp')
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
one_door '#include [<"]OpenMMCWrapper' forces/openmm/door.h
# What that door is open to: the parts of module openmm.
one_door '#include [<"]forces/openmm/door' 'forces/openmm/bonded.c forces/openmm/engine.h forces/openmm/take_terms.c'
one_door '#include [<"]forces/openmm/engine' 'forces/openmm/engine.c forces/openmm/internal.h'
one_door '#include [<"]forces/openmm/internal' "$(echo forces/openmm/{adopt,build,context,evaluate,method,parts,provider,serialize}.c)"
one_door '#include [<"]netcdf' io/trajectory/netcdf.c
one_door '#include [<"]curl/' io/fetch/download.c
one_door '#include [<"]jansson' base/json/json.c
one_door '#include [<"]xraylib' experiment/saxs/form_factors.c
one_door '#include [<"]Random123' base/random.c
one_door '#include [<"]mpi\.h' include/cardo/mpi.h
one_door '#include [<"]cardo/mpi\.h' 'base/communicator_mpi.h cli/processes/mpi_ranks.c'
one_door '#include [<"]base/communicator_mpi' base/communicator_mpi.c
one_door '#include [<"]lbfgs' base/minimize.c
one_door '#include [<"](cvode|arkode|nvector|sun[a-z]*|sundials)/[a-z]' dynamics/integrators/sundials.c
exit $failed
