#include "model/file/overrides.h"

#include <string.h>

int cardo_overrides_of(const cardo_overrides *overrides, int k, const char *element,
                       const char **attribute, const char **value)
{
    const char *text = overrides->text[k];
    size_t length = strlen(element);
    const char *equals = strchr(text, '=');
    if (!equals || strncmp(text, element, length) != 0 || text[length] != '.')
        return 0;
    *attribute = text + length + 1;
    *value = equals + 1;
    return (int)(equals - *attribute);
}

const char *cardo_overrides_value(const cardo_overrides *overrides, const char *element,
                                  const char *attribute)
{
    const char *found = NULL, *name, *value;
    for (int k = 0; k < overrides->count; ++k) {
        int length = cardo_overrides_of(overrides, k, element, &name, &value);
        if (length > 0 && strlen(attribute) == (size_t)length &&
            memcmp(name, attribute, (size_t)length) == 0)
            found = value;
    }
    return found;
}
