/* PeriodicTorsionForce: up to as many terms a torsion as the file has. */
#include "base/memory.h"
#include "forces/ffxml/sections/torsion_definitions.h"

#include <stdio.h>

/* Reads phaseN, periodicityN, kN for N = 1, 2, ... as long as there is a phaseN. */
static cardo_status read_waves(cardo_forcefield *ff, const cardo_xml *document,
                               const cardo_xml_element *element,
                               cardo_torsion_definition *definition, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    definition->first = ff->nwave;
    for (int n = 1;; ++n) {
        char phase[24], periodicity[24], k[24];
        snprintf(phase, sizeof phase, "phase%d", n);
        snprintf(periodicity, sizeof periodicity, "periodicity%d", n);
        snprintf(k, sizeof k, "k%d", n);
        if (!cardo_xml_attribute(element, phase))
            break;
        cardo_torsion_wave wave;
        CARDO_TRY(cardo_xml_double(document, element, phase, &wave.phase, error));
        CARDO_TRY(cardo_xml_int(document, element, periodicity, &wave.periodicity, error));
        CARDO_TRY(cardo_xml_double(document, element, k, &wave.k, error));
        CARDO_TRY(CARDO_RESERVE(&ff->wave, &ff->wave_capacity, ff->nwave + 1, error));
        ff->wave[ff->nwave++] = wave;
        ++definition->count;
    }
done:
    return status;
}

static cardo_status read_torsions(cardo_forcefield *ff, const cardo_xml *document,
                                  const cardo_xml_element *element, cardo_error *error)
{
    return cardo_torsions_read(ff, document, element, CARDO_ORDERING_DEFAULT, read_waves,
                               &ff->proper, &ff->improper, error);
}

static cardo_status add_wave(cardo_assignment *assignment, const int atom[4],
                             cardo_torsion_wave wave, cardo_error *error)
{
    cardo_terms *terms = assignment->terms;
    if (wave.k == 0)
        return CARDO_OK;
    cardo_status status = CARDO_RESERVE(&terms->list.torsion, &assignment->torsion_capacity,
                                        terms->ntorsion + 1, error);
    if (status == CARDO_OK)
        terms->list.torsion[terms->ntorsion++] = (cardo_torsion_term){
            atom[0], atom[1], atom[2], atom[3], wave.periodicity, wave.phase, wave.k};
    return status;
}

static cardo_status add_proper(cardo_assignment *assignment,
                               const cardo_torsion_definition *definition, const int atom[4],
                               cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int n = 0; n < definition->count && status == CARDO_OK; ++n)
        status =
            add_wave(assignment, atom, assignment->forcefield->wave[definition->first + n], error);
    return status;
}

/* SMIRNOFF puts the same term on the three torsions about the centre. */
static cardo_status add_improper(cardo_assignment *assignment,
                                 const cardo_torsion_definition *definition, const int a[4],
                                 cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int n = 0; n < definition->count; ++n) {
        cardo_torsion_wave wave = assignment->forcefield->wave[definition->first + n];
        CARDO_TRY(add_wave(assignment, a, wave, error));
        if (definition->ordering != CARDO_ORDERING_SMIRNOFF)
            continue;
        CARDO_TRY(add_wave(assignment, (int[4]){a[0], a[2], a[3], a[1]}, wave, error));
        CARDO_TRY(add_wave(assignment, (int[4]){a[0], a[3], a[1], a[2]}, wave, error));
    }
done:
    return status;
}

static cardo_status assign_torsions(cardo_assignment *assignment, cardo_error *error)
{
    const cardo_forcefield *ff = assignment->forcefield;
    cardo_status status = cardo_propers_assign(assignment, &ff->proper, add_proper, error);
    if (status == CARDO_OK)
        status = cardo_impropers_assign(assignment, &ff->improper, true, add_improper, error);
    return status;
}

const cardo_section cardo_section_torsion = {
    .element = "PeriodicTorsionForce",
    .doc = "periodic proper and improper torsions",
    .read = read_torsions,
    .assign = assign_torsions,
};
