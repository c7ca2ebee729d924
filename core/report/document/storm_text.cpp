// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/storm_text.h"

#include "base/units.h"
#include "base/utf8.h"
#include "report/document/bounded_rows.h"
#include "report/document/summary_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace jitscope::report {

namespace {

using analysis::RecompileStorm;
using analysis::VaryingPart;

std::string shortened(const std::string &text, std::size_t bytes) {
  return text.size() <= bytes ? text : text.substr(0, base::characterStart(text, bytes)) + "…";
}

std::string varyingText(const VaryingPart &part) {
  constexpr std::size_t kValueBytes = 40;
  const std::string first = shortened(part.first, kValueBytes);
  const std::string last = shortened(part.last, kValueBytes);
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

/// " What varies: …."; empty where nothing does.
std::string varyingSentence(const std::vector<VaryingPart> &varying) {
  constexpr std::size_t kMaxParts = 2;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(varying.size(), kMaxParts); ++i) {
    parts.push_back(varyingText(varying[i]));
  }
  if (varying.size() > kMaxParts) {
    parts.push_back(fmt::format("and {} more", varying.size() - kMaxParts));
  }
  return parts.empty() ? std::string() : fmt::format(" What varies: {}.", fmt::join(parts, "; "));
}

std::string shapeAdvice(const RecompileStorm &storm) {
  // Templates for all sizes do not help while as much varies besides the sizes.
  if (storm.isForAllSizes || storm.rankTemplates * 2 > storm.templates) {
    return {};
  }
  if (storm.otherCompiles > 0) {
    return fmt::format("With options{{template=\"rank\"}}, as elsewhere in this script, {} served {}.",
                       storm.otherCompiles == 1 ? std::string("one compile") : countOf(storm.otherCompiles, "compile"),
                       countOf(storm.otherCalls, "call"));
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

std::string stormText(const RecompileStorm &storm) {
  std::string scope;
  if (storm.otherCalls > 0 || storm.otherCompiles > 0) {
    scope = storm.isForAllSizes ? " (only templates for all sizes counted)" : " (only templates of certain sizes counted)";
  }
  std::string reason(nameOf(storm.reason));
  if (storm.reasonCompiles < storm.againCompiles) {
    reason = fmt::format("mostly {} ({} of {})", reason, base::formatCount(storm.reasonCompiles),
                         base::formatCount(storm.againCompiles));
  }
  constexpr std::size_t kNameBytes = 60;
  return fmt::format("{} was compiled {} for {}{}; compiling took {}. Reason: {}.{}",
                     functionText(shortened(storm.functionName, kNameBytes), 0, storm.eager), countOf(storm.compiles, "time"),
                     countOf(storm.calls, "call"), scope, base::formatNs(storm.compileNs), reason, varyingSentence(storm.varying));
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

std::string stormsLeftOut(const std::vector<RecompileStorm> &storms, std::size_t shown) {
  const BoundedRows<RecompileStorm> rows = boundedRows(storms, shown, &RecompileStorm::compileNs);
  return leftOutText(rows.leftOut.size(), "storm", "storms",
                     {fmt::format("{} for {}", countOf(rows.sumLeftOut(&RecompileStorm::compiles), "compile"),
                                  countOf(rows.sumLeftOut(&RecompileStorm::calls), "call")),
                      base::formatNs(rows.sumLeftOut(&RecompileStorm::compileNs))});
}

} // namespace jitscope::report
