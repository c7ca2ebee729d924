# SPDX-License-Identifier: GPL-3.0-or-later
# Everything from outside, each as one imported target. All of it comes from the distribution's packages; packaging/ installs them.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Boost 1.74 REQUIRED)
# dtl is one header without a package file.
find_path(JITSCOPE_DTL_DIR dtl/dtl.hpp REQUIRED)
pkg_check_modules(LUA REQUIRED IMPORTED_TARGET lua5.4-c++)
pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)

# LLVM: the shared library only. Its headers are not written for our warnings, hence SYSTEM.
find_package(LLVM 19.1 REQUIRED CONFIG)
add_library(jitscope_llvm INTERFACE)
target_include_directories(jitscope_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(JITSCOPE_LLVM_DEFINITIONS NATIVE_COMMAND ${LLVM_DEFINITIONS})
# Of no effect since C++11, and in the way of a precompiled header that others share.
list(FILTER JITSCOPE_LLVM_DEFINITIONS EXCLUDE REGEX "__STDC_")
target_compile_definitions(jitscope_llvm INTERFACE ${JITSCOPE_LLVM_DEFINITIONS})
target_link_libraries(jitscope_llvm INTERFACE LLVM)

if(JITSCOPE_GUI)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Charts Svg Widgets)
  # QScintilla comes without a CMake package.
  find_path(JITSCOPE_QSCINTILLA_INCLUDE Qsci/qsciscintilla.h PATH_SUFFIXES qt6 x86_64-linux-gnu/qt6 REQUIRED)
  find_library(JITSCOPE_QSCINTILLA qscintilla2_qt6 REQUIRED)
  add_library(jitscope_qscintilla INTERFACE)
  target_include_directories(jitscope_qscintilla SYSTEM INTERFACE ${JITSCOPE_QSCINTILLA_INCLUDE})
  target_link_libraries(jitscope_qscintilla INTERFACE ${JITSCOPE_QSCINTILLA} Qt6::Widgets)
endif()
if(JITSCOPE_TESTS)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
endif()
if(JITSCOPE_BENCHMARKS)
  find_package(benchmark REQUIRED)
endif()
