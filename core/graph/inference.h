// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <span>

/// Types of results from types of operands, as pure functions. Sizes may be `kDynamic`: what cannot be known then is checked at the
/// call (`evaluateShapes`). Errors are ScriptShape and name shapes, dtypes and axes.
namespace jitscope::graph {

/// NumPy's rule: aligned at the last axis, a size of 1 stretches.
base::Result<Shape> broadcastShapes(const Shape &left, const Shape &right);

/// `axis` from the front, where negative axes count from the end.
base::Result<std::uint32_t> normalizeAxis(std::int64_t axis, std::size_t rank);
/// Normalized, sorted, each once; no axes at all means every axis.
base::Result<std::vector<std::uint32_t>> normalizeAxes(std::span<const std::int64_t> axes, std::size_t rank);

/// The shape of `node` for operands of these types; the node's own attributes and dtype stand, its shape is only read where it is
/// an attribute (reshape, broadcast, slice, iota) and for nodes whose shape only a callee knows (Call, Result). The operands'
/// dtypes are used only in messages.
base::Result<Shape> inferShape(const Node &node, std::span<const TensorType> operands);

} // namespace jitscope::graph
