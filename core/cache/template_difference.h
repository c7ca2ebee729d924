// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"
#include "graph/template.h"

#include <cstdint>
#include <string>

namespace jitscope::cache {

/// How far apart a difference puts two templates: a kind weighs more than any usual number of differences of the kinds before it.
inline constexpr std::uint32_t kSizeDistance = 1;
inline constexpr std::uint32_t kStaticDistance = 100;
inline constexpr std::uint32_t kDtypeDistance = 1'000;
inline constexpr std::uint32_t kRankDistance = 100'000;
inline constexpr std::uint32_t kArityDistance = 10'000'000;

/// The fields in which `wanted` differs from `known`, and the reason that they amount to: the first of new-arity, new-rank,
/// new-dtype, static-value and new-shape that applies, since each makes those after it unavoidable or minor. `distance` orders
/// candidates: the sum of the distances above over the fields that differ. A size is compared only where both ranks are equal, and
/// an argument only where both templates have it.
struct TemplateDifference {
  event::MissReason reason = event::MissReason::NewShape;
  std::string text;
  std::uint32_t distance = 0;
};
TemplateDifference differenceBetween(const graph::Template &known, const graph::Template &wanted);

} // namespace jitscope::cache
