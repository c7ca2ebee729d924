// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/builder/builder.h"
#include "support/scripts/reference_evaluator.h"

#include <functional>
#include <initializer_list>
#include <span>

namespace jitscope::testing {

inline constexpr std::initializer_list<graph::DType> kAllDTypes{graph::DType::Pred, graph::DType::U8,  graph::DType::S32,
                                                                graph::DType::S64,  graph::DType::F32, graph::DType::F64};

/// Values that operations are known to trip over, as bits: zeros of both signs, ones, halves, denormals, the ends of the range,
/// infinities, NaN.
std::vector<std::uint64_t> awkwardValues(graph::DType dtype);

/// An array that repeats `values`.
ReferenceArray repeating(graph::DType dtype, const graph::Shape &shape, const std::vector<std::uint64_t> &values);
/// Two arrays of one axis that together hold every pair of `values`, and a few more elements so that no vector width divides them.
std::pair<ReferenceArray, ReferenceArray> allPairs(graph::DType dtype, const std::vector<std::uint64_t> &values);
/// Reproducible moderate values: small integers, floats within ±4.
ReferenceArray randomArray(graph::DType dtype, const graph::Shape &shape, std::uint64_t seed);
std::vector<ReferenceArray> randomArrays(std::span<const graph::TensorType> types, std::uint64_t seed);

graph::TensorType typeOf(graph::DType dtype, const graph::Shape &shape);

/// Traces a function by hand: `body` gets the builder and returns the results.
using Body = std::function<std::vector<graph::NodeIndex>(graph::GraphBuilder &)>;
std::shared_ptr<const graph::Graph> graphOf(std::vector<graph::TensorType> parameters, const Body &body,
                                            const std::string &name = "f", int line = 1);

/// The types with every size unknown.
std::vector<graph::TensorType> dynamicTypes(std::vector<graph::TensorType> types);

} // namespace jitscope::testing
