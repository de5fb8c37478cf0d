#!/usr/bin/env bash
# <ligand>: a molecule that is a body of its own, welded or free and held by a flat bottom; binding at the standard concentration.
# ligands.sh CARDO SOURCES long: 400,000 moves, to 0.02 kT
. "$(dirname "$0")/support.sh"
moves=20000 most=0
[ "${3:-}" = long ] && moves=400000 most=0.02

cat > well.pdb <<'PDB'
ATOM      1  C1  UNK A   1       0.000   0.000   0.000  1.00  0.00           C
ATOM      2  C2  UNK A   1       4.000   0.000   0.000  1.00  0.00           C
ATOM      3  C3  UNK A   1       0.000   4.000   0.000  1.00  0.00           C
HETATM    4  C   MTH A   2       0.500  -0.400   0.300  1.00  0.00           C
HETATM    5  H1  MTH A   2       1.129   0.229   0.929  1.00  0.00           H
HETATM    6  H2  MTH A   2       1.129  -1.029  -0.329  1.00  0.00           H
HETATM    7  H3  MTH A   2      -0.129   0.229  -0.329  1.00  0.00           H
HETATM    8  H4  MTH A   2      -0.129  -1.029   0.929  1.00  0.00           H
HETATM    9 NA    NA A   3       9.000   0.000   1.000  1.00  0.00          NA
HETATM   10  C   CMO A   4       0.000   9.000   1.000  1.00  0.00           C
HETATM   11  O   CMO A   4       0.000   9.700   1.900  1.00  0.00           O
PDB
# the well pulls at methane's carbon, its centre of mass
cat > well.xml <<'XML'
<?xml version="1.0" ?>
<System openmmVersion="7.7" type="System" version="1">
	<PeriodicBoxVectors><A x="2" y="0" z="0"/><B x="0" y="2" z="0"/><C x="0" y="0" z="2"/></PeriodicBoxVectors>
	<Particles>
		<Particle mass="12"/><Particle mass="12"/><Particle mass="12"/><Particle mass="12.011"/>
		<Particle mass="1.008"/><Particle mass="1.008"/><Particle mass="1.008"/><Particle mass="1.008"/>
	</Particles>
	<Constraints/>
	<Forces>
		<Force energy="-depth*step(0.19-r)" forceGroup="0" name="CustomBondForce" type="CustomBondForce" usesPeriodic="0" version="3">
			<PerBondParameters><Parameter name="depth"/></PerBondParameters>
			<GlobalParameters/>
			<EnergyParameterDerivatives/>
			<Bonds><Bond p1="0" p2="3" param1="3.4920739563351346"/></Bonds>
		</Force>
	</Forces>
</System>
XML

# model FILE LINES...: a site that is welded to ground, and ligands
model() {
    local file=$1
    shift
    cat > "$file" <<XML
<cardo version="1">
  <model>
    <structure id="site" file="well.pdb"/>
    <domain name="site" residues="A:1"/>
    <body name="site" domains="site" base="welded"/>
$*
  </model>
  <simulate integrator="hmc" timestep="0.06" flights="5" flight-tolerance="1e-5" steps="$moves" temperature="300"
            report-interval="1" trajectory-interval="100000" checkpoint-interval="100000" max-energy-jump="1e6"/>
</cardo>
XML
}
forces='<forcefield system="well.xml" platform="Reference"/>'
box='restraint="box" size="0.22 0.2 0.24" center="0.01 0 -0.02" stiffness="1000"'

# What holds it is told, and the free energy of letting it go: 8 (a + w)(b + w)(c + w), w = sqrt(pi kT / 2 k).
model box.xml "<ligand name=\"methane\" residues=\"A:2\" joint=\"free\" $box/>" "$forces"
run 0 info box.xml --json
json out 'abs(d["ligands"][0]["restraint"]["volume_nm3"] - 8 * math.prod(a + math.sqrt(math.pi * 0.5 * 8.31446261815324e-3 * 300 / 1000) for a in (0.22, 0.2, 0.24))) < 1e-9'
json out 'abs(d["ligands"][0]["restraint"]["release_kJ_per_mol"] + 8.31446261815324e-3 * 300 * math.log(1.66053906717 / d["ligands"][0]["restraint"]["volume_nm3"])) < 1e-6'
json out 'd["bodies"][1]["mobilizer"] == "free" and d["ligands"][0]["on"] == "site"'
volume=$(python3 -c 'import json; print(json.load(open("out"))["ligands"][0]["restraint"]["volume_nm3"])')
run 0 simulate box.xml --quiet
check python3 "$source_tree/tests/cli/square_well.py" box.run "$volume" 3.4920739563351346 0.19 $most
# Another well is another model.
sed -i 's/0.22 0.2 0.24/0.22 0.2 0.25/' box.xml
run 1 simulate box.xml --continue --steps $((moves + 10))
says err 'restraint of methane'

