#include "structure/atoms/superpose.h"

#include "base/memory.h"
#include "structure/atoms/name_text.h"
#include "structure/atoms/residue.h"
#include "structure/atoms/substitution.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The polymer residues of one chain: entries first..last-1 of the list. */
typedef struct polymer {
    int first, last;
} polymer;

typedef struct polymer_list {
    const cardo_structure *structure;
    int *residue;
    polymer *chain;
    int nresidue, nchain;
} polymer_list;

static const cardo_name *id_of(const polymer_list *list, int entry)
{
    return &list->structure->chain_id[list->structure->residue_chain[list->residue[entry]]];
}

static const char *name_of(const polymer_list *list, int entry)
{
    return list->structure->residue_name[list->residue[entry]].text;
}

enum { SHORTEST_CHAIN = 3 };

/* Chains of fewer residues are ligands. Neighbouring runs of one id are one chain with a break. */
static cardo_status list_polymers(const cardo_structure *s, polymer_list *list, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    list->structure = s;
    CARDO_TRY(CARDO_ALLOCATE(&list->residue, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&list->chain, s->nchain, error));
    for (int c = 0; c < s->nchain; ++c) {
        int before = list->nresidue;
        for (int r = s->chain_first[c]; r < s->chain_first[c + 1]; ++r)
            if (cardo_residue_is_polymer(s, r))
                list->residue[list->nresidue++] = r;
        if (list->nresidue - before < SHORTEST_CHAIN) {
            list->nresidue = before;
            continue;
        }
        bool goes_on = list->nchain > 0 && name_equal(id_of(list, before - 1), id_of(list, before));
        if (!goes_on)
            list->chain[list->nchain++].first = before;
        list->chain[list->nchain - 1].last = list->nresidue;
    }
done:
    return status;
}

static void free_polymers(polymer_list *list)
{
    cardo_free(list->residue);
    cardo_free(list->chain);
}

/* One name, or one amino acid in two states (HIS and HIE, MET and MSE). */
static bool same_name(const cardo_structure *a, int i, const cardo_structure *b, int j)
{
    if (name_equal(&a->residue_name[i], &b->residue_name[j]))
        return true;
    char letter = cardo_residue_letter(a->residue_name[i].text);
    return letter != 'X' && letter == cardo_residue_letter(b->residue_name[j].text);
}

/* What matching reads and fills. */
typedef struct matching {
    polymer_list a, b;
    int *match;
    int paired, same, nucleic;
    int shorter;      /* residues of the shorter ones of the chains that pair */
    int differing[2]; /* the first pair with different names, or -1           */
    double least;     /* identity that is enough; negative: by the rule       */
} matching;

static void count_pair(matching *m, int i, int j)
{
    m->paired++;
    m->nucleic += cardo_residue_is_nucleic(m->a.structure->residue_name[i].text);
    if (same_name(m->a.structure, i, m->b.structure, j))
        m->same++;
    else if (m->differing[0] < 0) {
        m->differing[0] = i;
        m->differing[1] = j;
    }
}

/* Pairs by number and insertion code into match; the counts stay the caller's. Chains mostly run in
 * step, so each search starts after the last hit. */
static void pair_by_number(const matching *m, const polymer *pa, const polymer *pb, int *paired,
                           int *same)
{
    const cardo_structure *a = m->a.structure, *b = m->b.structure;
    int length = pb->last - pb->first, hint = 0;
    *paired = *same = 0;
    for (int k = pa->first; k < pa->last; ++k) {
        int i = m->a.residue[k];
        m->match[i] = -1;
        for (int tried = 0; tried < length; ++tried) {
            int j = m->b.residue[pb->first + (hint + tried) % length];
            if (a->residue_number[i] != b->residue_number[j] || a->insertion[i] != b->insertion[j])
                continue;
            m->match[i] = j;
            hint = (hint + tried + 1) % length;
            ++*paired;
            *same += same_name(a, i, b, j);
            break;
        }
    }
}

