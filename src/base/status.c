#include "base/status.h"

#include "base/number.h"

#include <stdarg.h>
#include <string.h>

const char *cardo_status_text(cardo_status status)
{
    switch (status) {
#define CARDO_STATUS_CASE(code, text)                                                              \
    case code:                                                                                     \
        return text;
        CARDO_STATUS_LIST(CARDO_STATUS_CASE)
#undef CARDO_STATUS_CASE
    }
    return "unknown status";
}

cardo_status cardo_fail(cardo_error *error, cardo_status code, const char *source_file,
                        int source_line, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        cardo_format_list(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        error->code = code;
        error->source_file = source_file;
        error->source_line = source_line;
    }
    return code;
}

cardo_status cardo_error_prefix(cardo_error *error, const char *format, ...)
{
    if (!error)
        return CARDO_ERROR_INPUT;
    char prefix[CARDO_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    cardo_format_list(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    size_t room = sizeof error->message - 1;
    size_t n = strlen(prefix);
    size_t kept = strlen(error->message);
    if (n > room)
        n = room;
    if (kept > room - n)
        kept = room - n;
    memmove(error->message + n, error->message, kept);
    memcpy(error->message, prefix, n);
    error->message[n + kept] = '\0';
    return error->code;
}
