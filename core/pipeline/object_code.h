// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jitscope::pipeline {

/// The machine code of one function in an object.
struct FunctionCode {
  std::string symbol;
  std::uint64_t codeBytes = 0;
};

/// One relocatable object as the code generator made it (ELF on Linux).
struct ObjectCode {
  std::string name; ///< for messages and debuggers
  std::vector<std::byte> bytes;
  std::uint64_t codeBytes = 0;              ///< size of its machine code sections
  std::vector<FunctionCode> functions = {}; ///< in the order of their symbols; empty for code that was read from disk
};

} // namespace jitscope::pipeline
