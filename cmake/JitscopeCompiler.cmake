# SPDX-License-Identifier: GPL-3.0-or-later
# One interface target carries the warnings and sanitizers; every target of the tree links it.
add_library(jitscope_compiler INTERFACE)
target_compile_options(jitscope_compiler INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Werror)
# What GCC 12 reports wrongly in optimized code of the standard library: overlaps in std::string (its bug 105651), uninitialized
# alternatives of a std::variant (its bug 105562 and others), bounds of moved ranges.
target_compile_options(jitscope_compiler INTERFACE -Wno-restrict -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow)

if(JITSCOPE_SANITIZE)
  target_compile_options(jitscope_compiler INTERFACE -fsanitize=${JITSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(jitscope_compiler INTERFACE -fsanitize=${JITSCOPE_SANITIZE})
  # Fences are used by the standard library alone, in ways that ThreadSanitizer need not know.
  target_compile_options(jitscope_compiler INTERFACE -Wno-tsan)
endif()

find_program(JITSCOPE_CCACHE ccache)
if(JITSCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${JITSCOPE_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${JITSCOPE_CCACHE})
endif()

find_program(JITSCOPE_MOLD mold)
if(JITSCOPE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
