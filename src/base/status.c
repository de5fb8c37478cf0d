#include "base/status.h"

#include "base/number.h"

#include <stdarg.h>
#include <string.h>

const char *cardo_status_text(cardo_status status)
{
    switch (status) {
    case CARDO_OK:
        return "success";
    case CARDO_RECOVERABLE:
        return "this configuration cannot be evaluated, a nearby one can";
    case CARDO_ERROR_INPUT:
        return "the input is wrong";
    case CARDO_ERROR_USAGE:
        return "the command line is wrong";
    case CARDO_ERROR_FILE:
        return "a file cannot be read or written";
    case CARDO_ERROR_MEMORY:
        return "out of memory";
    case CARDO_ERROR_ARGUMENT:
        return "a function was called with an argument outside its contract";
    case CARDO_ERROR_STAGE:
        return "a quantity was asked for above the realized stage";
    case CARDO_ERROR_SINGULAR:
        return "a mass matrix or mobilizer is singular here";
    case CARDO_ERROR_NUMERICAL:
        return "the numbers went wrong: not finite, or no convergence";
    case CARDO_ERROR_PROVIDER:
        return "the force provider failed";
    case CARDO_ERROR_UNSUPPORTED:
        return "this is not supported";
    case CARDO_ERROR_INTERRUPTED:
        return "interrupted";
    case CARDO_ERROR_LOST:
        return "a process that took part has ended before its time";
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
