// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/hash.h"
#include "lower/key_fields.h"

#include <cstddef>
#include <string>
#include <vector>

namespace jitscope::jit {

/// The key of an entry on disk. The graph's hash includes the types of its template. Everything else that decides the code is
/// spelled out, so a miss can name what differs from an existing entry.
struct DiskKey {
  base::Hash128 graph;
  std::vector<lower::KeyField> options; ///< what a script may choose
  std::vector<lower::KeyField> target;  ///< where the code runs: version of Jitscope and LLVM, triple, CPU, features

  friend bool operator==(const DiskKey &, const DiskKey &) = default;
};

/// How two keys of one graph differ.
struct KeyDifference {
  std::string text;           ///< "fast_math: off -> on; llvm: 19.1.6 -> 19.1.7", from the known one to the wanted one
  std::size_t fields = 0;     ///< how many differ
  bool isOtherTarget = false; ///< one of them is not an option
};

/// The option `cpu` decides the target's CPU and features: where it differs, these are not listed besides. Of features the text has
/// those that came and went, e.g. "features: +avx512f,-sha".
KeyDifference differenceBetween(const DiskKey &known, const DiskKey &wanted);

} // namespace jitscope::jit
