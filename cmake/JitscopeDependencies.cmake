# SPDX-License-Identifier: GPL-3.0-or-later
# Everything from outside, each as one imported target. All of it comes from the distribution's packages; packaging/ installs them.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Boost 1.74 REQUIRED)
pkg_check_modules(LUA REQUIRED IMPORTED_TARGET lua5.4-c++)
pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)

# LLVM. Its headers are not written for our warnings, hence SYSTEM. Programs link the shared library, unless they have the property
# JITSCOPE_STATIC_LLVM: the shared one holds every target of LLVM, and all of it is relocated whenever a process starts (some 60 ms).
find_package(LLVM 19.1 REQUIRED CONFIG)
llvm_map_components_to_libnames(JITSCOPE_LLVM_ARCHIVES core passes orcjit native irreader linker)
add_library(jitscope_llvm INTERFACE)
target_include_directories(jitscope_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(JITSCOPE_LLVM_DEFINITIONS NATIVE_COMMAND ${LLVM_DEFINITIONS})
target_compile_definitions(jitscope_llvm INTERFACE ${JITSCOPE_LLVM_DEFINITIONS})
target_link_libraries(jitscope_llvm INTERFACE
  "$<IF:$<BOOL:$<TARGET_PROPERTY:JITSCOPE_STATIC_LLVM>>,${JITSCOPE_LLVM_ARCHIVES},LLVM>")

if(JITSCOPE_TESTS)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
endif()
if(JITSCOPE_BENCHMARKS)
  find_package(benchmark REQUIRED)
endif()
