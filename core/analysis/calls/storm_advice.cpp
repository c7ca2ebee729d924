// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/calls/storm_advice.h"

#include "base/counted.h"
#include "base/utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace jitscope::analysis {

namespace {

std::string shortenedValue(const std::string &text, std::size_t bytes) {
  return text.size() <= bytes ? text : text.substr(0, base::characterStart(text, bytes)) + "…";
}

std::string varyingText(const VaryingPart &part) {
  constexpr std::size_t kValueBytes = 40;
  const std::string first = shortenedValue(part.first, kValueBytes);
  const std::string last = shortenedValue(part.last, kValueBytes);
  const std::string count = base::formatCount(part.count);
  switch (part.kind) {
  case VaryingPart::Kind::Size:
    return fmt::format("dimension {} of argument {} took {} sizes, {} to {}", part.dimension.value_or(0), part.argument, count,
                       first, last);
  case VaryingPart::Kind::Rank:
    return fmt::format("argument {} had {} to {} dimensions", part.argument, first, last);
  case VaryingPart::Kind::ElementType:
    return fmt::format("argument {} had {} element types", part.argument, count);
  case VaryingPart::Kind::Value:
    break;
  }
  return fmt::format("argument {} took {} values, {} to {}", part.argument, count, first, last);
}

std::string shapeAdvice(const RecompileStorm &storm) {
  // Templates for all sizes do not help while as much varies besides the sizes.
  if (storm.isForAllSizes || storm.rankTemplates * 2 > storm.templates) {
    return {};
  }
  if (storm.otherCompiles > 0) {
    return fmt::format("With options{{template=\"rank\"}}, as elsewhere in this script, {} served {}.",
                       storm.otherCompiles == 1 ? std::string("one compile") : base::counted(storm.otherCompiles, "compile"),
                       base::counted(storm.otherCalls, "call"));
  }
  const std::string executables =
      storm.rankTemplates == 1 ? std::string("one executable serves") : fmt::format("{} executables serve", storm.rankTemplates);
  return fmt::format("With options{{template=\"rank\"}} {} all sizes; padding to few sizes helps as well.", executables);
}

std::string staticAdvice(const RecompileStorm &storm) {
  const auto data = std::ranges::find_if(storm.varying, &VaryingPart::mayBeData);
  if (storm.eager || data == storm.varying.end()) {
    return {};
  }
  return fmt::format("If argument {} is data to compute with, pass it as a tensor or a number, whose values are not part of the "
                     "template. A shape, an axis or a setting has to stay static.",
                     data->argument);
}

} // namespace

std::string varyingSentence(const std::vector<VaryingPart> &varying) {
  constexpr std::size_t kMaxParts = 2;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(varying.size(), kMaxParts); ++i) {
    parts.push_back(varyingText(varying[i]));
  }
  if (varying.size() > kMaxParts) {
    parts.push_back(fmt::format("and {} more", varying.size() - kMaxParts));
  }
  return parts.empty() ? std::string() : fmt::format("What varies: {}.", fmt::join(parts, "; "));
}

std::string stormAdvice(const RecompileStorm &storm) {
  switch (storm.reason) {
  case event::MissReason::NewShape:
    return shapeAdvice(storm);
  case event::MissReason::StaticValue:
    return staticAdvice(storm);
  case event::MissReason::Evicted:
    return "The cache is too small for the executables that take turns in it: raise capacity_entries or capacity_bytes.";
  default:
    return {};
  }
}

} // namespace jitscope::analysis
