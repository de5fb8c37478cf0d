#!/usr/bin/env bash
# Links of the file (LINK and CONECT records): a ring of residues has no ends and runs; an isopeptide bond leaves what hydrogens it
# can, and cardo check names it.
. "$(dirname "$0")/support.sh"

# Six glycines in a ring of 1.44 A bonds.
awk 'BEGIN {
    print "LINK         N   GLY A   1                 C   GLY A   6     1555   1555  1.44"
    split("N CA C", name)
    for (i = 0; i < 18; ++i) {
        atom = name[i % 3 + 1]
        a = i * 3.14159265358979 / 9
        form = "ATOM  %5d  %-3s GLY A%4d    %8.3f%8.3f%8.3f  1.00  0.00           %s\n"
        printf form, ++n, atom, i / 3 + 1, 4.146 * cos(a), 4.146 * sin(a), i % 2 * 0.3, substr(atom, 1, 1)
        if (atom == "C")
            printf form, ++n, "O", i / 3 + 1, 5.376 * cos(a), 5.376 * sin(a), i % 2 * 0.3, "O"
    } }' >ring.pdb
run 0 prepare ring.pdb -o ring_p.pdb
says out 'A:GLY1 +N is bonded to C of A:GLY6 by the links of the file: no chain ends there'
says out 'relaxed: the 18 atoms'
check test "$(grep -c '^ATOM' ring_p.pdb)" = 42
check grep -q '^LINK' ring_p.pdb
run 0 check ring_p.pdb --forcefield ff14SB.xml
run 0 prepare ring_p.pdb -o ring_again.pdb
check cmp ring_p.pdb ring_again.pdb
run 0 prepare ring_p.pdb -o ring.cif
run 0 check ring.cif --forcefield ff14SB.xml

# Without the link, or with one that is too long to be a bond, the chain has ends.
sed 1d ring.pdb >open.pdb
run 0 prepare open.pdb -o open_p.pdb --no-relax
check test "$(grep -c '^ATOM' open_p.pdb)" = 45
{
    echo 'LINK         N   GLY A   1                 C   GLY A   3     1555   1555  6.00'
    cat open.pdb
} >far.pdb
run 0 prepare far.pdb -o far_p.pdb --no-relax
says out 'A:GLY1 +the file links its N to C of A:GLY3, [0-9.]+ A away: too far'
check test "$(grep -c '^ATOM' far_p.pdb)" = 45

# Lysine of one strand bonded to aspartate of another.
awk 'function atom(name, residue, chain, number, x, y, z) {
         printf "ATOM  %5d  %-3s %s %s%4d    %8.3f%8.3f%8.3f  1.00  0.00           %s\n", ++n, name, residue, chain,
             number, x, y, z, substr(name, 1, 1) }
     function strand(chain, middle, y, up,  r, x, residue) {
         for (r = 1; r <= 3; ++r) {
             residue = r == 2 ? middle : "GLY"
             x = 3.6 * r - 8.7
             atom("N", residue, chain, r, x, y, 0)
             atom("CA", residue, chain, r, x + 1.2, y + 0.8 * up, 0.2)
             atom("C", residue, chain, r, x + 2.4, y, 0)
             atom("O", residue, chain, r, x + 2.4, y - 1.2 * up, 0)
             if (residue == "LYS") {
                 atom("CB", residue, chain, r, x + 1.2, 2.1, 0.7)
                 atom("CG", residue, chain, r, x + 1.2, 3.4, -0.1)
                 atom("CD", residue, chain, r, x + 1.2, 4.7, 0.7)
                 atom("CE", residue, chain, r, x + 1.2, 6.0, -0.1)
                 atom("NZ", residue, chain, r, x + 1.2, 7.2, 0.7)
             } else if (residue == "ASP") {
                 atom("CB", residue, chain, r, x + 1.2, 9.7, 0.8)
                 atom("CG", residue, chain, r, x + 1.2, 8.4, 0.1)
                 atom("OD1", residue, chain, r, x + 1.2, 8.4, -1.1)
             }
         }
         print "TER" }
     BEGIN {
         print "LINK         NZ  LYS A   2                 CG  ASP B   2     1555   1555  1.34"
         strand("A", "LYS", 0, 1)
         strand("B", "ASP", 11.9, -1) }' >isopeptide.pdb
run 0 prepare isopeptide.pdb -o isopeptide_p.pdb
says out 'A:LYS2 +NZ is bonded to CG of B:ASP2 .*needs templates'
says out 'no relaxation|not relaxed'
check test "$(grep -cE '(HZ[123] LYS|OD2 ASP|HD2 ASP)' isopeptide_p.pdb)" = 1
run 0 prepare isopeptide_p.pdb -o isopeptide_again.pdb
check cmp isopeptide_p.pdb isopeptide_again.pdb
run 1 check isopeptide_p.pdb --forcefield ff14SB.xml
says out 'A:LYS2: .*NZ is bonded to CG of B:ASP2'
says out 'B:ASP2: .*CG is bonded to NZ of A:LYS2'
says err '2 of 6 residues'

# The same told by a CONECT record alone, and by both.
{
    sed 1d isopeptide.pdb
    echo 'CONECT   13   27'
} >conect.pdb
run 0 prepare conect.pdb -o conect_p.pdb
says out 'A:LYS2 +NZ is bonded to CG of B:ASP2 .*needs templates'
check cmp isopeptide_p.pdb conect_p.pdb
{
    cat isopeptide.pdb
    echo 'CONECT   27   13'
} >both.pdb
run 0 prepare both.pdb -o both_p.pdb
check cmp isopeptide_p.pdb both_p.pdb
{
    sed 1d isopeptide.pdb
    echo 'CONECT   13   26'
} >wrong.pdb
run 0 prepare wrong.pdb -o wrong_p.pdb --no-relax
says out 'CONECT records join 1 pair of atoms that are too far apart for a bond, such as NZ of A:LYS2 and CB of B:ASP2 at 2.50 A'
check test "$(grep -c '^LINK' wrong_p.pdb)" = 0

# A ligand on lysine.
{
    sed -n '/ A /p' isopeptide.pdb | sed 1d
    printf 'TER\nHETATM   18  C1  LIG L   1    %8.3f   8.400   0.100  1.00  0.00           C\n' -0.3
    printf 'HETATM   19  C2  LIG L   1    %8.3f   9.900   0.100  1.00  0.00           C\n' -0.3
    echo 'CONECT   18   13   19'
} >ligand.pdb
run 0 prepare ligand.pdb -o ligand_p.pdb --no-relax
says out 'A:LYS2 +NZ is bonded to C1 of L:LIG1, which was left out'
check test "$(grep -cE 'HZ[123] LYS' ligand_p.pdb)" = 3
run 0 prepare ligand.pdb -o ligand_p.pdb --no-relax --keep ligands --force
says out 'A:LYS2 +NZ is bonded to C1 of L:LIG1 by the links of the file'
check test "$(grep -cE 'HZ[123] LYS' ligand_p.pdb)" = 1
check grep -q '^LINK         NZ  LYS A   2                 C1  LIG L   1' ligand_p.pdb
finish
