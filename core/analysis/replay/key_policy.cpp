// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/replay/key_policy.h"

#include "analysis/calls/signature.h"
#include "base/number.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cstdint>
#include <set>
#include <string_view>

namespace jitscope::analysis {

namespace {

/// A size as the policy has it in a key. What is no number, as a size that is not known, stays.
std::string sizeFor(KeyPolicy policy, std::string_view size) {
  if (policy == KeyPolicy::Rank) {
    return "?";
  }
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 62U;
  const auto number = base::numberFrom<std::uint64_t>(size);
  return number && *number <= kLargest ? std::to_string(*number == 0 ? 0 : std::bit_ceil(*number)) : std::string(size);
}

/// The template that serves a call of this exact signature. Static arguments stay as they are.
std::string templateFor(KeyPolicy policy, std::string_view signature) {
  std::vector<std::string> arguments;
  for (const std::string_view text : splitSignature(signature)) {
    const SignatureArgument argument = parseArgument(text);
    std::vector<std::string> sizes;
    for (const std::string_view size : argument.sizes) {
      sizes.push_back(sizeFor(policy, size));
    }
    arguments.push_back(argument.isTensor ? fmt::format("{}[{}]", argument.elementType, fmt::join(sizes, ",")) : std::string(text));
  }
  return fmt::format("{}", fmt::join(arguments, ", "));
}

} // namespace

std::size_t countTemplates(KeyPolicy policy, const std::vector<std::string> &signatures) {
  std::set<std::string> different;
  for (const std::string &signature : signatures) {
    different.insert(templateFor(policy, signature));
  }
  return different.size();
}

} // namespace jitscope::analysis