/* Gaps at the ends are free, since crystal structures lack ends. */
enum { SCORE_NONE = -100000000 };
/* Where the best score of a state came from; two bits for each of the three states. */
enum { STATE_PAIR, STATE_GAP_B, STATE_GAP_A };
enum { LARGEST_ALIGNMENT = 400000000 };

static int best_of_three(int x, int y, int z, int *score)
{
    int best = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    *score = best == 0 ? x : best == 1 ? y : z;
    return best;
}

typedef struct alignment {
    int rows, columns;    /* residues of a, of b, plus one                        */
    unsigned char *trace; /* rows x columns: from-state of pair | gap_b | gap_a    */
    int *score;           /* two rows of three states a column                     */
} alignment;

/* Fills row i of the scores and traces (Gotoh 1982, J. Mol. Biol. 162, 705). */
static void align_row(const matching *m, const polymer *pa, const polymer *pb, alignment *al, int i)
{
    int *row = al->score + (i & 1) * 3 * al->columns;
    const int *above = al->score + ((i - 1) & 1) * 3 * al->columns;
    unsigned char *trace = al->trace + (size_t)i * (size_t)al->columns;
    row[STATE_PAIR] = SCORE_NONE;
    row[STATE_GAP_B] = 0;
    row[STATE_GAP_A] = SCORE_NONE;
    trace[0] = STATE_GAP_B << 2;
    for (int j = 1; j < al->columns; ++j) {
        const int *up = above + 3 * j, *left = row + 3 * (j - 1), *corner = up - 3;
        int open_up = j == al->columns - 1 ? 0 : CARDO_GAP_OPEN;
        int open_left = i == al->rows - 1 ? 0 : CARDO_GAP_OPEN;
        int more_up = open_up ? CARDO_GAP_EXTEND : 0, more_left = open_left ? CARDO_GAP_EXTEND : 0;
        int score, from = best_of_three(corner[0], corner[1], corner[2], &score);
        row[3 * j + STATE_PAIR] =
            score + cardo_substitution_score(name_of(&m->a, pa->first + i - 1),
                                             name_of(&m->b, pb->first + j - 1));
        int from_up = best_of_three(up[0] + open_up, up[1] + more_up, up[2] + open_up,
                                    &row[3 * j + STATE_GAP_B]);
        int from_left = best_of_three(left[0] + open_left, left[1] + open_left, left[2] + more_left,
                                      &row[3 * j + STATE_GAP_A]);
        trace[j] = (unsigned char)(from | from_up << 2 | from_left << 4);
    }
}

static void trace_back(const matching *m, const polymer *pa, const polymer *pb, const alignment *al)
{
    int i = al->rows - 1, j = al->columns - 1, unused;
    const int *last = al->score + (i & 1) * 3 * al->columns + 3 * j;
    int state = best_of_three(last[0], last[1], last[2], &unused);
    for (int k = pa->first; k < pa->last; ++k)
        m->match[m->a.residue[k]] = -1;
    while (i > 0 && j > 0) {
        int from = al->trace[(size_t)i * (size_t)al->columns + (size_t)j] >> (2 * state) & 3;
        if (state == STATE_PAIR)
            m->match[m->a.residue[pa->first + i - 1]] = m->b.residue[pb->first + j - 1];
        i -= state != STATE_GAP_A;
        j -= state != STATE_GAP_B;
        state = from;
    }
}

