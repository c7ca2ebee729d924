// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/graph.h"

#include <array>

namespace jitscope::graph {

namespace {

constexpr std::array<std::string_view, kOpCount> kOpNames{
    "parameter",  "capture",   "constant",   "iota",    "negate",        "abs",        "exp",         "log",
    "sqrt",       "rsqrt",     "sin",        "cos",     "tanh",          "sigmoid",    "floor",       "convert",
    "add",        "subtract",  "multiply",   "divide",  "floor-divide",  "modulo",     "power",       "minimum",
    "maximum",    "less",      "less-equal", "greater", "greater-equal", "equal",      "not-equal",   "select",
    "reshape",    "transpose", "broadcast",  "slice",   "concat",        "reduce-sum", "reduce-mean", "reduce-max",
    "reduce-min", "argmax",    "dot",        "call",    "map",           "result"};

} // namespace

std::string_view nameOf(Op op) { return kOpNames.at(static_cast<std::size_t>(op)); }

} // namespace jitscope::graph
