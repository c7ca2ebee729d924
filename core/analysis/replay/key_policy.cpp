// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/replay/key_policy.h"

#include "analysis/calls/signature.h"
#include "base/try.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <set>

namespace jitscope::analysis {

namespace {

template <typename Number> std::optional<Number> wholeNumber(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// "0.1,2.0".
std::optional<std::vector<std::pair<std::size_t, std::size_t>>> dimensionsFrom(std::string_view text) {
  std::vector<std::pair<std::size_t, std::size_t>> dimensions;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    const std::size_t dot = part.find('.');
    const auto argument = wholeNumber<std::size_t>(part.substr(0, std::min(dot, part.size())));
    const auto dimension = dot == std::string_view::npos ? std::nullopt : wholeNumber<std::size_t>(part.substr(dot + 1));
    if (!argument || !dimension) {
      return std::nullopt;
    }
    dimensions.emplace_back(*argument, *dimension);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return dimensions.empty() ? std::nullopt : std::optional(std::move(dimensions));
}

} // namespace

base::Result<KeyPolicy> KeyPolicy::parse(std::string_view text) {
  KeyPolicy policy;
  if (text == "exact") {
    return policy;
  }
  if (text == "rank") {
    policy.kind = Kind::Rank;
    return policy;
  }
  if (constexpr std::string_view kDynamic = "dynamic:"; text.starts_with(kDynamic)) {
    if (auto dimensions = dimensionsFrom(text.substr(kDynamic.size()))) {
      policy.kind = Kind::Dynamic;
      policy.dimensions = *std::move(dimensions);
      std::ranges::sort(policy.dimensions);
      return policy;
    }
  }
  if (text == "bucket:pow2") {
    policy.kind = Kind::PowersOfTwo;
    return policy;
  }
  if (constexpr std::string_view kBucket = "bucket:"; text.starts_with(kBucket)) {
    if (const auto multiple = wholeNumber<std::uint64_t>(text.substr(kBucket.size())); multiple && *multiple > 0) {
      policy.kind = Kind::Multiples;
      policy.multiple = *multiple;
      return policy;
    }
  }
  return base::fail(base::ErrorCode::RuntimeOption,
                    fmt::format("\"{}\" is no template policy: exact, rank, dynamic:ARG.DIM,… such as dynamic:0.1, bucket:pow2, or "
                                "bucket:N with a size such as bucket:64",
                                text));
}

std::string KeyPolicy::text() const {
  switch (kind) {
  case Kind::Exact:
    return "exact";
  case Kind::Rank:
    return "rank";
  case Kind::Dynamic: {
    std::vector<std::string> parts;
    for (const auto &[argument, dimension] : dimensions) {
      parts.push_back(fmt::format("{}.{}", argument, dimension));
    }
    return fmt::format("dynamic:{}", fmt::join(parts, ","));
  }
  case Kind::PowersOfTwo:
    return "bucket:pow2";
  case Kind::Multiples:
    break;
  }
  return fmt::format("bucket:{}", multiple);
}

std::uint64_t KeyPolicy::padded(std::uint64_t size) const {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 62;
  if (size > kLargest) {
    return size;
  }
  if (kind == Kind::PowersOfTwo) {
    return size == 0 ? 0 : std::bit_ceil(size);
  }
  if (kind == Kind::Multiples && multiple <= kLargest) {
    return (size + multiple - 1) / multiple * multiple;
  }
  return size;
}

std::string KeyPolicy::templateFor(std::string_view signature) const {
  if (kind == Kind::Exact) {
    return std::string(signature);
  }
  std::string result;
  std::size_t index = 0;
  for (const std::string_view text : splitSignature(signature)) {
    result += index == 0 ? "" : ", ";
    const SignatureArgument argument = parseArgument(text);
    if (!argument.isTensor) {
      result += text;
    } else {
      std::vector<std::string> sizes;
      for (std::size_t dimension = 0; dimension < argument.sizes.size(); ++dimension) {
        const bool isFree = kind == Kind::Rank || (kind == Kind::Dynamic &&
                                                   std::ranges::find(dimensions, std::pair(index, dimension)) != dimensions.end());
        const auto size = wholeNumber<std::uint64_t>(argument.sizes[dimension]);
        sizes.push_back(isFree ? "?" : size ? std::to_string(padded(*size)) : std::string(argument.sizes[dimension]));
      }
      result += fmt::format("{}[{}]", argument.elementType, fmt::join(sizes, ","));
    }
    ++index;
  }
  return result;
}

std::size_t countTemplates(const KeyPolicy &policy, const std::vector<std::string> &signatures) {
  std::set<std::string> different;
  for (const std::string &signature : signatures) {
    different.insert(policy.templateFor(signature));
  }
  return different.size();
}

} // namespace jitscope::analysis