# One atom has a place and no more; two on a line do not spin.
model ions.xml '<ligand name="methane" residues="A:2"/>' '<ligand name="sodium" residues="A:3" joint="free"/>' \
    '<ligand name="monoxide" residues="A:4" parent="site" joint="free" restraint="none"/>'
run 0 info ions.xml
says out 'sodium +residues A:3: free on site, which it touches most'
says out 'joined to site by translation: 3 degrees of freedom'
says out 'joined to site by free-line: 5 degrees of freedom'
says out 'joined to site by weld: 0 degrees of freedom'
says out 'held within 0.5 nm of its site'
says out 'have no standard state'
says out 'contacts below 4.5 A: 3 with site; at residues A:1'
run 0 info ions.xml --set model.ligands=none
says out 'together +1 bodies, 0 degrees'
says out 'left out: 1 MTH \(A:MTH2\); 1 NA \(A:NA3\); 1 CMO \(A:CMO4\)'

# Bonds of a molecule that neither template nor CONECT tells are as its atoms stand; what has no parameters is told with what to type.
cat > mth.xml <<'XML'
<ForceField>
  <AtomTypes>
    <Type name="c" class="c" element="C" mass="12.011"/><Type name="h" class="h" element="H" mass="1.008"/>
    <Type name="x" class="x" element="C" mass="12.011"/>
  </AtomTypes>
  <Residues>
    <Residue name="MTH">
      <Atom name="C" type="c" charge="-0.4"/>
      <Atom name="H1" type="h" charge="0.1"/><Atom name="H2" type="h" charge="0.1"/><Atom name="H3" type="h" charge="0.1"/><Atom name="H4" type="h" charge="0.1"/>
      <Bond atomName1="C" atomName2="H1"/><Bond atomName1="C" atomName2="H2"/><Bond atomName1="C" atomName2="H3"/><Bond atomName1="C" atomName2="H4"/>
    </Residue>
    <Residue name="UNK"><Atom name="C1" type="x" charge="0"/><Atom name="C2" type="x" charge="0"/><Atom name="C3" type="x" charge="0"/></Residue>
  </Residues>
  <HarmonicBondForce><Bond class1="c" class2="h" length="0.109" k="284512"/></HarmonicBondForce>
  <NonbondedForce coulomb14scale="0.833333" lj14scale="0.5">
    <UseAttributeFromResidue name="charge"/>
    <Atom class="c" sigma="0.34" epsilon="0.45"/><Atom class="h" sigma="0.26" epsilon="0.07"/><Atom class="x" sigma="0.1" epsilon="0.1"/>
  </NonbondedForce>
</ForceField>
XML
model xml.xml '<ligand name="methane" residues="A:2" joint="free"/>' '<forcefield files="mth.xml" platform="Reference"/>'
run 0 energy xml.xml
says out 'restraint +0.0000 kJ/mol'
model unknown.xml '<ligand name="methane" residues="A:2"/>' '<forcefield files="ff14SB.xml"/>'
run 1 energy unknown.xml
says err 'like no template: .*MTH'
says err 'acpype -i LIGAND.mol2'

# Mistakes, with their lines.
refused() {
    local words=$1
    shift
    model wrong.xml "$@"
    run 1 info wrong.xml
    says err "wrong.xml:6: .*$words"
}
refused "parent 'sit' is no body of this model; did you mean 'site'" '<ligand name="m" residues="A:2" parent="sit"/>'
refused 'needs no restraint; give it joint="free"' '<ligand name="m" residues="A:2" size="0.4"/>'
refused 'must be three half edges' '<ligand name="m" residues="A:2" joint="free" restraint="box" size="0.4"/>'
refused 'it has none' '<ligand name="m" residues="A:2" joint="free" restraint="none" center="0 0 0"/>'
refused 'ligand m: .*A:9' '<ligand name="m" residues="A:9"/>'
refused "joint=\"pin\" of <ligand> must be one of weld" '<ligand name="m" residues="A:2" joint="pin"/>'
refused 'overlaps' '<ligand name="m" residues="A:1"/>'
refused 'must be above 0' '<ligand name="m" residues="A:2" joint="free" stiffness="-1"/>'
refused "'site' is there already" '<ligand name="site" residues="A:2"/>'
run 2 info ions.xml --set model.ligands=some
says err 'all or none'

# Ions need no file but what is shipped: two beside a carboxylate of the elbow, with a model that runs.
for i in 1 2; do
    excerpt "$source_tree/pdb/2mcg_$i.pdb" 88 137 >near$i.pdb
done
printf 'HETATM 9001 CA    CA 1 301      16.000 -27.000  89.000  1.00  0.00          CA\n' >>near1.pdb
printf 'HETATM 9002 CL    CL 1 302      36.000 -36.000  82.675  1.00  0.00          CL\n' >>near1.pdb
run 0 domains near1.pdb near2.pdb --keep ions --rigid --out kept.xml
says kept.xml 'forcefield files="ff14SB.xml tip3p-ions.xml"'
run 0 energy kept.xml --json
json out "-1e4 < d['potential_kJ_per_mol'] < 1e5"
finish
