# What `cmake --install` puts where: library, program, headers, data, manual pages, completions, cardo.pc and the CMake package.
if(NOT TARGET cardo_lib)
  return()
endif()
include(CMakePackageConfigHelpers)

install(FILES ${CARDO_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cardo)

if(CARDO_LAYERS)
  # For C++ and Fortran; the module is compiled by whoever uses it, as every compiler has files of its own for modules.
  install(FILES ${CARDO_LAYERS}/cardo/cardo.hpp ${CARDO_LAYERS}/cardo.f90 DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cardo)
endif()

install(TARGETS cardo_lib LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET cardo_program)
  # The program finds the library, and both find an OpenMM outside the system's folders, wherever they are moved.
  file(RELATIVE_PATH to_library ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(cardo_program PROPERTIES INSTALL_RPATH "$ORIGIN/${to_library}"
                        INSTALL_RPATH_USE_LINK_PATH ON)
  set_target_properties(cardo_lib PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS cardo_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  set(made ${PROJECT_BINARY_DIR}/manual)
  install(DIRECTORY ${made}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)
  install(FILES ${made}/cardo.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME cardo OPTIONAL)
  install(FILES ${made}/_cardo DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)
  install(FILES ${made}/cardo.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
endif()
foreach(folder forcefields topologies pdb)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/cardo
          FILES_MATCHING PATTERN "*.xml" PATTERN "*.rng" PATTERN "*.pdb")
endforeach()
install(FILES ${CARDO_REPORT_ASSETS}/3Dmol-min.js ${CARDO_REPORT_ASSETS}/uPlot.iife.min.js ${CARDO_REPORT_ASSETS}/uPlot.min.css
        DESTINATION ${CMAKE_INSTALL_DATADIR}/cardo/report OPTIONAL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)

# A static library leaves its users to link what it stands on; a shared one has done so.
set(private "")
if(NOT BUILD_SHARED_LIBS)
  list(APPEND private ${LAPACKE_LIBRARY} ${SUNDIALS_LIBRARIES} ${ZLIB_LIBRARIES})
  if(CARDO_MPI)
    list(APPEND private ${MPI_C_LIBRARIES})
  endif()
  if(NOT CARDO_ENGINE_ONLY)
    list(APPEND private ${LBFGS_LIBRARY})
    list(APPEND private ${LIBXML2_LINK_LIBRARIES} ${NETCDF_LINK_LIBRARIES} ${LIBCURL_LINK_LIBRARIES} ${JANSSON_LINK_LIBRARIES} ${OPENMM_LIBRARY})
    if(TARGET cardo_openmm_wrapper)
      install(TARGETS cardo_openmm_wrapper ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    endif()
  endif()
  list(APPEND private -lstdc++ -lpthread -lm)
endif()
set(CARDO_CONFIG_PRIVATE "${private}")
list(JOIN private " " CARDO_PC_PRIVATE)
if(NOT BUILD_SHARED_LIBS AND TARGET cardo_openmm_wrapper)
  set(wrapper_file ${CMAKE_STATIC_LIBRARY_PREFIX}cardo_openmm_wrapper${CMAKE_STATIC_LIBRARY_SUFFIX})
  set(CARDO_PC_PRIVATE "-lcardo_openmm_wrapper ${CARDO_PC_PRIVATE}")
  set(CARDO_CONFIG_PRIVATE "\${PACKAGE_PREFIX_DIR}/${CMAKE_INSTALL_LIBDIR}/${wrapper_file};${CARDO_CONFIG_PRIVATE}")
endif()

file(RELATIVE_PATH CARDO_PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/cardo.pc.in cardo.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cardo.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(BUILD_SHARED_LIBS)
  set(CARDO_LIBRARY_KIND SHARED)
  set(CARDO_LIBRARY_FILE ${CMAKE_SHARED_LIBRARY_PREFIX}cardo${CMAKE_SHARED_LIBRARY_SUFFIX})
else()
  set(CARDO_LIBRARY_KIND STATIC)
  set(CARDO_LIBRARY_FILE ${CMAKE_STATIC_LIBRARY_PREFIX}cardo${CMAKE_STATIC_LIBRARY_SUFFIX})
endif()
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/cardo)
configure_package_config_file(cmake/cardo-config.cmake.in ${PROJECT_BINARY_DIR}/cardo-config.cmake
                              INSTALL_DESTINATION ${package}
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cardo-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cardo-config.cmake ${PROJECT_BINARY_DIR}/cardo-config-version.cmake
        DESTINATION ${package})
