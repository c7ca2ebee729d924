// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/plan/fusion.h"

namespace jitscope::lower {

/// Neighbouring axes that one loop runs over: first and last, both included.
struct AxisRange {
  std::uint32_t first;
  std::uint32_t last;
  friend bool operator==(const AxisRange &, const AxisRange &) = default;
};

/// A set of boundaries between neighbouring axes; bit `k` stands for that between axis `k` and axis `k + 1`.
using AxisBreaks = std::uint32_t;

/// What an axis of a broadcast operand contributes.
enum class AxisMatch : std::uint8_t {
  Full,    ///< the same size
  Repeats, ///< it is missing or 1, and repeats
  Neutral, ///< both are 1
  Open     ///< known at the call only
};
/// The match of axis `axis` of the shape that `from` is broadcast to.
AxisMatch matchOf(const Dims &from, const Dims &to, std::uint32_t axis);

/// Two sizes that a loop may take for equal after asking at run time.
struct OpenMatch {
  Dim from;
  Dim to;
};

/// Finds out which axes may share a loop: the fewer and longer the loops, the better they vectorize. Axes can be run through
/// together where every read treats them as one.
class Grouping {
public:
  /// With `assumeEqual`, open matches count as full ones.
  Grouping(const graph::Graph &graph, const FusionPlan &plan, bool assumeEqual);

  /// Boundaries that computing `node` itself must keep.
  [[nodiscard]] AxisBreaks breaksOf(graph::NodeIndex node) const { return m_breaks[node]; }
  /// Boundaries that reading it must keep: none if it is in memory.
  [[nodiscard]] AxisBreaks readBreaks(graph::NodeIndex node) const;

private:
  [[nodiscard]] AxisBreaks compute(graph::NodeIndex index) const;
  [[nodiscard]] AxisBreaks broadcastBreaks(graph::NodeIndex operand, const Dims &to) const;
  [[nodiscard]] AxisBreaks squeezeBreaks(graph::NodeIndex operand, const Dims &to) const;

  const graph::Graph &m_graph;
  const FusionPlan &m_plan;
  bool m_assumeEqual;
  std::vector<AxisBreaks> m_breaks;
};

/// The axes of a shape of that rank, split at `breaks`.
std::vector<AxisRange> rangesOf(std::size_t rank, AxisBreaks breaks);

/// The boundaries between reduced and kept axes.
AxisBreaks reductionBreaks(const Cluster &cluster);

/// The axes of a shape that are not known to be 1.
std::vector<std::uint32_t> longAxes(const Dims &dims);

/// The open matches among all that the loops of `cluster` compute.
std::vector<OpenMatch> openMatches(const graph::Graph &graph, const FusionPlan &plan, const Cluster &cluster);

} // namespace jitscope::lower
