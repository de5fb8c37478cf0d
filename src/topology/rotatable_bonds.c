#include "topology/rotatable_bonds.h"

#include "base/memory.h"
#include "base/text.h"
#include "structure/atoms/residue.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *word;
    int kinds;
} words[] = {
    {"phi", CARDO_TURN_PHI},
    {"psi", CARDO_TURN_PSI},
    {"omega", CARDO_TURN_OMEGA},
    {"chi", CARDO_TURN_CHI},
    {"alpha", CARDO_TURN_ALPHA},
    {"beta", CARDO_TURN_BETA},
    {"gamma", CARDO_TURN_GAMMA},
    {"epsilon", CARDO_TURN_EPSILON},
    {"zeta", CARDO_TURN_ZETA},
    {"backbone", CARDO_TURN_BACKBONE},
    {"all", CARDO_TURN_BACKBONE | CARDO_TURN_CHI},
};
enum { WORDS = sizeof words / sizeof *words };

cardo_status cardo_turn_words(const char *text, int *kinds, cardo_error *error)
{
    const char *blanks = " ,\t\r\n", *names[WORDS + 1] = {NULL};
    for (int k = 0; k < WORDS; ++k)
        names[k] = words[k].word;
    *kinds = 0;
    for (const char *word = text; *(word += strspn(word, blanks));) {
        char name[32];
        size_t length = strcspn(word, blanks);
        int k = 0;
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        while (k < WORDS && strcmp(words[k].word, name) != 0)
            ++k;
        if (k == WORDS) {
            const char *near = cardo_nearest_name(name, names);
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "torsions=\"%s\": '%s' is none of phi, psi, omega, chi, alpha, beta, "
                              "gamma, epsilon, zeta, backbone, all%s%s%s",
                              text, name, near ? "; did you mean '" : "", near ? near : "",
                              near ? "'" : "");
        }
        *kinds |= words[k].kinds;
        word += length;
    }
    if (*kinds == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "torsions=\"%s\" names no torsion; write such as torsions=\"phi psi\"",
                          text);
    return CARDO_OK;
}

/* What the search works on. */
typedef struct finder {
    const cardo_structure *structure;
    const cardo_bonds *bonds;
    int *distance; /* from somewhere within a residue, or -1: scratch  (natom) */
    int *queue;    /* (natom)                                                  */
} finder;

static bool is_called(const cardo_structure *s, int atom, const char *name)
{
    return strcmp(s->atom_name[atom].text, name) == 0;
}

/* Are the two atoms called so, in this order or the other? Swaps them into this order. */
static bool are_called(const cardo_structure *s, int atom[2], const char *first, const char *second)
{
    if (is_called(s, atom[0], first) && is_called(s, atom[1], second))
        return true;
    if (!is_called(s, atom[1], first) || !is_called(s, atom[0], second))
        return false;
    int swap = atom[0];
    atom[0] = atom[1];
    atom[1] = swap;
    return true;
}

static int neighbour_count(const finder *f, int atom)
{
    return f->bonds->neighbour_first[atom + 1] - f->bonds->neighbour_first[atom];
}

static int heavy_neighbour_count(const finder *f, int atom)
{
    int n = 0;
    for (int k = f->bonds->neighbour_first[atom]; k < f->bonds->neighbour_first[atom + 1]; ++k)
        n += f->structure->element[f->bonds->neighbour[k]] != 1;
    return n;
}

/* Bonds from `from` to every atom of its residue, without the bond between closed[0] and closed[1]:
 * f->distance. */
