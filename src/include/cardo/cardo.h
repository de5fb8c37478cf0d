/* Cardo: slow motions of proteins whose domains turn about hinges. This header includes all others.
 *
 * What calls what, in which order
 *
 *   cardo_session_open          a model file, or two structures (cardo_session_open_pair): atoms, bodies, hinges, the state
 *                               where it starts, and who computes the forces
 *   cardo_session_run           a study by its name with options "name=value" ("minimize", {"iterations=100"}); as often as
 *                               wanted, one after the other: each begins where the session's state stands
 *   cardo_result_find           values, tables and texts of its result by their names (cardo/result.h); as JSON, CSV or NPY by
 *                               cardo_result_print, as sentences and pages for people by cardo_result_say and
 *                               cardo_result_report (cardo/result_text.h)
 *   cardo_result_destroy
 *   cardo_session_close
 *
 * Which studies there are, and their options: cardo_study_list, cardo_study_option_tables (cardo/study.h). What is told on
 * the way (what reading has met, warnings, progress) goes to a cardo_listener of yours, which may also stop it; files
 * are written into a folder that is handed in (cardo_files_open, cardo/files.h), where a run may go on, or not at all. Several processes work
 * together on a study where each hands in its end of a cardo_communicator (cardo/communicator.h; of MPI: cardo/mpi.h,
 * which is not included here).
 *
 * Below that: cardo/structure.h reads, writes and compares structures; cardo/model.h makes bodies of them;
 * cardo/multibody.h and cardo/dynamics.h are the engine, which knows no molecule and may be used without any.
 *
 * Who frees what
 *
 *   What a function hands over by an argument `out` is the caller's, who frees it by the function that its type has:
 *   cardo_session_close, cardo_result_destroy, cardo_structure_destroy, cardo_model_destroy, cardo_system_destroy,
 *   cardo_state_destroy, cardo_simulation_destroy, cardo_evaluator_destroy, cardo_force_provider_destroy,
 *   cardo_communicator_destroy, cardo_files_close, cardo_fetcher_destroy; texts by cardo_free. All accept NULL, and *out is NULL
 *   after a failure (but see cardo_session_run of a study that fails under way).
 *   Pointers that are returned are borrowed from what they were asked of, and hold as long as that is not
 *   changed. Names and option texts that are handed in are copied; a listener's and a writer's data, a communicator and a
 *   provider are not, and must outlive what they were given to.
 *
 * What fails
 *
 *   A function that may fail returns a cardo_status, CARDO_OK or why not, and says the rest in a cardo_error, which is
 *   the caller's and may be NULL. The library prints nothing, ends no process, and changes neither the locale nor signals.
 *
 * Structs whose first member is `size` may grow: set it to sizeof the struct, and all that is not used to zero.
 *
 * A session and what belongs to it is used by one thread at a time; several sessions by several threads. Results have the same bits
 * on any number of threads and processes.
 *
 * Units are nm, ps, Da, kJ/mol, K, elementary charge, radian. */
#ifndef CARDO_H
#define CARDO_H

#include <cardo/communicator.h>
#include <cardo/dynamics.h>
#include <cardo/fetch.h>
#include <cardo/field.h>
#include <cardo/files.h>
#include <cardo/forces.h>
#include <cardo/geometry.h>
#include <cardo/listener.h>
#include <cardo/memory.h>
#include <cardo/model.h>
#include <cardo/multibody.h>
#include <cardo/named_files.h>
#include <cardo/report.h>
#include <cardo/result.h>
#include <cardo/result_fill.h>
#include <cardo/result_text.h>
#include <cardo/session.h>
#include <cardo/status.h>
#include <cardo/structure.h>
#include <cardo/study.h>
#include <cardo/text.h>
#include <cardo/units.h>
#include <cardo/writer.h>

#endif
