/* What is written of modes: tables, a file for NMWiz, animations, pictures. */
#ifndef CARDO_STUDY_MODES_FILES_H
#define CARDO_STUDY_MODES_FILES_H

#include "base/writer.h"
#include "study/modes/result.h"

/* Writes all files of a result that cardo_modes_fill has filled from these findings, and adds to it what the
 * animations show of bonds that are cut between bodies. Nothing without a writer. The state stands where it stood
 * afterwards. */
cardo_status cardo_mode_files_write(const cardo_mode_findings *findings, const cardo_writer *writer,
                                    cardo_result *result, cardo_error *error);

#endif
