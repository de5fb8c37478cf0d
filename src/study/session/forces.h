/* Who computes the forces of a session's model: made when it is opened, and further providers of the same. */
#ifndef CARDO_STUDY_SESSION_FORCES_H
#define CARDO_STUDY_SESSION_FORCES_H

#include "study/session/session.h"

/* Sets session->provider, or session->parts or session->coarse, of which cardo_session_pose_provider makes it
 * when there is a system; masses[natom] to those of the force field (Da) where it has any, which
 * *have_masses tells. What prevents it stands in session->no_forces, and is an error unless forces are optional. */
cardo_status cardo_session_add_forces(cardo_session *session, double *masses, bool *have_masses,
                                      cardo_error *error);

/* The provider that works on body poses, rigid or coarse-grained, for the compiled system in its
 * present state (POSITION). */
cardo_status cardo_session_pose_provider(cardo_session *session, cardo_error *error);

/* A provider of the bonded terms of session->terms alone, on the same platform. The caller owns *out.
 */
cardo_status cardo_session_bonded_provider(const cardo_session *session, cardo_force_provider **out,
                                           cardo_error *error);

/* A provider of all terms of session->terms, what lies inside bodies too, on the same platform: for atoms
 * that all move. CARDO_ERROR_UNSUPPORTED with a serialized System, which may have constraints in place
 * of bonds. The caller owns *out. */
cardo_status cardo_session_whole_provider(const cardo_session *session, cardo_force_provider **out,
                                          cardo_error *error);

/* The same of the project's own, where that is what computes the model and it knows all terms: then the provider wants poses, of a body for every
 * atom (1 ... natom) whose one station is its origin; else that of cardo_session_whole_provider, of stations. */
cardo_status cardo_session_atoms_provider(const cardo_session *session, cardo_force_provider **out,
                                          cardo_error *error);

/* OpenMM for the whole of the force field or System as the model has it, inside bodies too, on this
 * platform: to judge provider rigid at positions (natom x 3, nm) by. The caller owns *out. */
cardo_status cardo_session_judge_provider(const cardo_session *session, const char *platform,
                                          const double *positions, cardo_force_provider **out,
                                          cardo_error *error);

enum { CARDO_ENGINE_TEXT = 64, CARDO_CHOICE_TEXT = 192 };

/* What computes forces, for logs: "OpenMM, CPU platform", "rigid, mixed precision"; and as one name for
 * run files, which a run that is continued must find again: the platform, or the same as before.
 * engine returns text. Needs a provider. */
const char *cardo_session_engine(const cardo_session *session, char text[CARDO_ENGINE_TEXT]);
const char *cardo_session_platform(const cardo_session *session);

/* Which provider forcefield.provider=auto took and why; "" where one was named. Returns text. */
const char *cardo_session_choice(const cardo_session *session, char text[CARDO_CHOICE_TEXT]);
/* The same to the listener, as a note about forcefield.provider. */
void cardo_session_tell_choice(const cardo_session *session);

/* A warning for the listener where the salt's kappa is not that of a bath of this temperature (K). */
void cardo_session_tell_salt(const cardo_session *session, double kelvin, const char *about);

#endif
