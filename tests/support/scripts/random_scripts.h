// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/scripts/number_rules.h"

#include <string>
#include <vector>

/// Scripts drawn at random, with what they must print.
namespace jitscope::testing {

/// Tensors of all dtypes and some shapes that broadcast, one expression over them and over numbers at, within and beyond the
/// edges of the dtypes. The script computes it three times: outside of functions, in the body of one, and in the body of one that
/// takes the numbers as arguments.
struct RandomScript {
  std::string text;
  RuleResult expected;
};

/// The same seed gives the same script.
RandomScript randomScript(std::uint64_t seed);

/// What is wrong with what the script printed; "" for nothing.
std::string problemOf(const RandomScript &script, const std::string &printed);

} // namespace jitscope::testing
