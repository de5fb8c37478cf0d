/* OpenMM as a force provider. Only the files of this room see OpenMM's C API. */
#ifndef CARDO_FORCES_OPENMM_OPENMM_H
#define CARDO_FORCES_OPENMM_OPENMM_H

#include "cardo/forces.h"

#include "forces/terms/terms.h"
#include "multibody/force.h"

typedef enum cardo_nonbonded_method {
    CARDO_ALL_PAIRS, /* exact; on the CPU platform by a cutoff beyond the molecule with dielectric 1
                      */
    CARDO_NO_CUTOFF, /* exact, OpenMM's NoCutoff even where it is slow */
    CARDO_CUTOFF /* CutoffNonPeriodic at cutoff nm                                                */
} cardo_nonbonded_method;

typedef struct cardo_openmm_options {
    char platform[32]; /* "auto": the fastest that works; else Reference, CPU, OpenCL, CUDA, HIP */
    char properties[256]; /* "Threads=2,Precision=mixed" */
    cardo_nonbonded_method method;
    double cutoff;         /* nm         */
    double reaction_field; /* dielectric of CARDO_CUTOFF: 0 means 1 with GB, 78.3 without */
    int threads;           /* CPU platform; 0: as many as the machine has           */
} cardo_openmm_options;

cardo_openmm_options cardo_openmm_options_default(void);

/* Of all providers here. compute: one OpenMM call for forces and total energy. With term_energies
 * it evaluates every term but the dearest once more (the dearest is what is left of the total): the
 * bonded terms in vacuum, and the nonbonded one besides with a solvent. position_buffer is OpenMM's
 * own memory. Positions that are not finite are CARDO_ERROR_NUMERICAL with the atom's number; atoms
 * that overlap (forces not finite) or are spread over more than 1000 nm are CARDO_RECOVERABLE. On
 * the CPU platform the result is bitwise repeatable (CARDO_FORCE_DETERMINISTIC) with one thread and
 * no cutoff only: OpenMM's threads share out work as they get free. */

/* A provider for these terms. body_of_atom (natom, or NULL): bonded terms whose atoms all share a
 * body are left out of the System; their energy at positions (natom x 3, nm) is added to every
 * report as a constant by term. The provider copies what it needs. Terms: "bond", "angle",
 * "torsion", "improper" (harmonic), "rb-torsion", "cmap", "nonbonded", "gb" (those that exist).
 * Every OpenMM exception becomes CARDO_ERROR_PROVIDER with its text. */
cardo_status cardo_openmm_provider_create(const cardo_terms *terms, const int *body_of_atom,
                                          const double *positions,
                                          const cardo_openmm_options *options,
                                          cardo_force_provider **out, cardo_error *error);

/* A provider for a serialized System (System.xml, plain or gzip) that must have natom particles.
 * Terms are named after the System's forces, which are one term where they have one name. The
 * method applies to forces that are NoCutoff; others keep their own cutoff. masses (natom, may be
 * NULL) receives the particles' masses. */
cardo_status cardo_openmm_provider_from_system(const char *path, int natom,
                                               const cardo_openmm_options *options, double *masses,
                                               cardo_force_provider **out, cardo_error *error);

/* A System taken apart for a provider of our own. */
typedef struct cardo_openmm_parts {
    const cardo_terms *terms;   /* what terms can hold, atoms' masses included                  */
    cardo_terms *own;           /* the same where they were made here, NULL: terms are borrowed */
    double cutoff, gb_cutoff;   /* nm, of pairs and of the solvent; 0: none                     */
    double reaction_field;      /* dielectric beyond the cutoff                                 */
    cardo_force_provider *rest; /* of all other forces, on OpenMM; NULL when there are none     */
} cardo_openmm_parts;

/* The System that a provider would be made of, by the same rules and options, taken apart into terms
 * and the rest. body_of_atom and positions as there: with it impropers inside bodies, which are of
 * the rest, become constants. Where a System would give all terms back as they are none is made, and *parts borrows
 * them: they stay as long as the parts. The caller clears *parts. */
cardo_status cardo_openmm_parts_from_terms(const cardo_terms *terms, const int *body_of_atom,
                                           const double *positions,
                                           const cardo_openmm_options *options,
                                           cardo_openmm_parts *parts, cardo_error *error);
cardo_status cardo_openmm_parts_from_system(const char *path, int natom, const double *positions,
                                            const cardo_openmm_options *options,
                                            cardo_openmm_parts *parts, cardo_error *error);
void cardo_openmm_parts_clear(cardo_openmm_parts *parts);

/* Makes the provider forget earlier positions: the CPU platform sums pairs in the order of a list
 * that it makes when atoms have moved far, so the last bits of forces depend on where that was.
 * After priming, results depend on these positions (natom x 3, nm) and on later ones only. A
 * provider made from terms is primed with the positions it was made with; with all pairs the list
 * lasts until an atom has moved 6 nm. Costs about as much as an evaluation. */
cardo_status cardo_openmm_provider_prime(cardo_force_provider *provider, const double *positions,
                                         cardo_error *error);

/* The System of these terms, all of them and over all pairs, as OpenMM's XmlSerializer writes it; positions (natom x 3, nm) as of
 * cardo_openmm_provider_create. The caller owns *out. */
cardo_status cardo_openmm_system_text(const cardo_terms *terms, const double *positions, char **out,
                                      cardo_error *error);

/* Platform that a provider of this module runs on ("CPU"); provider->doc is a line about it for
 * logs. Borrowed. */
const char *cardo_openmm_provider_platform(const cardo_force_provider *provider);

#endif
