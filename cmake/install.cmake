# What `cmake --install` puts where: header, both libraries, licence, pkg-config file and CMake package. The tool and its
# manual page are installed by tools/CMakeLists.txt. The installed tree can be moved: nothing in it names a path.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/seebatch)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES ${PROJECT_SOURCE_DIR}/include/seebatch.h ${PROJECT_SOURCE_DIR}/include/seebatch_see.h
  ${PROJECT_SOURCE_DIR}/include/seebatch_see_mailbox.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# seebatch_forms(NAME RESULT): its libraries that are asked for.
function(seebatch_forms name result)
  set(forms "")
  if(SEEBATCH_STATIC)
    list(APPEND forms ${name})
  endif()
  if(SEEBATCH_SHARED)
    list(APPEND forms ${name}_shared)
  endif()
  set(${result} ${forms} PARENT_SCOPE)
endfunction()
seebatch_forms(seebatch forms)
install(TARGETS ${forms} EXPORT seebatch
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# find_package(seebatch) gives seebatch::seebatch (static) and seebatch::seebatch_shared; with COMPONENTS io also
# seebatch::seebatch_io and seebatch::seebatch_io_shared, where zlib, libzstd and simdjson are found.
install(EXPORT seebatch NAMESPACE seebatch:: FILE seebatch-targets.cmake DESTINATION ${package_dir})
set(seebatch_io_needs "zlib and libzstd 1.4")
set(pc_io_requires_private "zlib, libzstd")
set(pc_io_libs_private "-pthread")
set(seebatch_io_needs_simdjson OFF)
if(SEEBATCH_JSON_FOUND)
  string(APPEND pc_io_libs_private " -l${SEEBATCH_CXX_LIBRARY}")
  if(NOT SEEBATCH_SIMDJSON_SOURCE)
    set(seebatch_io_needs_simdjson ON)
    set(seebatch_io_needs "zlib, libzstd 1.4 and simdjson 3.0")
    string(APPEND pc_io_requires_private ", simdjson")
  endif()
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/seebatch-config.cmake.in
  ${PROJECT_BINARY_DIR}/seebatch-config.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Only a new major version breaks the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/seebatch-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/seebatch-config.cmake ${PROJECT_BINARY_DIR}/seebatch-config-version.cmake
  DESTINATION ${package_dir})

if(TARGET seebatch_io)
  install(FILES ${PROJECT_SOURCE_DIR}/include/seebatch_io.h ${PROJECT_SOURCE_DIR}/include/seebatch_arrow.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  seebatch_forms(seebatch_io forms)
  install(TARGETS ${forms} EXPORT seebatch_io
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT seebatch_io NAMESPACE seebatch:: FILE seebatch_io-targets.cmake DESTINATION ${package_dir})
  # Where the system's loader looks anyway, distributions want no search path in a library.
  if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set_target_properties(seebatch_io_shared PROPERTIES INSTALL_RPATH "$ORIGIN")
  endif()
endif()
if(TARGET seebatch_tool AND NOT SEEBATCH_STATIC AND NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH from_tool /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR})
  set_target_properties(seebatch_tool PROPERTIES INSTALL_RPATH "$ORIGIN/${from_tool}")
endif()

# The pkg-config file finds its prefix from where it lies, unless the directories were given as absolute paths.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
  set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
  set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH up /prefix/${pkgconfig_dir} /prefix)
  string(REGEX REPLACE "/$" "" up "${up}")
  set(pc_prefix "\${pcfiledir}/${up}")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
set(pc_url "") # no line, as long as there is no address
if(PROJECT_HOMEPAGE_URL)
  set(pc_url "URL: ${PROJECT_HOMEPAGE_URL}\n")
endif()
set(pc_libs_private)
if(SEEBATCH_THREADS)
  set(pc_libs_private -pthread)
endif()
# Where there are static libraries alone, programs always have to link what these need.
if(NOT SEEBATCH_SHARED)
  set(pc_libs " ${pc_libs_private}")
  set(pc_io_requires ", ${pc_io_requires_private}")
  set(pc_io_libs " ${pc_io_libs_private}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/seebatch.pc.in ${PROJECT_BINARY_DIR}/seebatch.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/seebatch.pc DESTINATION ${pkgconfig_dir})
if(TARGET seebatch_io)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/seebatch_io.pc.in ${PROJECT_BINARY_DIR}/seebatch_io.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/seebatch_io.pc DESTINATION ${pkgconfig_dir})
endif()
