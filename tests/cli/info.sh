#!/usr/bin/env bash
# cardo info: the committed example.
. "$(dirname "$0")/support.sh"

run 0 info "$source_tree/examples/mcg/mcg.xml" --platform CPU
says out 'rotation +135\.[0-9]+ degrees'
says out '7 degrees of freedom'
says out 'potential .* kJ/mol'
run 0 info "$source_tree/examples/mcg/mcg.xml" --platform CPU --json
json out "abs(d['bodies'][1]['path']['angle_deg'] - 135.5) < 0.5"
json out "abs(sum(d['energies_kJ_per_mol'].values()) - d['potential_kJ_per_mol']) < 1e-6 * abs(d['potential_kJ_per_mol'])"

# Torsions are counted, and what comes near what is told for both structures' side chains and the best.
sed -e '/<forcefield/i <flexible residues="109-113" torsions="phi psi chi"/>' -e "s|\.\./\.\./pdb|$source_tree/pdb|" \
    -e 's/obc2/none/' "$source_tree/examples/mcg/mcg.xml" >flexible.xml
run 0 info flexible.xml --clashes
says out 'torsions +[0-9]+ of the backbone, [0-9]+ of side chains'
says out 'closes a loop'
says out 'as built +[0-9.]+'
says out 'best +[0-9.]+'
run 0 info flexible.xml --clashes --json
json out "d['backbone_torsions'] >= 8 and len(d['clashes']) == 4"
json out "len(d['clashes'][0]['least_distance_A']) == 11"

strained_model() { # structure, model file
    cat >"$2" <<XML
<cardo version="1">
  <model name="elbow">
    <structure id="first" file="$1"/>
    <structure id="second" file="$source_tree/pdb/2mcg_2.pdb"/>
    <domain name="variable" residues="1:2-108"/>
    <domain name="constant" residues="1:114-216"/>
    <hinge residues="1:109-113"/>
    <body name="variable" domains="variable"/>
    <body name="constant" domains="constant" parent="variable"><path/></body>
    <forcefield files="ff14SB.xml" solvent="none"/>
  </model>
</cardo>
XML
}
# Strain: the committed structure has none between its bodies, and where its path leads is told; hydrogens as far as
# another program may put them are named, by all that have forces, and prepared anew the model is as before.
strained_model "$source_tree/pdb/2mcg_1.pdb" plain.xml
run 0 info plain.xml --json
json out "d['strain']['verdict'] in ('none', 'rough inside bodies') and d['strain']['between_bodies'] == []"
json out "len(d['strain_along_paths']) == 21 and d['strain_along_paths'][-1]['impossible']"
python3 - "$source_tree/pdb/2mcg_1.pdb" >far.pdb <<'PY'
import math, sys
lines = open(sys.argv[1]).readlines()
atoms = [i for i, l in enumerate(lines) if l.startswith("ATOM")]
x = {i: [float(lines[i][k:k + 8]) for k in (30, 38, 46)] for i in atoms}
hydrogen = lambda i: lines[i][12:16].strip().lstrip("123")[0] == "H"
residue = {}
for i in atoms:
    residue.setdefault(lines[i][21:27], []).append(i)
for members in residue.values():
    for i in members:
        if hydrogen(i):
            d, near = min((math.dist(x[i], x[j]), j) for j in members if not hydrogen(j))
            place = [b + (a - b) * 1.2 / d for a, b in zip(x[i], x[near])]
            lines[i] = lines[i][:30] + "%8.3f%8.3f%8.3f" % tuple(place) + lines[i][54:]
sys.stdout.writelines(lines)
PY
strained_model far.pdb far.xml
run 0 info far.xml
says out '^  bonds hold [0-9]+ kJ/mol, [4-9]\.[0-9] kT each where heat gives 0\.5; [0-9]+ % of it in those with a hydrogen'
says out 'cardo prepare .*far.pdb --drop hydrogens'
for verb in "energy far.xml" "minimize far.xml --quiet --set minimize.iterations=2" "simulate far.xml --quiet --set simulate.steps=1"; do
    # shellcheck disable=SC2086
    run 0 $verb
    says err '^warning: .* is strained inside its rigid bodies'
    says err 'cardo prepare .*far.pdb --drop hydrogens'
done
run 0 prepare far.pdb -o again.pdb --drop hydrogens --quiet
strained_model again.pdb again.xml
run 0 info again.xml --json
json out "d['strain']['verdict'] in ('none', 'rough inside bodies') and d['strain']['mean_energy_kT']['bond'] < 0.5"

finish
