#include "cli/help/help_topics.h"

#include <cardo/model.h>

#include <stddef.h>

const cardo_help_topic cardo_help_topics[] = {
    {"model", "what a model file holds",
     "A model file is XML. cardo domains OPEN CLOSED -o model.xml writes one that runs, with "
     "comments\n"
     "that say what to change.\n\n"
     "  <cardo version=\"1\">\n"
     "    <model name=\"...\" base=\"free\">       base: free, or welded to hold the first body "
     "still\n"
     "      <structure id=\"open\" file=\"open.pdb\"/>     the first one has the atoms; "
     "chains=\"A\" model=\"2\"\n"
     "      <structure id=\"closed\" file=\"closed.pdb\"/> others are what hinges lead to\n"
     "      <annotation file=\"domains.xml\"/>    or <annotation> with <domain name=\"\" "
     "residues=\"A:1-89\"/>\n"
     "                                         and <hinge residues=\"\"/> inside\n"
     "      <body name=\"core\" domains=\"core\" base=\"free\"/>    base: free, or welded to hold "
     "it still\n"
     "      <body name=\"lobe\" domains=\"lobe\" parent=\"core\">  one joint, of these:\n"
     "        <path structures=\"open closed\"/>  along the observed motion: 0 in the first, 1 in "
     "the next\n"
     "        <pin/> <slider/> <ball/> <strand/> <weld/> <free/>   see cardo list mobilizers\n"
     "      </body>\n"
     "      <flexible within=\"0.6 nm\" torsions=\"chi\"/>   see cardo help flexible\n"
     "      <ligand name=\"\" residues=\"A:240\"/>              see cardo help ligands\n"
     "      <constraints> <rod .../> </constraints>         see cardo help constraints\n"
     "      <forcefield files=\"ff14SB.xml\" solvent=\"obc2\"/>   see cardo help forcefield\n"
     "    </model>\n"
     "    <simulate steps=\"1000\"/>              <minimize/> <modes/> <sample/> <drive/>: options "
     "of a\n"
     "  </cardo>                               command, cardo help simulate lists them\n\n"
     "Residues: A:92-191 as the PDB file numbers them, 52A with insertion codes, commas between.\n"
     "On the command line --set ELEMENT.NAME=VALUE stands in for what the file says:\n"
     "--set simulate.steps=1000, --set forcefield.solvent=none, --set path.start=0.5, --set "
     "model.base=welded.\n",
     NULL},
    {"forcefield", "what computes energies and forces, and how exactly",
     "<forcefield files=\"ff14SB.xml\" .../> in a model file, or --set forcefield.NAME=VALUE. "
     "files: force-field\n"
     "files as OpenMM has them, or a coarse-grained energy (cardo list energies); system: a "
     "serialized OpenMM\n"
     "System instead.\n\n"
     "Where the model has one to three coordinates beside its base, a table of the forces is the "
     "fastest way to\n"
     "long runs: --set forcefield.table=-0.1:1.1 tabulates them over this range of the coordinate "
     "once.\n",
     cardo_forcefield_option_list},
    {"flexible", "side chains and strands that give way",
     "<flexible .../> inside <model> lets torsions of some residues turn while all else stays "
     "rigid:\n\n"
     "  residues=\"A:14,A:88-93\"     these residues; or\n"
     "  within=\"0.6 nm\"            those that come so near to another body on the way (only side "
     "chains)\n"
     "  torsions=\"phi psi chi\"     which torsions: phi and psi of the backbone, chi of side "
     "chains\n"
     "  rotors=\"no\"                yes: methyl, hydroxyl and ammonium groups too\n"
     "  closure=\"bonded\"           where a strand closes a loop: its bond holds it; rigid: it "
     "stays closed\n"
     "                             (--set model.closure=bonded leaves all of them to their "
     "bonds)\n\n"
     "  <flexible within=\"0.6 nm\" torsions=\"chi\"/>\n"
     "  <flexible residues=\"88-93,190-195\" torsions=\"phi psi chi\"/>\n\n"
     "cardo info MODEL.xml --clashes shows which side chains stand in the way of a hinge.\n",
     NULL},
    {"ligands", "molecules that are bodies of their own, and what they are worth at 1 mol/L",
     "<ligand .../> inside <model> keeps a molecule of the first structure, whatever hetero says "
     "there, as a body:\n\n"
     "  name=\"lysine\"            of the body\n"
     "  residues=\"A:240\"         its residues; chain=\"\" for numbers alone\n"
     "  parent=\"core\"            the body that carries it (default: the one that it touches "
     "most)\n"
     "  joint=\"weld\"             free: it moves as it likes, six coordinates (three of an atom, "
     "five of a line)\n"
     "  restraint=\"sphere\"       of a free one: it is held within this, or box, or none\n"
     "  size=\"0.5\"              radius, or three half edges along the file's axes, nm\n"
     "  center=\"A:11@CA\"         selection or three numbers (default: its own centre of mass)\n"
     "  stiffness=\"1000\"         of the walls outside, kJ/mol/nm^2\n\n"
     "Inside the restraint nothing is felt; results tell the volume that it leaves and the free "
     "energy of letting\n"
     "the ligand out of it to 1 mol/L. Without ligands: --set model.ligands=none, with every "
     "command.\n\n"
     "Parameters are those of the force field: free amino acids are in free-amino-acids.xml, ions "
     "in tip3p-ions.xml.\n"
     "For other molecules a program makes them: antechamber or ACPYPE (GAFF), OpenFF, CGenFF;\n"
     "name the file beside the others, files=\"ff14SB.xml ligand.xml\", or "
     "system=\"complex.prmtop\".\n"
     "cardo domains OPEN CLOSED --keep ligands writes a model with them.\n",
     NULL},
    {"constraints", "loops that stay closed, distances, couplings, prescribed motions",
     "<constraints> inside <model> holds what ties bodies besides their joints; cardo list "
     "constraints shows\n"
     "every kind with its attributes:\n\n"
     "  <constraints>\n"
     "    <rod name=\"tie\" point1=\"A:20@CA\" point2=\"A:150@CA\" length=\"3 nm\"/>\n"
     "    <weld body1=\"lobe\" body2=\"A:192.psi\" point2=\"A:192@C\"/>\n"
     "    <coordinate-coupler coordinates=\"lobe\" coefficients=\"0.5 0\" equals=\"lid\" "
     "on=\"no\"/>\n"
     "  </constraints>\n\n"
     "Bodies are named, or are those of atoms; ground is \"ground\". Points are atoms (A:90@CA) or "
     "three numbers\n"
     "(nm), directions three numbers or \"POINT to POINT\", both where the first structure "
     "stands. What is left out\n"
     "is as that structure has it: a rod's length, an angle, the second of two frames.\n\n"
     "<symmetric coordinates=\"lobe lobe2 lobe3\"/> holds several equal: copies of a hinge, as in "
     "a "
     "ring, go by one.\n\n"
     "A strand through which a loop of <path/> and torsions closes is tied by "
     "<flexible closure=\"rigid\" .../>.\n\n"
     "Where the model starts is brought onto the constraints with the least change of coordinates; "
     "cardo info\n"
     "shows rows, rank, degrees of freedom, redundant rows and how far that was.\n",
     NULL},
    {"units", "units of what is typed and printed",
     "Times are in ps, lengths in nm, energies in kJ/mol, temperatures in K, angles in rad, masses "
     "in u, unless\n"
     "a value says its unit: \"2 fs\" or \"2fs\", \"1ns\", \"5 A\", \"1 kcal/mol\", \"418.4 "
     "kJ/mol/nm^2\", \"5 /ps\".\n"
     "Units that are known: fs ps ns us ms s, pm A nm, K, J kJ kcal, mol, rad deg, u, e, %, and "
     "their products,\n"
     "quotients and whole powers.\n\n"
     "In model files and with --set a number without a unit is in the unit that the help names "
     "beside the option.\n"
     "With --timestep a unit must be said, as 2 could mean fs or ps: --timestep 2fs.\n\n"
     "Printed tables and pictures name their units; distances between atoms are printed in A (0.1 "
     "nm), angles of\n"
     "hinges in degrees. The coordinate of a <path> has none: 0 in the first structure, 1 in the "
     "second.\n",
     NULL},
    {NULL, NULL, NULL, NULL},
};
