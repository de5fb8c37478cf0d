#include "structure/prepare/draft.h"

#include "base/memory.h"
#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cardo_draft_label(const cardo_draft_residue *residue, char text[40])
{
    char insertion[2] = {residue->insertion, '\0'};
    snprintf(text, 40, "%s:%s%d%s", residue->chain.text, residue->name.text, residue->number,
             insertion);
}

static cardo_change *next_change(cardo_draft *draft, cardo_change_kind kind, cardo_error *error)
{
    cardo_preparation *p = draft->preparation;
    if (CARDO_RESERVE(&p->change, &p->change_capacity, p->nchange + 1, error) != CARDO_OK)
        return NULL;
    p->change[p->nchange] = (cardo_change){.kind = kind, .topic = draft->topic};
    return &p->change[p->nchange++];
}

cardo_status cardo_draft_note(cardo_draft *draft, cardo_change_kind kind, int residue,
                              const cardo_name *atom, cardo_error *error, const char *format, ...)
{
    cardo_change *change = next_change(draft, kind, error);
    if (!change)
        return CARDO_ERROR_MEMORY;
    cardo_draft_label(&draft->residue[residue], change->residue);
    if (atom) {
        change->atom = *atom;
        int at = cardo_draft_find(&draft->residue[residue], atom->text);
        change->hydrogen = at >= 0 && draft->residue[residue].atom[at].element == CARDO_HYDROGEN;
    }
    va_list arguments;
    va_start(arguments, format);
    cardo_format_list(change->reason, sizeof change->reason, format, arguments);
    va_end(arguments);
    return CARDO_OK;
}

cardo_status cardo_draft_note_source(cardo_draft *draft, cardo_change_kind kind, int source,
                                     int atom, const char *reason, cardo_error *error)
{
    const cardo_structure *s = draft->structure;
    cardo_change *change = next_change(draft, kind, error);
    if (!change)
        return CARDO_ERROR_MEMORY;
    cardo_residue_label(s, source, change->residue);
    if (atom >= 0) {
        change->atom = s->atom_name[atom];
        change->hydrogen = s->element[atom] == CARDO_HYDROGEN;
    }
    snprintf(change->reason, sizeof change->reason, "%s", reason);
    return CARDO_OK;
}

cardo_status cardo_draft_note_file(cardo_draft *draft, cardo_error *error, const char *format, ...)
{
    cardo_change *change = next_change(draft, CARDO_CHANGE_NOTED, error);
    if (!change)
        return CARDO_ERROR_MEMORY;
    snprintf(change->residue, sizeof change->residue, "file");
    va_list arguments;
    va_start(arguments, format);
    cardo_format_list(change->reason, sizeof change->reason, format, arguments);
    va_end(arguments);
    return CARDO_OK;
}

void cardo_draft_measure(cardo_draft *draft, const char *what, double value)
{
    cardo_change *change = &draft->preparation->change[draft->preparation->nchange - 1];
    change->measure = what;
    change->value = value;
}

const cardo_draft_atom *cardo_draft_partner(const cardo_draft *draft, const cardo_draft_atom *atom)
{
    int source = atom->source < 0 || !draft->partner ? -1 : draft->partner[atom->source];
    int r = source < 0 ? -1 : cardo_draft_of_source(draft, draft->structure->atom_residue[source]);
    for (int i = 0; r >= 0 && i < draft->residue[r].natom; ++i)
        if (draft->residue[r].atom[i].source == source)
            return &draft->residue[r].atom[i];
    return NULL;
}

int cardo_draft_of_source(const cardo_draft *draft, int source)
{
    for (int r = 0; r < draft->count; ++r)
        if (draft->residue[r].source == source)
            return r;
    return -1;
}

cardo_status cardo_draft_insert(cardo_draft *draft, int at, const cardo_draft_residue *residue,
                                cardo_error *error)
{
    cardo_status status = CARDO_RESERVE(&draft->residue, &draft->capacity, draft->count + 1, error);
    if (status != CARDO_OK)
        return status;
    memmove(draft->residue + at + 1, draft->residue + at,
            (size_t)(draft->count - at) * sizeof *draft->residue);
    draft->residue[at] = *residue;
    draft->residue[at].natom = draft->residue[at].capacity = 0;
    draft->residue[at].atom = NULL;
    ++draft->count;
    return CARDO_OK;
}

cardo_status cardo_draft_add_atom(cardo_draft_residue *residue, int at,
                                  const cardo_draft_atom *atom, cardo_error *error)
{
    cardo_status status =
        CARDO_RESERVE(&residue->atom, &residue->capacity, residue->natom + 1, error);
    if (status != CARDO_OK)
        return status;
    memmove(residue->atom + at + 1, residue->atom + at,
            (size_t)(residue->natom - at) * sizeof *residue->atom);
    residue->atom[at] = *atom;
    ++residue->natom;
    return CARDO_OK;
}

void cardo_draft_remove_atom(cardo_draft_residue *residue, int at)
{
    --residue->natom;
    memmove(residue->atom + at, residue->atom + at + 1,
            (size_t)(residue->natom - at) * sizeof *residue->atom);
}

int cardo_draft_find(const cardo_draft_residue *residue, const char *name)
{
    for (int k = 0; k < residue->natom; ++k)
        if (strcmp(residue->atom[k].name.text, name) == 0)
            return k;
    return -1;
}

const cardo_draft_atom *cardo_draft_atom_called(const cardo_draft_residue *residue,
                                                const char *name)
{
    int at = cardo_draft_find(residue, name);
    return at < 0 ? NULL : &residue->atom[at];
}

const cardo_draft_atom *cardo_draft_linked_atom(const cardo_draft *draft, int residue,
                                                const char *name)
{
    static const char *const links[][2] = {{"C", "N"}, {"O3'", "P"}};
    const cardo_draft_residue *r = draft->residue;
    for (int k = 0; k < 2; ++k) {
        if (strcmp(name, links[k][0]) == 0 && residue + 1 < draft->count && r[residue + 1].linked)
            return cardo_draft_atom_called(&r[residue + 1], links[k][1]);
        if (strcmp(name, links[k][1]) == 0 && r[residue].linked)
            return cardo_draft_atom_called(&r[residue - 1], links[k][0]);
    }
    return NULL;
}
