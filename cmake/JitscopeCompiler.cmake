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

# Headers take most of the time of compiling: a tree that is built once and anew, as those with sanitizers are, is sooner done
# where files of a library are compiled together. The others see to it that each file includes what it needs.
option(JITSCOPE_UNITY "Compile several files of a library at once" OFF)
if(JITSCOPE_UNITY)
  # Speaks of any type of an unnamed namespace that is not in the first file.
  target_compile_options(jitscope_compiler INTERFACE -Wno-subobject-linkage)
endif()

# The libraries that are built so where it is asked for. Sources are added to them elsewhere, too.
function(jitscope_unity)
  if(JITSCOPE_UNITY)
    set_target_properties(${ARGV} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

find_program(JITSCOPE_CCACHE ccache)
if(JITSCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without the sloppiness it caches nothing that is compiled with a precompiled header. Paths relative to the tree make an object serve
  # every checkout.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    ${JITSCOPE_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

find_program(JITSCOPE_MOLD mold)
if(JITSCOPE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
