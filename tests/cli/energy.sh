#!/usr/bin/env bash
# cardo energy: terms, forces, scans; the generalized force is the slope of the energy.
. "$(dirname "$0")/support.sh"

short_elbow
write_model elbow.xml 'solvent="none" platform="Reference"' ''
run 0 energy elbow.xml --json
json out "set(d['energies_kJ_per_mol']) == {'bond', 'angle', 'torsion', 'nonbonded'}"
run 0 energy elbow.xml
says out 'potential'

h=0.00001
for q in 0.02 0.1; do
    run 0 energy elbow.xml --at constant=$q --json && cp out middle.json
    run 0 energy elbow.xml --at constant=$(python3 -c "print($q+$h)") --json && cp out upper.json
    run 0 energy elbow.xml --at constant=$(python3 -c "print($q-$h)") --json && cp out lower.json
    check python3 -c "
import json
U = [json.load(open(f))['potential_kJ_per_mol'] for f in ('lower.json', 'upper.json')]
f = json.load(open('middle.json'))['generalized_forces']['constant']
slope = -(U[1] - U[0]) / (2 * $h)
print(f, slope)
assert abs(f - slope) < 1e-5 * abs(f), (f, slope)"
done

run 0 energy elbow.xml --set forcefield.platform=CPU --scan constant=0:0.1:6 --out scan
check test -s scan/scan.csv
check test "$(wc -l <scan/scan.csv)" = 7
if command -v gnuplot >/dev/null; then
    check test -s scan/scan.png
fi
check test -s scan/plot.gp
run 1 energy elbow.xml --scan constant=0:0.1:6 --out scan
says err 'force'
run 1 energy elbow.xml --scan nobody=0:1:3 --out scan2
says err "no body 'nobody'"
run 2 energy elbow.xml --scan constant=0:1 --out scan2
# Salt: kappa as OpenMM has it of 0.15 mol/L at 300 K and a dielectric constant of 78.5.
run 0 energy elbow.xml --set forcefield.solvent=obc2 --set forcefield.ionic-strength=0.15 --json
says out '"kappa_per_nm": 0.92732206'
run 1 energy elbow.xml --set forcefield.solvent=obc2 --set forcefield.ionic-strength=0.15 --set forcefield.kappa=1
says err 'the same thing said twice'
run 1 energy elbow.xml --set forcefield.kappa=1
says err 'salt needs a generalized Born solvent'
run 1 energy elbow.xml --set forcefield.platform=Quantum
says err 'Quantum'
finish
