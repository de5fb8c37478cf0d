#!/usr/bin/env bash
# Coarse-grained energies as a user has them: one attribute away from the atomistic force field; what is refused.
. "$(dirname "$0")/support.sh"

run 0 list energies
for file in double-basin.xml elastic-network.xml kim-hummer.xml; do says out "^$file"; done
run 1 energy "$source_tree/examples/mcg/mcg.xml" --set forcefield.parameters=barrier=10
says err 'parameters'
run 0 energy "$source_tree/examples/mcg/mcg.xml" --set forcefield.files=kim-hummer.xml
says out 'kim-hummer|coarse-grained'
run 1 energy "$source_tree/examples/mcg/mcg.xml" --set forcefield.files=kim-hummer.xml,ff14SB.xml
says err 'alone'
run 1 energy "$source_tree/examples/mcg/mcg.xml" --set forcefield.files=double-basin.xml --set forcefield.parameters=barier=10
says err "did you mean 'barrier'"
finish
