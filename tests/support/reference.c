#include "support/reference.h"

#include <stdio.h>
#include <zlib.h>

static size_t read_some(void *buffer, size_t size, void *file)
{
    int n = gzread(file, buffer, (unsigned)size);
    return n < 0 ? (size_t)-1 : (size_t)n;
}

json_t *support_json(const char *path)
{
    json_error_t why = {.text = "it cannot be opened"};
    gzFile file = gzopen(path, "rb");
    json_t *json = file ? json_load_callback(read_some, file, 0, &why) : NULL;
    if (file)
        gzclose(file);
    if (!json)
        printf("%s: %s\n", path, why.text);
    return json;
}

double support_number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

const char *support_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}
