// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <cstdint>

/// What operations do to single elements, as plainly as possible and sharing no code with lowering. An element is its bits, as
/// memory of its dtype would hold them.
namespace jitscope::testing {

/// `dtype` is that of the operands; comparisons give the bits of a pred.
std::uint64_t unaryBits(graph::Op op, graph::DType dtype, std::uint64_t operand);
std::uint64_t binaryBits(graph::Op op, graph::DType dtype, std::uint64_t left, std::uint64_t right);
std::uint64_t convertBits(std::uint64_t bits, graph::DType from, graph::DType to);

/// The element as a number; exact for all but large s64.
double numberOf(graph::DType dtype, std::uint64_t bits);
/// The bits of a number, truncated and saturated for integers.
std::uint64_t bitsOf(graph::DType dtype, double number);

/// How many representable numbers lie between two floats of one dtype; 0 for two NaNs, a huge number for one.
std::uint64_t ulpsBetween(graph::DType dtype, std::uint64_t left, std::uint64_t right);

} // namespace jitscope::testing
