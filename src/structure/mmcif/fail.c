#include "structure/mmcif/reader.h"

cardo_status cardo_mmcif_fail(const cardo_mmcif_reader *reader, int line, const char *what,
                              const cardo_cif_token *value)
{
    char shown[32];
    size_t n = 0;
    for (; value && n < value->length && n < sizeof shown - 1; ++n)
        shown[n] = value->text[n] >= ' ' && value->text[n] <= '~' ? value->text[n] : '?';
    shown[n] = '\0';
    if (!value)
        return CARDO_FAIL(reader->error, CARDO_ERROR_INPUT, "%s:%d: %s", reader->name, line, what);
    return CARDO_FAIL(reader->error, CARDO_ERROR_INPUT, "%s:%d: %s, found '%s'", reader->name,
                      value->line, what, shown);
}
