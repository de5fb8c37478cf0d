/* Whether a text may be given to OpenMM as a serialized System. */
#ifndef CARDO_FORCES_OPENMM_SYSTEM_XML_H
#define CARDO_FORCES_OPENMM_SYSTEM_XML_H

#include "base/status.h"

/* OpenMM's deserializer believes the types that the XML names and descends without limit, so a
 * State in a System's place, or elements nested a million deep, would crash the process. This walks
 * over the tags (NUL-terminated text) and fails with CARDO_ERROR_INPUT and the line unless the root
 * is a System, each Force is of a class of forces, and no element is nested deeper than any System
 * is, and
 * where OpenMM's tree would take more than forty times the text: Systems take fifteen times theirs. Comments must hold no brackets, which OpenMM's parser counts. Whether the text is well-formed is
 * to be seen before (cardo_xml_check); the rest is OpenMM's to check. */
cardo_status cardo_system_xml_check(const char *text, cardo_error *error);

#endif
