// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jitscope::base {

/// What kind of thing went wrong. The hundreds digit is the group; `groupOf` names it.
enum class ErrorCode : std::uint16_t {
  // 1xx script: what the author of a graph script can mend.
  ScriptUnreadable = 100, ///< missing, a folder, too large, binary or not UTF-8
  ScriptSyntax,           ///< Lua could not parse it
  ScriptFailed,           ///< a Lua error while it ran
  ScriptArgument,         ///< a script function was given the wrong kind or number of arguments
  ScriptShape,            ///< shapes, dtypes or axes that do not fit
  ScriptLimit,            ///< one of the sandbox limits was reached
  ScriptInterrupted,      ///< stopped by a signal or `--timeout`
  // 2xx compile: the way from graph to native code.
  CompileGraph = 200, ///< the graph is not well formed
  CompileLower,
  CompileOptimize,
  CompileCodegen,
  CompileLink,
  CompileTarget, ///< CPU or feature names that LLVM does not know
  CompileInput,  ///< modules from elsewhere that cannot be read or do not fit together
  // 3xx runtime: running what was compiled.
  RuntimeMemory = 300, ///< out of tensor bytes
  RuntimeOption,       ///< an option with an unknown name or an impossible value
  RuntimeProcess,      ///< a child process could not be started or died
  // 4xx storage: sessions and the disk cache.
  StorageOpen = 400, ///< cannot be opened, created or is not readable
  StorageExists,     ///< the output is there already
  StorageFormat,     ///< not a session
  StorageNewer,      ///< written by a newer version
  StorageWrite,      ///< a write failed; the disk may be full
  StorageCorrupt,
  StorageCancelled, ///< a query was no longer wanted
  // 9xx internal: a defect of Jitscope itself.
  Internal = 900,
};

/// The group of a code: "script", "compile", "runtime", "storage" or "internal".
std::string_view groupOf(ErrorCode code);

/// A failure as a value. `message` says what was wrong and what to do about it; `context` says where it was met, innermost first.
struct Error {
  ErrorCode code = ErrorCode::Internal;
  std::string message;
  std::vector<std::string> context = {};

  /// The same error with one more line of context (an outer place).
  [[nodiscard]] Error within(std::string place) && {
    context.push_back(std::move(place));
    return std::move(*this);
  }
};

/// The message followed by one indented line for each context, for people.
std::string describe(const Error &error);

template <typename T> using Result = std::expected<T, Error>;

/// Short form of `std::unexpected(Error{...})`.
inline std::unexpected<Error> fail(ErrorCode code, std::string message) {
  return std::unexpected(Error{code, std::move(message), {}});
}

} // namespace jitscope::base