static void measure_residue(const finder *f, int from, const int closed[2])
{
    const cardo_structure *s = f->structure;
    int residue = s->atom_residue[from], head = 0, tail = 0;
    for (int i = s->residue_first[residue]; i < s->residue_first[residue + 1]; ++i)
        f->distance[i] = -1;
    f->distance[from] = 0;
    f->queue[tail++] = from;
    while (head < tail) {
        int i = f->queue[head++];
        for (int k = f->bonds->neighbour_first[i]; k < f->bonds->neighbour_first[i + 1]; ++k) {
            int j = f->bonds->neighbour[k];
            bool shut = closed &&
                        ((i == closed[0] && j == closed[1]) || (i == closed[1] && j == closed[0]));
            if (shut || s->atom_residue[j] != residue || f->distance[j] >= 0)
                continue;
            f->distance[j] = f->distance[i] + 1;
            f->queue[tail++] = j;
        }
    }
}

static bool in_ring(const finder *f, const int atom[2])
{
    if (f->structure->atom_residue[atom[0]] != f->structure->atom_residue[atom[1]])
        return false;
    measure_residue(f, atom[0], atom);
    return f->distance[atom[1]] >= 0;
}

/* A C-N bond next to a carbonyl oxygen or another end nitrogen: amides of Asn and Gln, guanidinium,
 * the amino groups of bases. The glycosidic bond, whose carbon has the ring's oxygen besides, turns.
 */
static bool is_planar(const finder *f, const int atom[2])
{
    const cardo_structure *s = f->structure;
    int carbon = s->element[atom[0]] == 6 ? atom[0] : atom[1];
    int nitrogen = carbon == atom[0] ? atom[1] : atom[0];
    if (s->element[carbon] != 6 || s->element[nitrogen] != 7)
        return false;
    int hetero = 0, ends = 0;
    for (int k = f->bonds->neighbour_first[carbon]; k < f->bonds->neighbour_first[carbon + 1];
         ++k) {
        int j = f->bonds->neighbour[k];
        bool is_hetero = s->element[j] == 7 || s->element[j] == 8 || s->element[j] == 16;
        hetero += is_hetero;
        ends += is_hetero && heavy_neighbour_count(f, j) == 1;
    }
    return hetero >= 2 && ends >= 1;
}

/* The backbone's atoms that bond a ring of residues; its side chains are free. */
static bool is_chain_end(const char *name)
{
    return strcmp(name, "N") == 0 || strcmp(name, "C") == 0;
}

static bool is_bridged(const finder *f, int residue)
{
    for (int k = 0; k < f->bonds->ncrosslink; ++k)
        for (int side = 0; side < 2; ++side)
            if (f->structure->atom_residue[f->bonds->crosslink[k][side]] == residue &&
                !is_chain_end(f->structure->atom_name[f->bonds->crosslink[k][side]].text))
                return true;
    return false;
}

/* Names of the backbone's bonds: first atom nearer to the chain's start. */
static const struct {
    int kind;
    const char *first, *second;
    bool link; /* to the next residue */
} backbone[] = {
    {CARDO_TURN_PHI, "N", "CA", false},        {CARDO_TURN_PSI, "CA", "C", false},
    {CARDO_TURN_OMEGA, "C", "N", true},        {CARDO_TURN_ALPHA, "P", "O5'", false},
    {CARDO_TURN_BETA, "O5'", "C5'", false},    {CARDO_TURN_GAMMA, "C5'", "C4'", false},
    {CARDO_TURN_EPSILON, "C3'", "O3'", false}, {CARDO_TURN_ZETA, "O3'", "P", true},
};

/* The kind of a bond, and its atoms in the kind's order; 0: none that may turn. */
static int kind_of(const finder *f, int atom[2], int *residue)
{
    const cardo_structure *s = f->structure;
    bool link = s->atom_residue[atom[0]] != s->atom_residue[atom[1]];
    int kind = 0;
    for (size_t k = 0; k < sizeof backbone / sizeof *backbone; ++k)
        if (backbone[k].link == link && are_called(s, atom, backbone[k].first, backbone[k].second))
            kind = backbone[k].kind;
    *residue = s->atom_residue[atom[0]];
    if (link)
        return kind;
    if (kind == 0)
        kind = CARDO_TURN_CHI;
    if (kind == CARDO_TURN_CHI && is_bridged(f, *residue))
        return 0;
    return in_ring(f, atom) || is_planar(f, atom) ? 0 : kind;
}

