#!/usr/bin/env bash
# Help, versions, lists; wrong command lines exit with 2 and say what to do.
. "$(dirname "$0")/support.sh"

run 0
says out 'cardo simulate'
run 0 --version
says out '^cardo [0-9]+\.[0-9]+\.[0-9]+'
says out 'OpenMM [0-9]'
says out 'Seth'
for verb in fetch prepare check info energy simulate list help; do
    run 0 help $verb
    says out "^cardo $verb"
    run 0 $verb --help
    says out "^cardo $verb"
done
run 0 help simulate
says out 'timestep='
run 0 version
says out '^cardo [0-9]+\.[0-9]+\.[0-9]+'
run 0 help sample
says out 'sample.method=scan'
says out 'forcefield.table='
for topic in model forcefield flexible units; do
    run 0 help $topic
    says out "^$topic: "
done
says out '2fs'
run 0 help --man
says out '^\.TH cardo 1'
says out 'cardo.-simulate'
run 0 help --man simulate
says out 'timestep'
run 0 list mobilizers
says out '^path'
run 0 list integrators
says out '^langevin'
run 0 list formats
says out '^netcdf'
run 0 list platforms
says out 'Reference'

run 2 simulat
says err "did you mean 'simulate'"
run 2 simulate --oot x model.xml
says err 'did you mean --out'
run 2 simulate
says err 'needs one model file'
run 2 simulate a.xml b.xml
run 2 simulate model.xml --out
says err 'needs a value'
run 2 energy model.xml --json=yes
says err 'takes no value'
run 2 list nonsense
says err 'mobilizers'
run 2 help nonsense
run 2 info a.pdb b.pdb --stationary 1-10
says err 'pair of structures'
write_model good.xml 'solvent="none" platform="Reference"' 'steps="2"'
run 2 simulate good.xml --timestep 2
says err '2 fs or 2 ps.*--timestep 2fs'
run 2 simulate good.xml -j 2
says err 'one process.*--threads'
run 1 simulate good.xml --steps many
says err '^cardo simulate: --steps="many" is not a whole number'
run 1 simulate good.xml --set simulate.steps=many
says err '^cardo simulate: --set simulate.steps="many"'
run 1 simulate good.xml --set simulate.stops=1
says err "^cardo simulate: --set simulate.stops: .*did you mean 'steps'"
run 1 energy good.xml --set forcefield.cutoff=wide
says err '^cardo energy: --set forcefield.cutoff="wide"'
check test ! -e good.run
run 0 simulate good.xml --timestep 2fs --temperature 310K --steps 1 --seed 4 --quiet
check grep -q '"timestep": "0.002"' good.run/run.json
check grep -q '"temperature": "310"' good.run/run.json
check grep -q '"seed": "4"' good.run/run.json
run 0 modes good.xml --set modes.spring=1kcal/mol/A^2 --quiet
check grep -q '"spring": "418[.]4' good.modes/run.json
run 1 simulate no-such.xml
says err 'no-such.xml'
finish
