# Writes OUTPUT, a header with the commit that is built: run at every build, it touches the file only when it changes.
#   cmake -DSOURCE=<project root> -DOUTPUT=<header> -P commit.cmake
set(commit "unknown")
find_program(GIT git)
if(GIT)
  # A copy of the project inside another repository has a prefix there; that repository's commit says nothing about it.
  execute_process(COMMAND ${GIT} rev-parse --show-prefix WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE prefix RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed AND prefix STREQUAL "")
    execute_process(COMMAND ${GIT} describe --always --dirty --exclude=* --abbrev=12 WORKING_DIRECTORY ${SOURCE}
      OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define SEEBATCH_BENCH_COMMIT \"${commit}\"\n")
