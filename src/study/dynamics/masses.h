/* Masses by which all freedoms of a model are about equally fast, for sampling (masses="equalized"): A = <|K|> / omega^2, K the stiffness
 * of the model's forces, |K| with its eigenvalues taken positive and no softer than a least one, averaged over places of a thermal
 * trajectory. Were the energy quadratic with that K, every freedom would vibrate with omega; Bennett 1975 (J. Comput. Phys. 19, 267) has
 * the idea, with diagonal and full matrices. A is constant, so the ensemble is exp(-U/kT) of the coordinates whatever A is: a poor
 * one costs time and nothing else. */
#ifndef CARDO_STUDY_DYNAMICS_MASSES_H
#define CARDO_STUDY_DYNAMICS_MASSES_H

#include "base/writer.h"
#include "dynamics/simulation.h"
#include "sampling/variables/variable.h"
#include "study/session/session.h"

typedef enum cardo_masses { CARDO_MASSES_BODIES, CARDO_MASSES_EQUALIZED } cardo_masses;

typedef struct cardo_masses_options {
    int masses;       /* cardo_masses                                                            */
    double frequency; /* of every freedom, radian/ps                                             */
    int places;       /* at which the stiffness is looked at                                     */
    int steps;        /* between them                                                            */
    double least;     /* stiffness, kJ/mol per squared unit of a coordinate                      */
} cardo_masses_options;

extern const cardo_field cardo_masses_fields[];

/* What they are for. */
typedef struct cardo_masses_use {
    const cardo_masses_options *options;
    const cardo_simulation_options *simulation;
    const cardo_integrator *integrator;
    const char *about; /* the study whose notes these are */
    /* Along which places are spread, from one value to another; NULL: a trajectory wanders from the start. */
    const cardo_variable *variable;
    double from, to;
    const cardo_writer *writer; /* a run that goes on takes the masses that it had; or NULL */
} cardo_masses_use;

/* Gives the session's system the masses that the options want; nothing for those of bodies. The state is where it was, at POSITION. What is not sampling in
 * the corrected ensemble under a bath is refused, as are systems that cannot have such masses; a step that is long for the fastest freedom is
 * warned of. Members of the session's communicator call it alike, share the work and come to the same masses. */
cardo_status cardo_masses_choose(cardo_session *session, const cardo_masses_use *use,
                                 cardo_result *into, cardo_error *error);

/* Saves a system's masses beside its run, where they are not the bodies' own. */
cardo_status cardo_masses_keep(const cardo_system *system, const cardo_writer *writer,
                               cardo_error *error);

#endif
