# Hardening of what is installed, and the same bytes from the same source.
#
# Functions of the library have frames of up to 66 KB. A thread whose stack is smaller must meet its guard page and end, instead of
# writing beyond it into the memory of another thread. So large frames are probed page by page (-fstack-clash-protection) in every
# build whose compiler can do that. On Windows and macOS compilers do it unasked.
#
# The tool, and the files of the library that read text, get stack protectors; the tool gets the C library's checked functions
# and is position independent; tool and shared library have their relocations read-only from the start. The code that evaluates
# has no buffers that input could overrun, and is left as it is: its instructions are counted by tests. Nothing of this in builds
# with sanitizers, which see more. No file name of the build gets into the binaries of a release; debuggers want them elsewhere.
check_c_compiler_flag(-ffile-prefix-map=/a=b SEEBATCH_HAS_PREFIX_MAP)
if(SEEBATCH_HAS_PREFIX_MAP AND SEEBATCH_TOP_LEVEL)
  add_compile_options($<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>
    $<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_BINARY_DIR}=build>)
endif()

# Some clang only warn that they do nothing by it.
set(CMAKE_REQUIRED_FLAGS -Werror)
check_c_compiler_flag(-fstack-clash-protection SEEBATCH_HAS_STACK_CLASH)
unset(CMAKE_REQUIRED_FLAGS)
set(SEEBATCH_PROBE_FLAGS "")
if(SEEBATCH_HAS_STACK_CLASH AND NOT WIN32)
  set(SEEBATCH_PROBE_FLAGS -fstack-clash-protection)
endif()

# Distributions ask for checked functions by their flags or within their compiler, and mostly for more than we do (level 3).
set(CMAKE_REQUIRED_FLAGS -O2)
check_c_source_compiles("#ifndef _FORTIFY_SOURCE
  #error not asked for
  #endif
  int main(void) { return 0; }" SEEBATCH_FORTIFIED)
unset(CMAKE_REQUIRED_FLAGS)

set(SEEBATCH_HARDENED OFF)
if(SEEBATCH_HARDEN AND NOT SEEBATCH_SANITIZE AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  check_c_compiler_flag(-fstack-protector-strong SEEBATCH_HAS_STACK_PROTECTOR)
  set(SEEBATCH_HARDENED ${SEEBATCH_HAS_STACK_PROTECTOR})
endif()
set(SEEBATCH_STACK_FLAGS "")
if(SEEBATCH_HARDENED)
  set(SEEBATCH_STACK_FLAGS -fstack-protector-strong)
  include(CheckPIESupported)
  # The tool is linked by the C++ compiler where simdjson is in it.
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  list(FILTER languages INCLUDE REGEX "^(C|CXX)$")
  check_pie_supported(LANGUAGES ${languages})
  if(NOT SEEBATCH_FORTIFIED)
    set(SEEBATCH_FORTIFY_FLAG $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
  endif()
endif()

# seebatch_harden_program(TARGET)
function(seebatch_harden_program target)
  if(SEEBATCH_HARDENED)
    target_compile_options(${target} PRIVATE ${SEEBATCH_STACK_FLAGS} ${SEEBATCH_PROBE_FLAGS} ${SEEBATCH_FORTIFY_FLAG})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    seebatch_harden_link(${target})
  endif()
endfunction()

# seebatch_harden_link(TARGET): of programs and shared libraries.
function(seebatch_harden_link target)
  if(SEEBATCH_HARDENED)
    target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now,-z,noexecstack)
  endif()
endfunction()
