// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace jitscope::script {

/// The bounds that the sandbox keeps a script within. Reaching one ends the script with ScriptLimit, in words that name the option.
/// What Lua does inside one library function in C (a string pattern that backtracks for hours) cannot be ended by Lua: whoever runs
/// the script asks `LuaScript::overrun` and ends the process.
struct LuaLimits {
  /// Bytes of Lua values; tensors are bounded by their allocator. Option `memory_mib`.
  std::size_t memoryBytes = std::size_t{256} << 20U;
  /// Nanoseconds of Lua without `sleep`: of one outermost trace, and of host code that runs on without asking the engine for
  /// anything. Option `trace_time_s`.
  std::uint64_t traceNs = 60'000'000'000;
  /// Functions being traced inside each other. Option `call_depth`.
  std::uint32_t callDepth = 200;
  /// Operations in the graph of one function: what a loop that traces on and on is stopped by before memory is. Option
  /// `graph_operations`.
  std::uint32_t graphOperations = 1'000'000;
};

/// How a script runs.
struct LuaOptions {
  LuaLimits limits;
  /// Nanoseconds from the beginning of the run until it is interrupted (`--timeout`); 0: never.
  std::uint64_t timeoutNs = 0;
};

} // namespace jitscope::script
