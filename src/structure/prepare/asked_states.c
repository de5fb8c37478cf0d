/* Protonation states that the user lists: "A:48=HIP,A:26=ASH". */
#include "structure/atoms/name_text.h"
#include "structure/prepare/draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 256 };

/* One entry of the list. */
typedef struct asked {
    const char *text; /* as written */
    bool any_chain;
    char chain[CARDO_NAME_SIZE], state[CARDO_NAME_SIZE];
    int number;
    char insertion;
} asked;

static cardo_status misread(const char *text, cardo_error *error)
{
    return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                      "protonate=\"%s\": CHAIN:NUMBER=STATE was expected, such as A:48=HIP; the "
                      "states are HID, HIE, HIP, ASP, ASH, GLU, GLH, LYS, LYN, CYS and CYM",
                      text);
}

static cardo_status read_asked(const char *text, asked *out, cardo_error *error)
{
    const char *equals = strchr(text, '='), *colon = strrchr(text, ':');
    *out = (asked){.text = text, .any_chain = !colon};
    const char *number = colon ? colon + 1 : text;
    const size_t chain = colon ? (size_t)(colon - text) : 0;
    if (!equals || number >= equals || chain >= sizeof out->chain ||
        strlen(equals + 1) >= sizeof out->state)
        return misread(text, error);
    memcpy(out->chain, text, chain);
    strcpy(out->state, equals + 1);
    char *end;
    const long read = strtol(number, &end, 10);
    if (end == number || read < -100000 || read > 1000000)
        return misread(text, error);
    out->number = (int)read;
    if (end + 1 == equals)
        out->insertion = *end++;
    return end == equals ? CARDO_OK : misread(text, error);
}

static cardo_status find_residue(const cardo_draft *draft, const asked *a, int *found,
                                 cardo_error *error)
{
    *found = -1;
    for (int r = 0; r < draft->count; ++r) {
        const cardo_draft_residue *residue = &draft->residue[r];
        if (!residue->component || residue->component->kind != CARDO_COMPONENT_PROTEIN ||
            residue->number != a->number || residue->insertion != a->insertion ||
            (!a->any_chain && strcmp(residue->chain.text, a->chain) != 0))
            continue;
        if (*found >= 0)
            return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                              "protonate=\"%s\": several residues have this number (chains \"%s\" "
                              "and \"%s\"); name the chain, as in A:48=HIP",
                              a->text, draft->residue[*found].chain.text, residue->chain.text);
        *found = r;
    }
    return *found >= 0 ? CARDO_OK
                       : CARDO_FAIL(error, CARDO_ERROR_USAGE,
                                    "protonate=\"%s\": no such amino acid is left in the structure "
                                    "(chains and numbers are those of the report)",
                                    a->text);
}

/* The state, which must be one of this residue's. */
static cardo_status check_state(const cardo_draft_residue *r, const asked *a, const char **state,
                                cardo_error *error)
{
    static const char *const usual[] = {"ASP", "GLU", "LYS", "CYS"};
    const char *component = a->state;
    bool known = cardo_state_by_name(a->state, &component, state);
    for (size_t k = 0; !known && k < sizeof usual / sizeof *usual; ++k)
        if (strcmp(a->state, usual[k]) == 0) {
            *state = usual[k];
            known = true;
        }
    if (!known)
        return misread(a->text, error);
    if (strcmp(r->component->name.text, component) != 0)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "protonate=\"%s\": %s is a state of %s, %d is %s", a->text, a->state,
                          component, r->number, r->component->name.text);
    if (r->bridge >= 0)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "protonate=\"%s\": the cysteine is part of a disulfide", a->text);
    return CARDO_OK;
}

/* The next word of a list with commas between, blanks left out; false at its end. A longer one is cut short, which no
 * residue is called. */
static bool next_word(const char **rest, char word[LONGEST])
{
    *rest += strspn(*rest, ", \t\n");
    const size_t n = strcspn(*rest, ", \t\n");
    snprintf(word, LONGEST, "%.*s", (int)n, *rest);
    *rest += n;
    return n > 0;
}

cardo_status cardo_prepare_asked(cardo_draft *draft, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char word[LONGEST];
    for (const char *rest = draft->options->protonate; rest && next_word(&rest, word);) {
        asked a;
        int r;
        const char *state = NULL;
        if (draft->options->no_hydrogens)
            return CARDO_FAIL(
                error, CARDO_ERROR_USAGE,
                "protonate=\"%s\" needs the hydrogens that hydrogens=\"no\" leaves out",
                draft->options->protonate);
        CARDO_TRY(read_asked(word, &a, error));
        CARDO_TRY(find_residue(draft, &a, &r, error));
        CARDO_TRY(check_state(&draft->residue[r], &a, &state, error));
        if (draft->residue[r].asked.text[0])
            return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                              "protonate=\"%s\": the residue is in the list already", a.text);
        name_set(&draft->residue[r].asked, state, (int)strlen(state));
    }
done:
    return status;
}
