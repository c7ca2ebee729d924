// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace jitscope::pipeline {

/// The strongly connected components of a graph in which node i needs the nodes `needs[i]`: what is needed comes before what needs
/// it. Members of a component in ascending order. Tarjan's algorithm, as LLVM has it.
std::vector<std::vector<std::size_t>> componentsCalleesFirst(const std::vector<std::vector<std::size_t>> &needs);

} // namespace jitscope::pipeline
