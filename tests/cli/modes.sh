#!/usr/bin/env bash
# cardo modes: what it prints and writes, on the committed elbow and on LAO.
. "$(dirname "$0")/support.sh"

write_model elbow.xml 'solvent="none" platform="Reference"' 'steps="2"'

run 0 modes elbow.xml --out elbow.modes --json
json out "d['degrees_of_freedom'] == 7 and d['rigid_motions'] == 6 and len(d['modes']) == 1"
json out "d['modes'][0]['mode'] == 7 and d['modes'][0]['wavenumber_per_cm'] > 0"
for file in modes.csv speeds.csv residues.csv modes.nmd mode_7.pdb run.json; do
    check test -s elbow.modes/$file
done
check test "$(grep -c '^MODEL' elbow.modes/mode_7.pdb)" = 20
# A swing begins and ends at the structure, and leaves it between.
check test "$(awk '/^MODEL/ {m=$2} / CA / && m==1 {print; exit}' elbow.modes/mode_7.pdb)" != \
    "$(awk '/^MODEL/ {m=$2} / CA / && m==6 {print; exit}' elbow.modes/mode_7.pdb)"

# Blocks of their own can do all that the hinge can, and more: softer, and six modes.
hinge=$(python3 -c "import json; print(json.load(open('out'))['modes'][0]['eigenvalue_per_ps2'])")
run 0 modes elbow.xml --out free.modes --json --set modes.joints=free
json out "len(d['modes']) == 6 and d['modes'][0]['eigenvalue_per_ps2'] <= $hinge * (1 + 1e-9)"

# A force field's own second derivatives.
run 0 modes elbow.xml --out forces.modes --json --set modes.stiffness=forces --set modes.animate=0
json out "d['asymmetry'] < 1e-6 and d['modes'][0]['wavenumber_per_cm'] != 0"

run 1 modes elbow.xml --out elbow.modes
says err 'holds a run already; --force'
run 1 modes elbow.xml --out x.modes --set modes.cutof=1
says err "did you mean 'cutoff'"
run 1 modes elbow.xml --out x.modes --set modes.compare=third
says err 'compare="third" is none'
check test ! -e x.modes

need_shared
cat >lao.xml <<EOF
<cardo version="1"><model name="LAO">
<structure id="open" file="$shared/pdb/2lao.pdb"/><structure id="closed" file="$shared/pdb/1lst.pdb"/>
<domain name="stationary" residues="1-89,194-238"/><domain name="mobile" residues="92-191"/>
<hinge residues="90-91,192-193"/><body name="stationary" domains="stationary"/>
<body name="mobile" domains="mobile" parent="stationary"><path/></body></model></cardo>
EOF
run 0 modes lao.xml
says out 'elastic network of C-alpha atoms: springs up to 15 A'
says out '4.[67][0-9] A that 238 C-alpha'
run 0 modes lao.xml --force --json
# The best mode of ProDy's anisotropic network overlaps by 0.762.
json out "d['modes'][0]['overlap'] > 0.9 and 0.3 < d['b_factor_correlation'] < 1"
finish
