# What the library needs in order to be as fast as measured, in every build type except Debug.
#
# Distributions build with the type None and flags of their own, mostly -O2, which leave the asserts of the inner loops in and the
# shortest of them not unrolled. So the library says itself what it needs. These options stand after those of CMAKE_C_FLAGS and of the build
# type, and the last -O of a command holds. SEEBATCH_OPTIMIZE=OFF leaves the flags as they are given, for measurements and for
# builds that are to be small.
#
# Link-time optimisation (-flto), by which most distributions build, is left to the tool and to seebatch_io. The objects of the library
# hold machine code all the same: it is then that of other builds, which the tests of registers, stack frames and pending stores
# have looked at, and kernels for AVX-512 are not compiled together with code for every processor. Programs that link the
# static library need no compiler of the same version. The tests, too, are compiled so, because gcc with link-time optimisation
# does not find functions that stand in for others (--wrap).
check_c_compiler_flag(-fno-lto SEEBATCH_HAS_NO_LTO)
set(SEEBATCH_NO_LTO_FLAG "")
if(SEEBATCH_HAS_NO_LTO)
  set(SEEBATCH_NO_LTO_FLAG -fno-lto)
endif()

# Checked functions (_FORTIFY_SOURCE=3) make calls of copies of 16 or 32 bytes within arrays, which kernels do in single instructions.
# The preprocessor's own option undoes those that were given to it in the same way (-Wp,-D_FORTIFY_SOURCE=3), too; zig has none.
set(SEEBATCH_UNCHECKED_FLAG -U_FORTIFY_SOURCE)
check_c_compiler_flag(-Wp,-U_FORTIFY_SOURCE SEEBATCH_HAS_PREPROCESSOR_OPTIONS)
if(SEEBATCH_HAS_PREPROCESSOR_OPTIONS)
  set(SEEBATCH_UNCHECKED_FLAG -Wp,-U_FORTIFY_SOURCE)
endif()

# seebatch_optimize(TARGET)
function(seebatch_optimize target)
  if(SEEBATCH_OPTIMIZE AND NOT SEEBATCH_SANITIZE AND NOT CMAKE_BUILD_TYPE MATCHES "^[Dd][Ee][Bb][Uu][Gg]$")
    target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O3>)
    target_compile_definitions(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:NDEBUG>)
  endif()
endfunction()
