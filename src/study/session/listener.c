#include "study/session/listener.h"

#include "base/number.h"

#include <stdarg.h>

enum { LONGEST = 8192 };

void cardo_tell(const cardo_listener *listener, cardo_severity severity, const char *about,
                const char *format, ...)
{
    char text[LONGEST];
    va_list arguments;
    if (!listener || !listener->say)
        return;
    va_start(arguments, format);
    cardo_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    listener->say(listener->user, severity, about, text);
}
