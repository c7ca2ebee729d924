// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/finding_gate.h"

#include "analysis/query/near_names.h"
#include "base/number.h"
#include "base/try.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <ranges>

namespace jitscope::analysis {

namespace {

constexpr double kMaxSeconds = 1e9; // 31 years; as nanoseconds it fits a std::uint64_t

void sortKinds(std::vector<FindingKind> &kinds) {
  std::ranges::sort(kinds);
  const auto repeats = std::ranges::unique(kinds);
  kinds.erase(repeats.begin(), repeats.end());
}

base::Error unknownKind(const std::string &name) {
  std::vector<std::string> names;
  for (const FindingKind kind : kFindingKinds) {
    names.emplace_back(nameOf(kind));
  }
  const std::vector<std::string> near = nearNames(name, names, 1);
  return {base::ErrorCode::RuntimeOption,
          fmt::format("there is no kind of finding \"{}\"; there are {}{}", name, fmt::join(names, ", "),
                      near.empty() ? std::string() : fmt::format("; did you mean \"{}\"?", near.front())),
          {}};
}

} // namespace

bool FindingGate::forbids(const Finding &finding) const {
  return std::ranges::find(kinds, finding.kind) != kinds.end() && (finding.costNs == 0 || finding.costNs > aboveNs);
}

base::Result<FindingGate> findingGateFor(std::span<const std::string> kinds, std::uint64_t aboveNs) {
  FindingGate gate;
  gate.aboveNs = aboveNs;
  for (const std::string &name : kinds) {
    const std::optional<FindingKind> kind = findingKindFromName(name);
    if (!kind) {
      return std::unexpected(unknownKind(name));
    }
    gate.kinds.push_back(*kind);
  }
  if (kinds.empty()) {
    gate.kinds.assign(kFindingKinds.begin(), kFindingKinds.end());
  }
  sortKinds(gate.kinds);
  return gate;
}

base::Result<FindingGate> findingGateFrom(std::string_view text) {
  const std::size_t colon = text.find(':');
  double seconds = 0;
  if (colon != std::string_view::npos) {
    const std::optional<double> number = base::numberFrom<double>(text.substr(colon + 1));
    if (!number || !std::isfinite(*number) || *number < 0 || *number > kMaxSeconds) {
      return base::fail(
          base::ErrorCode::RuntimeOption,
          fmt::format("after the kinds of findings and ':' come seconds, 0 or more, not \"{}\"", text.substr(colon + 1)));
    }
    seconds = *number;
  }
  std::vector<std::string> names;
  for (const auto part : text.substr(0, colon) | std::views::split(',')) {
    names.emplace_back(std::string_view(part));
  }
  constexpr double kNsPerSecond = 1e9;
  return findingGateFor(names.empty() ? std::vector<std::string>{""} : names, static_cast<std::uint64_t>(seconds * kNsPerSecond));
}

bool isForbidden(const Finding &finding, std::span<const FindingGate> gates) {
  return std::ranges::any_of(gates, [&finding](const FindingGate &gate) { return gate.forbids(finding); });
}

std::vector<FindingKind> kindsOf(std::span<const FindingGate> gates) {
  std::vector<FindingKind> kinds;
  for (const FindingGate &gate : gates) {
    kinds.insert(kinds.end(), gate.kinds.begin(), gate.kinds.end());
  }
  sortKinds(kinds);
  return kinds;
}

} // namespace jitscope::analysis
