// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/calls/varying_arguments.h"

#include "analysis/calls/signature.h"
#include "base/natural_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <utility>

namespace jitscope::analysis {

namespace {

struct NaturalLess {
  bool operator()(std::string_view one, std::string_view other) const { return base::naturalOrder(one, other) < 0; }
};

using Texts = std::set<std::string_view, NaturalLess>;

void addIfVarying(std::vector<VaryingPart> &parts, std::size_t argument, VaryingPart::Kind kind,
                  std::optional<std::size_t> dimension, const Texts &texts) {
  if (texts.size() > 1) {
    parts.push_back({argument, kind, dimension, texts.size(), std::string(*texts.begin()), std::string(*texts.rbegin())});
  }
}

/// Whether a static value could be passed as a tensor or a number: "{axes={0,1}}" and "true", but no "\"relu\"", "fn f#3" or "nil".
bool mayBeData(std::string_view value) {
  bool hasData = false;
  for (std::size_t i = 0; i < value.size();) {
    const auto isWord = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    if (value[i] == '"') {
      return false;
    }
    if (!isWord(static_cast<unsigned char>(value[i]))) {
      ++i;
      continue;
    }
    const auto *const end = std::find_if_not(value.begin() + static_cast<std::ptrdiff_t>(i), value.end(), isWord);
    const std::string_view word = value.substr(i, static_cast<std::size_t>(end - value.begin()) - i);
    i += word.size();
    const bool isKey = i < value.size() && value[i] == '=';
    if (!isKey && (word == "fn" || word == "nil")) {
      return false;
    }
    hasData = hasData || (!isKey && (std::isdigit(static_cast<unsigned char>(word.front())) != 0 || word == "true" ||
                                     word == "false" || word == "inf" || word == "nan"));
  }
  return hasData;
}

/// Of one argument in all signatures.
void addParts(std::vector<VaryingPart> &parts, std::size_t index, const std::vector<SignatureArgument> &all) {
  using Kind = VaryingPart::Kind;
  if (!std::ranges::all_of(all, &SignatureArgument::isTensor)) {
    Texts values;
    for (const SignatureArgument &argument : all) {
      values.insert(argument.text);
    }
    addIfVarying(parts, index, Kind::Value, {}, values);
    if (values.size() > 1) {
      parts.back().mayBeData = std::ranges::all_of(values, mayBeData);
    }
    return;
  }
  Texts types;
  std::set<std::size_t> ranks;
  for (const SignatureArgument &argument : all) {
    types.insert(argument.elementType);
    ranks.insert(argument.sizes.size());
  }
  addIfVarying(parts, index, Kind::ElementType, {}, types);
  if (ranks.size() > 1) {
    parts.push_back({index, Kind::Rank, {}, ranks.size(), std::to_string(*ranks.begin()), std::to_string(*ranks.rbegin())});
    return;
  }
  for (std::size_t dimension = 0; dimension < *ranks.begin(); ++dimension) {
    Texts sizes;
    for (const SignatureArgument &argument : all) {
      sizes.insert(argument.sizes[dimension]);
    }
    addIfVarying(parts, index, Kind::Size, dimension, sizes);
  }
}

} // namespace

bool servesAllSizes(std::string_view signature) {
  bool isQuoted = false;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    if (isQuoted && signature[i] == '\\') {
      ++i;
    } else if (signature[i] == '"') {
      isQuoted = !isQuoted;
    } else if (!isQuoted && signature.substr(i, 2) == "[?") {
      return true;
    }
  }
  return false;
}

std::size_t templatesForAllSizes(const std::vector<std::string> &signatures) {
  std::set<std::string> different;
  for (const std::string &signature : signatures) {
    std::string kept;
    for (const std::string_view text : splitSignature(signature)) {
      const SignatureArgument argument = parseArgument(text);
      kept += argument.isTensor ? fmt::format("{}[{}], ", argument.elementType, argument.sizes.size()) : fmt::format("{}, ", text);
    }
    different.insert(std::move(kept));
  }
  return different.size();
}

std::vector<VaryingPart> varyingParts(const std::vector<std::string> &signatures) {
  std::vector<VaryingPart> parts;
  std::vector<std::vector<std::string_view>> split;
  for (const std::string &signature : signatures) {
    split.push_back(splitSignature(signature));
  }
  const auto fewest = std::ranges::min_element(split, {}, &std::vector<std::string_view>::size);
  for (std::size_t index = 0; fewest != split.end() && index < fewest->size(); ++index) {
    std::vector<SignatureArgument> all;
    for (const std::vector<std::string_view> &arguments : split) {
      all.push_back(parseArgument(arguments[index]));
    }
    addParts(parts, index, all);
  }
  return parts;
}

} // namespace jitscope::analysis
