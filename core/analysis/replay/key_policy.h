// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jitscope::analysis {

/// Which calls share a template: what of their arguments is part of the key.
struct KeyPolicy {
  enum class Kind : std::uint8_t {
    Exact,       ///< dtype and shape
    Rank,        ///< dtype and number of dimensions
    Dynamic,     ///< dtype and shape but for some dimensions
    PowersOfTwo, ///< dtype and shape with each size padded to a power of two
    Multiples    ///< the same to multiples of `multiple`
  };
  Kind kind = Kind::Exact;
  /// Of `Dynamic`: argument and dimension, from 0.
  std::vector<std::pair<std::size_t, std::size_t>> dimensions = {};
  std::uint64_t multiple = 0;

  /// "exact", "rank", "dynamic:0.1,2.0", "bucket:pow2" or "bucket:64". RuntimeOption for anything else.
  [[nodiscard]] static base::Result<KeyPolicy> parse(std::string_view text);
  /// The way back.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool isPadding() const { return kind == Kind::PowersOfTwo || kind == Kind::Multiples; }

  /// The template that serves a call of this exact signature. Static arguments stay as they are.
  [[nodiscard]] std::string templateFor(std::string_view signature) const;
  /// A size padded; itself where the policy does not pad.
  [[nodiscard]] std::uint64_t padded(std::uint64_t size) const;
};

/// How many templates serve these signatures.
[[nodiscard]] std::size_t countTemplates(const KeyPolicy &policy, const std::vector<std::string> &signatures);

} // namespace jitscope::analysis
