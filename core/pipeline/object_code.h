// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jitscope::pipeline {

/// One relocatable object as the code generator made it (ELF on Linux).
struct ObjectCode {
  std::string name; ///< for messages and debuggers
  std::vector<std::byte> bytes;
  std::uint64_t codeBytes = 0; ///< size of its machine code sections
};

} // namespace jitscope::pipeline