static cardo_status pair_by_alignment(const matching *m, const polymer *pa, const polymer *pb,
                                      cardo_error *error)
{
    alignment al = {.rows = pa->last - pa->first + 1, .columns = pb->last - pb->first + 1};
    cardo_status status = CARDO_OK;
    if ((double)al.rows * al.columns > LARGEST_ALIGNMENT)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "chains of %d and %d residues are numbered differently and too long to align",
            al.rows - 1, al.columns - 1);
    CARDO_TRY(CARDO_ALLOCATE(&al.trace, (size_t)al.rows * (size_t)al.columns, error));
    CARDO_TRY(CARDO_ALLOCATE(&al.score, (size_t)al.columns * 6, error));
    for (int j = 0; j < al.columns; ++j) {
        al.score[3 * j + STATE_PAIR] = j ? SCORE_NONE : 0;
        al.score[3 * j + STATE_GAP_B] = SCORE_NONE;
        al.score[3 * j + STATE_GAP_A] = j ? 0 : SCORE_NONE;
    }
    for (int i = 1; i < al.rows; ++i)
        align_row(m, pa, pb, &al, i);
    trace_back(m, pa, pb, &al);
done:
    cardo_free(al.trace);
    cardo_free(al.score);
    return status;
}

/* Pairs the residues of two chains; *same of *paired have one name. */
static cardo_status pair_chains(const matching *m, const polymer *pa, const polymer *pb,
                                int *paired, int *same, cardo_error *error)
{
    pair_by_number(m, pa, pb, paired, same);
    if (*paired >= SHORTEST_CHAIN && *same >= 0.9 * *paired)
        return CARDO_OK;
    cardo_status status = pair_by_alignment(m, pa, pb, error);
    *paired = *same = 0;
    for (int k = pa->first; k < pa->last && status == CARDO_OK; ++k) {
        int i = m->a.residue[k], j = m->match[i];
        *paired += j >= 0;
        *same += j >= 0 && same_name(m->a.structure, i, m->b.structure, j);
    }
    return status;
}

/* Nor are chains relatives of which fewer of the shorter one's residues pair: the ends of any two sequences
 * have a few residues in common. */
static const double LEAST_OVERLAP = 0.3;

double cardo_identity_needed(int paired, bool nucleic)
{
    const double L = paired;
    if (nucleic)
        return 0.7;
    double chance = 4.8 * pow(L, -0.32 * (1 + exp(-L / 1000)));
    return fmin(1, fmax(0.3, chance));
}

static bool is_partner(const matching *m, int paired, int same, int shorter, bool nucleic)
{
    if (m->least >= 0)
        return paired >= SHORTEST_CHAIN && same >= m->least * paired;
    return paired >= SHORTEST_CHAIN && same >= cardo_identity_needed(paired, nucleic) * paired &&
           paired >= LEAST_OVERLAP * shorter;
}

static bool is_nucleic(const matching *m, const polymer *chain)
{
    return cardo_residue_is_nucleic(name_of(&m->a, (chain->first + chain->last) / 2));
}

static int length_of(const polymer *chain)
{
    return chain->last - chain->first;
}

static int shorter_of(int a, int b)
{
    return a < b ? a : b;
}

/* Pairs chain k of a with the free chain of b that shares most residues with it, beginning with the
 * k-th; one with half of them is taken at once. taken: chains of b that are used up. */
static cardo_status pair_chain(matching *m, int k, bool *taken, cardo_error *error)
{
    const polymer *pa = &m->a.chain[k];
    int best = -1, most = 0, paired, same, shorter;
    cardo_status status = CARDO_OK;
    for (int t = 0; t < m->b.nchain && 2 * most < pa->last - pa->first; ++t) {
        int other = (k + t) % m->b.nchain;
        if (taken[other])
            continue;
        status = pair_chains(m, pa, &m->b.chain[other], &paired, &same, error);
        if (status != CARDO_OK)
            return status;
        shorter = shorter_of(length_of(pa), length_of(&m->b.chain[other]));
        if (best < 0 || (is_partner(m, paired, same, shorter, is_nucleic(m, pa)) && same > most)) {
            best = other;
            most = same;
        }
    }
    if (best >= 0)
        status = pair_chains(m, pa, &m->b.chain[best], &paired, &same, error);
    if (best < 0 || status != CARDO_OK)
        return status;
    shorter = shorter_of(length_of(pa), length_of(&m->b.chain[best]));
    taken[best] = is_partner(m, paired, same, shorter, is_nucleic(m, pa));
    bool drop = !taken[best] && m->a.nchain > 1;
    m->shorter += drop ? 0 : shorter;
    for (int i = pa->first; i < pa->last; ++i) {
        int r = m->a.residue[i];
        if (drop)
            m->match[r] = -1;
        else if (m->match[r] >= 0)
            count_pair(m, r, m->match[r]);
    }
    return CARDO_OK;
}

