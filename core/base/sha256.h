// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace jitscope::base {

/// The SHA-256 of a text (FIPS 180-4) as 64 lower-case hexadecimal digits.
std::string sha256Of(std::string_view text);

} // namespace jitscope::base
