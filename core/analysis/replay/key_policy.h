// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jitscope::analysis {

/// Which calls share a template: what of their arguments is part of the key.
enum class KeyPolicy : std::uint8_t {
  Rank,       ///< dtype and number of dimensions
  PowersOfTwo ///< dtype and shape with each size padded to a power of two
};

/// How many templates serve calls of these exact signatures.
[[nodiscard]] std::size_t countTemplates(KeyPolicy policy, const std::vector<std::string> &signatures);

} // namespace jitscope::analysis