static int find_named(const cardo_structure *s, int residue, const char *const *names)
{
    int atom = -1;
    for (; *names && atom < 0; ++names)
        atom = cardo_structure_find_atom(s, residue, *names);
    return atom;
}

/* Puts the atoms of a side chain's bond in order, from the backbone outwards, and counts. */
static void number_chi(const finder *f, cardo_turn *turn)
{
    static const char *const starts[] = {"CA", "C1'", "C4'", NULL};
    int start = find_named(f->structure, turn->residue, starts);
    if (start < 0)
        start = f->structure->residue_first[turn->residue];
    measure_residue(f, start, NULL);
    if (f->distance[turn->atom[1]] < f->distance[turn->atom[0]]) {
        int swap = turn->atom[0];
        turn->atom[0] = turn->atom[1];
        turn->atom[1] = swap;
    }
    turn->number = f->distance[turn->atom[0]] + 1;
}

/* Is this bond one that turns and is wanted? */
static bool take(const finder *f, const int bond[2], const int *wanted, cardo_turn *turn)
{
    const unsigned char *element = f->structure->element;
    *turn = (cardo_turn){.atom = {bond[0], bond[1]}};
    if (element[bond[0]] == 1 || element[bond[1]] == 1)
        return false;
    int both =
        wanted[f->structure->atom_residue[bond[0]]] | wanted[f->structure->atom_residue[bond[1]]];
    if (both == 0 || neighbour_count(f, bond[0]) < 2 || neighbour_count(f, bond[1]) < 2)
        return false;
    turn->kind = kind_of(f, turn->atom, &turn->residue);
    if (!(turn->kind & wanted[turn->residue]))
        return false;
    if (heavy_neighbour_count(f, bond[0]) < 2 || heavy_neighbour_count(f, bond[1]) < 2)
        turn->kind |= CARDO_TURN_ROTOR;
    if ((turn->kind & CARDO_TURN_ROTOR) && !(wanted[turn->residue] & CARDO_TURN_ROTOR))
        return false;
    if (turn->kind & CARDO_TURN_CHI)
        number_chi(f, turn);
    return true;
}

cardo_status cardo_rotatable_bonds_find(const cardo_structure *structure, const cardo_bonds *bonds,
                                        const int *wanted, cardo_turn **out, int *count,
                                        cardo_error *error)
{
    cardo_status status;
    finder f = {.structure = structure, .bonds = bonds};
    int capacity = 0;
    *out = NULL;
    *count = 0;
    CARDO_TRY(CARDO_ALLOCATE(&f.distance, structure->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&f.queue, structure->natom, error));
    for (int k = 0; k < bonds->nbond; ++k) {
        cardo_turn turn;
        if (!take(&f, bonds->bond[k], wanted, &turn))
            continue;
        CARDO_TRY(CARDO_RESERVE(out, &capacity, *count + 1, error));
        (*out)[(*count)++] = turn;
    }
done:
    cardo_free(f.distance);
    cardo_free(f.queue);
    if (status != CARDO_OK) {
        cardo_free(*out);
        *out = NULL;
    }
    return status;
}

char *cardo_turn_name(const cardo_structure *structure, const cardo_turn *turn, char text[80])
{
    char label[40];
    cardo_residue_label(structure, turn->residue, label);
    if (turn->kind & CARDO_TURN_ROTOR)
        snprintf(text, 80, "%s.%s-%s", label, structure->atom_name[turn->atom[0]].text,
                 structure->atom_name[turn->atom[1]].text);
    else if (turn->kind & CARDO_TURN_CHI)
        snprintf(text, 80, "%s.chi%d", label, turn->number);
    for (int k = 0; k < WORDS && !(turn->kind & (CARDO_TURN_ROTOR | CARDO_TURN_CHI)); ++k)
        if (words[k].kinds == turn->kind)
            snprintf(text, 80, "%s.%s", label, words[k].word);
    return text;
}
