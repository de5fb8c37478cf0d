# SUNDIALS' CVODE and ARKODE: SUNDIALS_FOUND, SUNDIALS_INCLUDE_DIR, SUNDIALS_LIBRARIES, SUNDIALS_VERSION. Its own package
# file (Debian's) asks for MPI and more, which these two do not need. Version 7 has another error handler.
find_path(SUNDIALS_INCLUDE_DIR cvode/cvode.h)
find_library(SUNDIALS_CVODE_LIBRARY sundials_cvode)
find_library(SUNDIALS_ARKODE_LIBRARY sundials_arkode)
set(SUNDIALS_LIBRARIES ${SUNDIALS_CVODE_LIBRARY} ${SUNDIALS_ARKODE_LIBRARY})
if(SUNDIALS_INCLUDE_DIR)
  file(STRINGS ${SUNDIALS_INCLUDE_DIR}/sundials/sundials_config.h line REGEX "define SUNDIALS_VERSION \"")
  string(REGEX REPLACE ".*\"(.*)\".*" "\\1" SUNDIALS_VERSION "${line}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SUNDIALS
  REQUIRED_VARS SUNDIALS_INCLUDE_DIR SUNDIALS_CVODE_LIBRARY SUNDIALS_ARKODE_LIBRARY VERSION_VAR SUNDIALS_VERSION
  HANDLE_VERSION_RANGE)
mark_as_advanced(SUNDIALS_INCLUDE_DIR SUNDIALS_CVODE_LIBRARY SUNDIALS_ARKODE_LIBRARY)
