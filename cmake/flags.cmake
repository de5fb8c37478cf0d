# One interface target carries the language level, the warnings and the floating-point rules.
# -Wformat-truncation is off: messages are cut to their records on purpose.
add_library(cardo_flags INTERFACE)
target_compile_features(cardo_flags INTERFACE c_std_17 cxx_std_17)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# The shared library shows what src/include/cardo marks CARDO_API, and nothing else.
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
target_compile_definitions(cardo_flags INTERFACE _GNU_SOURCE)
target_include_directories(cardo_flags INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/src/include)
# Results must be the same bits from every compiler and vector width: no fused multiply-add unless the source
# asks for it (gcc fuses under gnu17, clang under c17), no -ffast-math.
target_compile_options(cardo_flags INTERFACE -ffp-contract=off -fno-math-errno)
target_compile_options(cardo_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wwrite-strings -Wcast-qual -Wvla
  -Wundef -Wdouble-promotion -Wformat=2 -Wno-format-truncation -Wimplicit-fallthrough
  -Wno-missing-field-initializers
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>)
if(CARDO_WARNINGS_AS_ERRORS)
  target_compile_options(cardo_flags INTERFACE -Werror)
endif()
# OpenMM throws C++ exceptions through our C frames; the tables must be there to unwind them.
target_compile_options(cardo_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-fexceptions>)
# What only steers the work of others, as tests do, gains nothing from more, and is compiled in half the time so.
set(CARDO_STEERING_OPTIONS $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
if(CARDO_SANITIZE)
  # RelWithDebInfo has NDEBUG; asserts are for such builds.
  # What goes through a null pointer, beyond an object or round the end of memory ASan sees where it happens: to test for it twice
  # doubles the time of the build.
  target_compile_options(cardo_flags INTERFACE -fsanitize=${CARDO_SANITIZE} -fno-sanitize-recover=all
                         -fno-sanitize=null,object-size,pointer-overflow -fno-omit-frame-pointer -UNDEBUG)
  target_link_options(cardo_flags INTERFACE -fsanitize=${CARDO_SANITIZE})
endif()
