#!/usr/bin/env bash
# Bad input: exit status 1, a message with place and remedy, nothing written.
. "$(dirname "$0")/support.sh"

write_model good.xml 'solvent="none" platform="Reference"' 'steps="2"'

# bad NAME PATTERN SED-EXPRESSION...: the good model changed so must fail with such a message
bad() {
    local name=$1 pattern=$2
    shift 2
    sed "$@" good.xml >"$name.xml"
    run 1 simulate "$name.xml" --out "$name.run"
    says err "$pattern"
    check test ! -e "$name.run"
}

bad not-xml 'not-xml.xml:[0-9]+:' -e 's|</model>||'
bad unknown-element 'unknown-element.xml:[0-9]+:' -e 's|<path/>|<elastic/>|'
bad unknown-attribute 'unknown-attribute.xml:[0-9]+:' -e 's|<domain name="variable"|<domain nmae="variable"|'
bad overlap 'overlap.xml:[0-9]+:.*(110|two|both|overlap)' -e 's|1:114-216|1:100-216|'
bad empty-domain 'empty-domain.xml:[0-9]+:' -e 's|1:114-216|1:300-310|'
bad no-hinge-residue 'no-hinge-residue.xml:[0-9]+:' -e 's|1:109-113|1:109-113,1:400|'
bad unclaimed 'unclaimed.xml' -e 's|1:109-113|1:110-113|'
bad no-file 'no-such.pdb' -e 's|2mcg_2.pdb|no-such.pdb|'
bad unknown-option "did you mean 'timestep'" -e 's|steps="2"|timestop="2"|'
bad wrong-value 'timestep' -e 's|steps="2"|timestep="fast"|'
bad no-integrator 'integrator' -e 's|steps="2"|integrator="magic"|'
bad no-forcefield 'nothing.xml' -e 's|ff14SB.xml|nothing.xml|'
printf '<ForceField>\n<AtomTypes>\n</ForceField>\n' >wrong.ff.xml
bad wrong-forcefield 'wrong.ff.xml:[0-9]+:' -e "s|ff14SB.xml|$work/wrong.ff.xml|"
bad wrong-platform 'Quantum' -e 's|platform="Reference"|platform="Quantum"|'
bad table-range 'table-range.xml:[0-9]+:.*FROM:TO' -e 's|solvent="none"|solvent="none" table="0.2:0.1"|'
bad table-ranges 'has 2 ranges' -e 's|solvent="none"|solvent="none" table="0:1,0:1"|'

# Structures that lack atoms, hold unknown residues, other sequences, or no numbers.
grep -vE ' (CG|CD) +GLN 1   6 ' "$source_tree/pdb/2mcg_1.pdb" >lacking.pdb
bad missing-atoms 'GLN.*6.*(CG|CD)|GLN6' -e "s|$source_tree/pdb/2mcg_1.pdb|$work/lacking.pdb|"
sed 's/ALA 1   3/UNK 1   3/' "$source_tree/pdb/2mcg_1.pdb" | grep -v 'HB. UNK' >unknown.pdb
bad unknown-residue '1:UNK3' -e "s|$source_tree/pdb/2mcg_1.pdb|$work/unknown.pdb|"
awk 'substr($0,1,4)=="ATOM" && substr($0,13,4)==" CA " {n++; split("GLY TRP LYS PHE ASP PRO", a, " "); print substr($0,1,17) a[n%6+1] substr($0,21)}' \
    "$source_tree/pdb/2mcg_2.pdb" >other.pdb
bad other-sequence 'other.pdb|sequence' -e "s|$source_tree/pdb/2mcg_2.pdb|$work/other.pdb|"
sed '10s/^\(.\{30\}\).\{8\}/\1     nan/' "$source_tree/pdb/2mcg_1.pdb" >nan.pdb
bad nan-coordinates 'nan.pdb:10' -e "s|$source_tree/pdb/2mcg_1.pdb|$work/nan.pdb|"
: >empty.pdb
bad empty-file 'empty.pdb' -e "s|$source_tree/pdb/2mcg_1.pdb|$work/empty.pdb|"

# A disk that fills up while the run writes.
if [ -w /dev/full ]; then
    mkdir full.run
    ln -s /dev/full full.run/trajectory.csv
    run 1 simulate good.xml --out full.run --force
    says err 'full.run'
fi
finish
