# Writes OUTPUT, a header with the commit that is built: run at every build, it touches the file only when it changes.
#   cmake -DSOURCE=<project root> -DOUTPUT=<header> -P commit.cmake
set(commit "unknown")
find_program(GIT git)
if(GIT)
  # A copy of the project inside another repository has a prefix there; that repository's commit says nothing about it.
  execute_process(COMMAND ${GIT} rev-parse --show-prefix WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE prefix RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed AND prefix STREQUAL "")
    execute_process(COMMAND ${GIT} rev-parse --short=12 HEAD WORKING_DIRECTORY ${SOURCE}
      OUTPUT_VARIABLE head RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${GIT} status --porcelain --untracked-files=no WORKING_DIRECTORY ${SOURCE}
      OUTPUT_VARIABLE changes ERROR_QUIET)
    if(NOT failed)
      set(commit "${head}")
      if(NOT changes STREQUAL "")
        string(APPEND commit "-dirty")
      endif()
    endif()
  endif()
endif()

set(text "#define SEEBATCH_BENCH_COMMIT \"${commit}\"\n")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT text STREQUAL old)
  file(WRITE ${OUTPUT} "${text}")
endif()
