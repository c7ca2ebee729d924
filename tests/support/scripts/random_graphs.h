// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/builder/builder.h"

#include <random>

namespace jitscope::testing {

/// One step of making a graph; it can be taken again on other types, so that one random graph exists with sizes known and unknown.
struct RandomStep {
  enum class Kind : std::uint8_t {
    Unary,
    Binary,
    Select,
    Convert,
    Transpose,
    Reshape,
    Broadcast,
    Slice,
    Concat,
    Reduce,
    Dot,
    Iota,
    Number,
    Call,
    Map
  } kind = Kind::Unary;
  graph::Op op = graph::Op::Negate;
  graph::DType dtype = graph::DType::F32;
  std::vector<std::size_t> operands = {}; ///< places among the values made so far
  std::vector<std::int64_t> numbers = {}; ///< axes, sizes, starts
  graph::Shape shape = {};
  std::vector<RandomStep> callee = {};         ///< of Call and Map
  std::vector<std::size_t> calleeResults = {}; ///< places among the callee's values
};

/// A random function: parameters, steps, and which of the values it returns.
struct RandomFunction {
  std::vector<graph::TensorType> parameters;
  std::vector<RandomStep> steps;
  std::vector<std::size_t> results;
};

/// The same seed gives the same function.
RandomFunction randomFunction(std::uint64_t seed);

/// Builds it for parameters of these types; fails where the builder does.
base::Result<std::shared_ptr<const graph::Graph>> build(const RandomFunction &function, std::vector<graph::TensorType> parameters);

} // namespace jitscope::testing
