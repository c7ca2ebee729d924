// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace jitscope::test {

/// The bitcode of a module in LLVM assembly; empty where that is wrong.
std::string bitcodeOf(const char *assembly);

} // namespace jitscope::test
