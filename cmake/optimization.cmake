# What the library needs in order to be as fast as measured, in every build type except Debug.
#
# Distributions build with the type None and flags of their own, mostly -O2, which leave the asserts of the inner loops in and the
# shortest of them not unrolled. So the library says itself what it needs. These options stand after those of CMAKE_C_FLAGS and of the build
# type, and the last -O of a command holds. SEEBATCH_OPTIMIZE=OFF leaves the flags as they are given, for measurements and for
# builds that are to be small.

# seebatch_optimize(TARGET)
function(seebatch_optimize target)
  if(SEEBATCH_OPTIMIZE AND NOT SEEBATCH_SANITIZE AND NOT CMAKE_BUILD_TYPE MATCHES "^[Dd][Ee][Bb][Uu][Gg]$")
    target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O3>)
    target_compile_definitions(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:NDEBUG>)
  endif()
endfunction()
