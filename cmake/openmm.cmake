# OpenMM and its C API: target cardo_openmm_c.
#
# Conda-forge and upstream builds ship OpenMMCWrapper.h and its symbols. Debian and Ubuntu leave them out; then the
# wrapper is made from the distribution's own source package with upstream's generator, in the build folder.
include(CheckLibraryExists)
find_path(OPENMM_INCLUDE_DIR OpenMM.h HINTS $ENV{OPENMM_DIR}/include $ENV{CONDA_PREFIX}/include
          /usr/local/openmm/include)
find_library(OPENMM_LIBRARY OpenMM HINTS $ENV{OPENMM_DIR}/lib $ENV{CONDA_PREFIX}/lib
             /usr/local/openmm/lib)
if(NOT OPENMM_INCLUDE_DIR OR NOT OPENMM_LIBRARY)
  message(FATAL_ERROR "OpenMM was not found: ${MISSING} (or set OPENMM_DIR to an OpenMM installation)")
endif()

add_library(cardo_openmm_c INTERFACE)
find_path(OPENMM_C_INCLUDE_DIR OpenMMCWrapper.h HINTS ${OPENMM_INCLUDE_DIR} NO_DEFAULT_PATH)
if(OPENMM_C_INCLUDE_DIR)
  check_library_exists(${OPENMM_LIBRARY} OpenMM_System_create "" OPENMM_HAS_C_SYMBOLS)
endif()
if(OPENMM_C_INCLUDE_DIR AND OPENMM_HAS_C_SYMBOLS)
  set(CARDO_OPENMM_C "found in ${OPENMM_C_INCLUDE_DIR}")
  target_include_directories(cardo_openmm_c SYSTEM INTERFACE ${OPENMM_C_INCLUDE_DIR} ${OPENMM_INCLUDE_DIR})
  target_link_libraries(cardo_openmm_c INTERFACE ${OPENMM_LIBRARY})
else()
  set(CARDO_OPENMM_WRAPPER_DIR ${PROJECT_BINARY_DIR}/openmm-c-wrapper CACHE PATH
      "Where the generated OpenMM C wrapper is, or goes")
  set(wrapper ${CARDO_OPENMM_WRAPPER_DIR})
  if(NOT EXISTS ${wrapper}/OpenMMCWrapper.cpp)
    # By the build, beside what needs no OpenMM: it takes as long as a hundred files.
    message(STATUS "OpenMM has no C wrapper here: the build makes it from the distribution's source package")
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    add_custom_command(
      OUTPUT ${wrapper}/OpenMMCWrapper.cpp ${wrapper}/OpenMMCWrapper.h
      COMMAND ${CMAKE_COMMAND} -E env PYTHON=${Python3_EXECUTABLE}
              ${PROJECT_SOURCE_DIR}/cmake/make-openmm-c-wrapper.sh ${wrapper}
      COMMENT "Making OpenMM's C wrapper" VERBATIM)
    file(MAKE_DIRECTORY ${wrapper})
  endif()
  set(CARDO_OPENMM_C "made in ${wrapper}")
  add_library(cardo_openmm_wrapper STATIC ${wrapper}/OpenMMCWrapper.cpp ${wrapper}/OpenMMCWrapper.h)
  set_target_properties(cardo_openmm_wrapper PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_STANDARD 17)
  target_compile_options(cardo_openmm_wrapper PRIVATE -w -O1)
  target_include_directories(cardo_openmm_wrapper SYSTEM PUBLIC ${wrapper} ${OPENMM_INCLUDE_DIR})
  target_link_libraries(cardo_openmm_wrapper PUBLIC ${OPENMM_LIBRARY})
  target_link_libraries(cardo_openmm_c INTERFACE cardo_openmm_wrapper)
endif()
