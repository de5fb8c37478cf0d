#include "forces/terms/copies.h"

#include "base/memory.h"
#include "forces/terms/kinds.h"

#include <string.h>

enum { NUMBERS = sizeof(cardo_atom_numbers) / sizeof(double *) };

/* What waits to take the place of the terms' own: lists, and numbers of atoms. */
typedef struct new_lists {
    unsigned char *of[CARDO_TERM_KINDS];
    double *number[NUMBERS];
} new_lists;

static double **number_of(cardo_terms *terms, int k)
{
    double **const all[NUMBERS] = {&terms->number.mass,      &terms->number.charge,
                                   &terms->number.sigma,     &terms->number.epsilon,
                                   &terms->number.gb_radius, &terms->number.gb_scale};
    return all[k];
}

static void clear(new_lists *lists)
{
    for (int k = 0; k < CARDO_TERM_KINDS; ++k)
        cardo_free(lists->of[k]);
    for (int k = 0; k < NUMBERS; ++k)
        cardo_free(lists->number[k]);
}

static void put(cardo_terms *terms, new_lists *lists, int ncopy)
{
    for (int k = 0; k < CARDO_TERM_KINDS; ++k) {
        cardo_terms_put_list(terms, &cardo_term_kinds[k], lists->of[k]);
        lists->of[k] = NULL;
    }
    for (int k = 0; k < NUMBERS; ++k) {
        cardo_free(*number_of(terms, k));
        *number_of(terms, k) = lists->number[k];
        lists->number[k] = NULL;
    }
    terms->ncopy = ncopy;
}

static int atom_of(const cardo_term_kind *kind, const unsigned char *term, int k)
{
    int atom;
    memcpy(&atom, term + kind->atoms + (size_t)k * sizeof atom, sizeof atom);
    return atom;
}

static bool lies_within(const cardo_term_kind *kind, const unsigned char *term, int natom)
{
    for (int k = 0; k < kind->natom; ++k)
        if (atom_of(kind, term, k) < 0 || atom_of(kind, term, k) >= natom)
            return false;
    return true;
}

static bool is_copy(const cardo_term_kind *kind, const unsigned char *term,
                    const unsigned char *first, int shift)
{
    for (int k = 0; k < kind->natom; ++k)
        if (atom_of(kind, term, k) != atom_of(kind, first, k) + shift)
            return false;
    return memcmp(term + kind->whole, first + kind->whole, (size_t)kind->nwhole * sizeof(int)) ==
               0 &&
           memcmp(term + kind->numbers, first + kind->numbers,
                  (size_t)kind->nnumber * sizeof(double)) == 0;
}

/* Copies the terms of the first run, of which there must be `most`. */
static bool take_first(const cardo_terms *terms, const cardo_term_kind *kind, int run, int most,
                       unsigned char *first)
{
    const unsigned char *term = cardo_terms_list(terms, kind);
    int n = 0;
    for (int left = cardo_terms_count(terms, kind); left > 0; --left, term += kind->size) {
        if (atom_of(kind, term, 0) >= run)
            continue;
        if (n == most || !lies_within(kind, term, run))
            return false;
        memcpy(first + (size_t)n++ * kind->size, term, kind->size);
    }
    return n == most;
}

/* Has every run the terms of the first, in their order? seen: how many of each run's have been met. */
static bool are_copies(const cardo_terms *terms, const cardo_term_kind *kind, int run, int most,
                       const unsigned char *first, int *seen)
{
    const unsigned char *term = cardo_terms_list(terms, kind);
    memset(seen, 0, (size_t)(terms->natom / run) * sizeof *seen);
    for (int left = cardo_terms_count(terms, kind); left > 0; --left, term += kind->size) {
        const int atom = atom_of(kind, term, 0), copy = atom / run;
        if (atom >= terms->natom || seen[copy] == most ||
            !is_copy(kind, term, first + (size_t)seen[copy]++ * kind->size, copy * run))
            return false;
    }
    return true;
}