static cardo_status judge(const matching *m, const cardo_likeness *likeness, cardo_error *error)
{
    const cardo_structure *a = m->a.structure, *b = m->b.structure;
    char one[40], other[40];
    char first[128] = "";
    if (is_partner(m, m->paired, m->same, m->shorter, 2 * m->nucleic > m->paired))
        return CARDO_OK;
    if (m->a.nresidue == 0 || m->b.nresidue == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s has no chain of residues of a protein or a nucleic acid",
                          (m->a.nresidue == 0 ? a : b)->source);
    if (m->differing[0] >= 0)
        snprintf(first, sizeof first, "; first different pair: %s and %s",
                 cardo_residue_label(a, m->differing[0], one),
                 cardo_residue_label(b, m->differing[1], other));
    return CARDO_FAIL(
        error, CARDO_ERROR_INPUT,
        "the sequences of %s (%d residues in %d chain%s) and %s (%d residues in %d "
        "chain%s) differ: %d residues pair, %d of them have one name (%.0f %%%s; enough would be "
        "%.0f %%)%s. Choose chains of one protein; identity=0.2 (in a model "
        "file identity=\"0.2\" at <structure>) takes less for enough",
        a->source, m->a.nresidue, m->a.nchain, m->a.nchain == 1 ? "" : "s", b->source,
        m->b.nresidue, m->b.nchain, m->b.nchain == 1 ? "" : "s", m->paired, m->same,
        100 * likeness->identity,
        m->least < 0 && m->paired < LEAST_OVERLAP * m->shorter ? ", of too small a part" : "",
        100 * likeness->needed, first);
}

cardo_status cardo_match_alike(const cardo_structure *a, const cardo_structure *b, double least,
                               int *match, cardo_likeness *likeness, cardo_error *error)
{
    matching m = {.match = match, .differing = {-1, -1}, .least = least};
    cardo_likeness alike = {0};
    bool *taken = NULL;
    cardo_status status = CARDO_OK;
    for (int i = 0; i < a->nresidue; ++i)
        match[i] = -1;
    CARDO_TRY(list_polymers(a, &m.a, error));
    CARDO_TRY(list_polymers(b, &m.b, error));
    CARDO_TRY(CARDO_ALLOCATE(&taken, m.b.nchain, error));
    for (int k = 0; k < m.a.nchain; ++k)
        CARDO_TRY(pair_chain(&m, k, taken, error));
    alike = (cardo_likeness){
        .paired = m.paired,
        .same = m.same,
        .residues = {m.a.nresidue, m.b.nresidue},
        .shorter = m.shorter,
        .identity = m.paired > 0 ? (double)m.same / m.paired : 0,
        .needed = least >= 0 ? least : cardo_identity_needed(m.paired, 2 * m.nucleic > m.paired)};
    status = judge(&m, &alike, error);
done:
    if (likeness)
        *likeness = alike;
    cardo_free(taken);
    free_polymers(&m.a);
    free_polymers(&m.b);
    return status;
}

cardo_status cardo_match_residues(const cardo_structure *a, const cardo_structure *b, int *match,
                                  double *identity, cardo_error *error)
{
    cardo_likeness likeness;
    cardo_status status = cardo_match_alike(a, b, -1, match, &likeness, error);
    if (identity)
        *identity = likeness.identity;
    return status;
}
