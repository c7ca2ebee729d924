// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "runtime/dispatch/dispatch_options.h"
#include "script/host.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::runtime {

/// Everything that can be set by name: by `options{}` in a script (where it says so) and by `--set`.
struct EngineOptions {
  DispatchOptions dispatch = {};
  std::int64_t blasThreads = 1;                              ///< threads of a CBLAS call
  std::uint64_t luaMemoryBytes = std::uint64_t{256} << 20U;  ///< bound on a script's own memory
  std::uint64_t tensorBytes = std::uint64_t{4} << 30U;       ///< bound on live tensors
  std::uint64_t traceNs = std::uint64_t{60} * 1'000'000'000; ///< bound on Lua time at a stretch, sleep aside
  std::uint64_t scriptFileBytes = std::uint64_t{16} << 20U;  ///< bound on the size of a script file
  std::int64_t graphOperations = 1'000'000;                  ///< bound on the operations of one function's graph
  std::int64_t callDepth = 200;                              ///< bound on functions that trace each other
};

/// Where an option may be set.
enum class OptionScope : std::uint8_t { Script, CommandLine };

/// Sets one option. RuntimeOption for a name that is unknown (the nearest are offered) or not for this scope, and for a value that
/// is impossible; `options` is unchanged then.
base::Result<void> setOption(EngineOptions &options, OptionScope scope, std::string_view name, const script::OptionValue &value);

/// The same from `NAME=VALUE` as written on a command line.
base::Result<void> setOptionFromText(EngineOptions &options, std::string_view assignment);

struct OptionDescription {
  std::string name;
  std::string value; ///< as it stands in `options`
  std::string help;
};
/// Every option with its value, sorted by name.
std::vector<OptionDescription> describeOptions(const EngineOptions &options);

} // namespace jitscope::runtime
