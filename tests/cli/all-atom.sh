#!/usr/bin/env bash
# cardo info --all-atom: fourteen residues of the committed light chain, bent between its two conformations.
. "$(dirname "$0")/support.sh"

for k in 1 2; do
    awk '/^ATOM/ && substr($0, 23, 4) + 0 >= 104 && substr($0, 23, 4) + 0 <= 117 && substr($0, 13, 4) !~ /^ *[0-9]*H/' \
        "$source_tree/pdb/2mcg_$k.pdb" >cut$k.pdb
done
run 0 prepare cut1.pdb -o short.pdb
cat >short.xml <<'XML'
<cardo version="1">
  <model name="short">
    <structure id="first" file="short.pdb"/>
    <structure id="second" file="cut2.pdb"/>
    <domain name="head" residues="1:104-108"/>
    <domain name="tail" residues="1:112-117"/>
    <hinge residues="1:109-111"/>
    <body name="head" domains="head" base="welded"/>
    <body name="tail" domains="tail" parent="head"><path/></body>
    <forcefield files="ff14SB.xml" solvent="obc2" provider="openmm" platform="Reference"/>
  </model>
</cardo>
XML

run 0 info short.xml --all-atom --places 2 --iterations 80 --json
cp out swept
# The model's energies are those of its own forces, and of the project's other provider.
for q in 0 1; do
    for provider in openmm rigid; do
        run 0 energy short.xml --at tail=$q --json --set forcefield.provider=$provider --set forcefield.precision=double \
            --set forcefield.platform=$([ $provider = openmm ] && echo Reference || echo auto)
        json out "abs(d['potential_kJ_per_mol'] - json.load(open('swept'))['all_atoms']['places'][$q]['model_kJ_per_mol']) < 1e-6 * abs(d['potential_kJ_per_mol'])"
    done
done
# The same by the project's own forces, every atom a body: one energy, and minima as low, found by steps that differ in their last bits.
run 0 info short.xml --all-atom --places 2 --iterations 80 --json --set forcefield.provider=rigid --set forcefield.precision=double --set forcefield.platform=auto
json out "d['all_atoms']['engine'].endswith('every atom a body')"
for q in 0 1; do
    here="d['all_atoms']['places'][$q]" there="json.load(open('swept'))['all_atoms']['places'][$q]"
    json out "abs($here['model_kJ_per_mol'] - $there['model_kJ_per_mol']) < 1e-6 * abs($there['model_kJ_per_mol'])"
    json out "abs($here['reference_down_kJ_per_mol'] - $there['reference_down_kJ_per_mol']) < 20"
done
# The rigid model tears its strand, which all atoms close.
json swept "d['all_atoms']['verdict'] == 'strained' or d['all_atoms']['hysteresis_kJ_per_mol'] > 60"
json swept "all(p['reference_' + w + '_kJ_per_mol'] < p['model_kJ_per_mol'] - 100 for p in d['all_atoms']['places'] for w in ('up', 'down'))"
json swept "d['all_atoms']['domains_held'] == 2 and d['all_atoms']['model_freedoms'] == 0"
# Going back from the last place starts where going there has ended.
json swept "d['all_atoms']['places'][1]['reference_down_kJ_per_mol'] <= d['all_atoms']['places'][1]['reference_up_kJ_per_mol'] + 1e-6"
check python3 - <<'PY'
import json, sys
a = json.load(open("swept"))["all_atoms"]
excess = [p["model_kJ_per_mol"] - min(p["reference_up_kJ_per_mol"], p["reference_down_kJ_per_mol"]) for p in a["places"]]
ok = abs(max(excess) - min(excess) - a["strain_kJ_per_mol"]) < 1e-6 * a["strain_kJ_per_mol"]
apart = max(abs(p["reference_up_kJ_per_mol"] - p["reference_down_kJ_per_mol"]) for p in a["places"])
ok &= abs(apart - a["hysteresis_kJ_per_mol"]) < 1e-6 * (1 + apart)
terms = [sum(v for k, v in p.items() if k.startswith("strain_") and k != "strain_kJ_per_mol") for p in a["places"]]
ok &= abs(terms[1] - terms[0] - (excess[1] - excess[0])) < 1e-6 * abs(terms[1])
sys.exit(not ok)
PY
# Too few iterations: it still falls, there and back differ, and both are said.
run 0 info short.xml --all-atom --places 2 --iterations 4
says out 'cannot tell: the way there and the way back'
says out 'falling by up to'

# Without a path, or without forces, there is nothing to sweep.
sed -e "s,<path/>,<pin/>," short.xml >still.xml
run 1 info still.xml --all-atom
says err 'no body has a path'
sed -e '/<forcefield/d' short.xml >bare.xml
run 1 info bare.xml --all-atom
says err 'force field'
finish
