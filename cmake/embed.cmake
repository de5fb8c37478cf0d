# cardo_embed(OUT.c FILES...): a source with the bytes of files, each as cardo_file_NAME with its length, NAME_size, where NAME is the
# file's name with '_' for dots.
function(cardo_embed out)
  set(text "/* Made by cmake/embed.cmake. */\n#include <stddef.h>\n")
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(name ${file} NAME)
    string(MAKE_C_IDENTIFIER ${name} name)
    file(READ ${file} bytes HEX)
    string(LENGTH "${bytes}" size)
    math(EXPR size "${size} / 2")
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND text "extern const unsigned char cardo_file_${name}[];\nextern const size_t cardo_file_${name}_size;\n"
                       "const unsigned char cardo_file_${name}[] = {\n${bytes}};\nconst size_t cardo_file_${name}_size = ${size};\n")
  endforeach()
  file(CONFIGURE OUTPUT ${out} CONTENT "${text}" @ONLY)
endfunction()
