#include "base/output.h"
#include "io/results/result_printer.h"

const cardo_result_printer *const cardo_result_printers[] = {
    &cardo_printer_text, &cardo_printer_json, &cardo_printer_csv, &cardo_printer_npy, NULL};

cardo_status cardo_result_write(const cardo_result *part, const cardo_result_printer *printer,
                                const char *path, cardo_error *error)
{
    cardo_output output = {0};
    cardo_status status = cardo_output_open(&output, path, error);
    if (status == CARDO_OK)
        status = printer->print(part, output.stream, error);
    if (status == CARDO_OK)
        return cardo_output_commit(&output, error);
    cardo_output_abandon(&output);
    return status;
}