static bool numbers_repeat(cardo_terms *terms, int run)
{
    for (int k = 0; k < NUMBERS; ++k) {
        const double *number = *number_of(terms, k);
        for (int i = run; number && i < terms->natom; ++i)
            if (memcmp(&number[i], &number[i - run], sizeof *number) != 0)
                return false;
    }
    return true;
}

/* Copies `count` numbers of atoms where there are any. */
static cardo_status take_numbers(cardo_terms *terms, int count, new_lists *lists,
                                 cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < NUMBERS; ++k) {
        const double *number = *number_of(terms, k);
        if (!number)
            continue;
        CARDO_TRY(CARDO_ALLOCATE(&lists->number[k], count, error));
        for (int i = 0; i < count; ++i)
            lists->number[k][i] = number[cardo_terms_atom(terms, i)];
    }
done:
    return status;
}

/* Do all terms repeat with runs of so many atoms? Then the lists are those of the first run. */
static bool terms_repeat(const cardo_terms *terms, int run, new_lists *lists)
{
    const int ncopy = terms->natom / run;
    bool repeat = true;
    int *seen = NULL;
    if (CARDO_ALLOCATE(&seen, ncopy, NULL) != CARDO_OK)
        return false;
    for (int k = 0; repeat && k < CARDO_TERM_KINDS; ++k) {
        const cardo_term_kind *kind = &cardo_term_kinds[k];
        const int count = cardo_terms_count(terms, kind), most = count / ncopy;
        repeat =
            count % ncopy == 0 &&
            cardo_allocate((void **)&lists->of[k], (size_t)most, kind->size, NULL) == CARDO_OK &&
            take_first(terms, kind, run, most, lists->of[k]) &&
            are_copies(terms, kind, run, most, lists->of[k], seen);
    }
    cardo_free(seen);
    return repeat;
}

/* Runs that are too short fail at one of their first terms: only that of the chains takes a pass over them all. */
static void share(cardo_terms *terms)
{
    for (int run = 1; terms->ncopy < 2 && run <= terms->natom / 2; ++run) {
        new_lists lists = {.of = {NULL}};
        if (terms->natom % run == 0 && numbers_repeat(terms, run) &&
            terms_repeat(terms, run, &lists) && take_numbers(terms, run, &lists, NULL) == CARDO_OK)
            put(terms, &lists, terms->natom / run);
        clear(&lists);
    }
}

void cardo_terms_trim(cardo_terms *terms)
{
    share(terms);
    for (int k = 0; terms->ncopy < 2 && k < CARDO_TERM_KINDS; ++k) {
        const cardo_term_kind *kind = &cardo_term_kinds[k];
        const size_t count = (size_t)cardo_terms_count(terms, kind);
        void *exact;
        if (count == 0 || cardo_allocate(&exact, count, kind->size, NULL) != CARDO_OK)
            continue;
        memcpy(exact, cardo_terms_list(terms, kind), count * kind->size);
        cardo_terms_put_list(terms, kind, exact);
    }
}

cardo_status cardo_terms_expand(cardo_terms *terms, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    new_lists lists = {.of = {NULL}};
    if (terms->ncopy < 2)
        return CARDO_OK;
    CARDO_TRY(take_numbers(terms, terms->natom, &lists, error));
    for (int k = 0; k < CARDO_TERM_KINDS; ++k) {
        const cardo_term_kind *kind = &cardo_term_kinds[k];
        const int count = cardo_terms_count(terms, kind);
        CARDO_TRY(cardo_allocate((void **)&lists.of[k], (size_t)count, kind->size, error));
        for (int t = 0; t < count; ++t)
            cardo_terms_read(terms, kind, t, lists.of[k] + (size_t)t * kind->size);
    }
    put(terms, &lists, 1);
done:
    clear(&lists);
    return status;
}
