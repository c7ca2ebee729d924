// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace jitscope::pipeline {

/// A symbol as people know the function: demangled, without parameters and ABI tags, e.g. "__main__::inner"; the symbol itself
/// where it is not mangled.
std::string readableName(std::string_view symbol);

} // namespace jitscope::pipeline
