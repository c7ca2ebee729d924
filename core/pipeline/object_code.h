// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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
  std::uint64_t instructions = 0;           ///< of LLVM's that it was made of, without debug records; 0 for code read from disk
};

/// Of all of them.
inline std::uint64_t codeBytesOf(std::span<const ObjectCode> objects) {
  std::uint64_t bytes = 0;
  for (const ObjectCode &object : objects) {
    bytes += object.codeBytes;
  }
  return bytes;
}

} // namespace jitscope::pipeline
