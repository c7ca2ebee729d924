// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// What happens in a run, as plain structs. Times are nanoseconds since the session began, durations nanoseconds, sizes bytes.
/// This is all that the engine and the recorder know of each other.
namespace jitscope::event {

/// How a call was served.
enum class Outcome : std::uint8_t { Hit, Retrace, Disk, Miss, Wait, Bypass };
/// Why a call could not be served from memory.
enum class MissReason : std::uint8_t {
  NewFunction,
  NewShape,
  NewDtype,
  NewRank,
  NewArity,
  StaticValue,
  Options,
  Evicted,
  Cleared,
  DiskCorrupt,
  DiskOtherTarget
};
/// The way a benchmark case was measured; `None` for calls outside `bench`.
enum class Leg : std::uint8_t { None, Cold, Warm };
/// What a call was for.
enum class CallPhase : std::uint8_t { Setup, Run, Warmup, Sample };
enum class LogLevel : std::uint8_t { Debug, Info, Warning, Error };

/// The spelling that sessions and people see, e.g. "new-shape".
std::string_view nameOf(Outcome outcome);
std::string_view nameOf(MissReason reason);
std::string_view nameOf(Leg leg); ///< "" for `None`
std::string_view nameOf(CallPhase phase);
std::string_view nameOf(LogLevel level);

/// The way back from a spelling; empty where there is no such value.
std::optional<Outcome> outcomeFromName(std::string_view name);
std::optional<MissReason> missReasonFromName(std::string_view name);
std::optional<Leg> legFromName(std::string_view name);
std::optional<CallPhase> callPhaseFromName(std::string_view name);
std::optional<LogLevel> logLevelFromName(std::string_view name);

/// One call of a function. Its total is `lookupNs + waitNs + compileNs + executeNs`.
struct CallEvent {
  base::CallId id;
  base::TemplateId templateId;
  base::SectionId sectionId;
  base::CaseId caseId; ///< none outside `bench`
  std::uint32_t thread = 0;
  std::uint16_t process = 0; ///< 0 the script's own, 1… the processes of cold legs
  Outcome outcome = Outcome::Hit;
  Leg leg = Leg::None;
  CallPhase phase = CallPhase::Run;
  std::uint64_t startNs = 0;
  std::uint64_t lookupNs = 0;
  std::uint64_t waitNs = 0;
  std::uint64_t compileNs = 0; ///< tracing included
  std::uint64_t executeNs = 0;

  [[nodiscard]] std::uint64_t totalNs() const { return lookupNs + waitNs + compileNs + executeNs; }
};

/// A function came into being: by `fn`, or an eager operation's first use.
struct FunctionEvent {
  base::FunctionId id;
  std::string name;
  int line = 0; ///< 0 for eager operations
  bool eager = false;
};

/// A function was asked for an argument signature for the first time.
struct TemplateEvent {
  base::TemplateId id;
  base::FunctionId functionId;
  std::string signature; ///< e.g. "f32[64,64], f32[64,64]"
};

struct SectionEvent {
  base::SectionId id;
  std::string name;
  std::uint64_t startNs = 0;
};

struct BenchCaseEvent {
  base::CaseId id;
  std::uint32_t bench = 0; ///< counts the script's `bench` calls from 1
  std::string name;
  std::string input; ///< name of the input it runs on; empty without `inputs`
  base::FunctionId functionId;
  std::uint64_t warmupNs = 0;
  std::uint64_t timeNs = 0;
  std::uint32_t parallel = 1;
};

/// What one function cost inside one compile.
struct FunctionWork {
  base::FunctionId functionId;
  std::uint32_t optimized = 0; ///< times it went through an optimizing stage
  std::uint32_t linked = 0;    ///< times its body was linked into another module
  std::uint32_t emitted = 0;   ///< times machine code was made for it
  std::uint64_t optimizeNs = 0;
  std::uint64_t emitNs = 0;
  std::uint64_t codeBytes = 0;
};

/// Native code was made: a miss, or an ahead-of-time `compile`.
struct CompileEvent {
  base::CompileId id;
  base::CallId callId; ///< none for ahead-of-time compiles
  base::TemplateId templateId;
  std::string pipeline;
  MissReason reason = MissReason::NewFunction;
  base::TemplateId nearestTemplateId; ///< none for `NewFunction`
  std::string difference;             ///< e.g. "arg 0 dim 0: 64 -> 256"; fields separated by "; "
  std::uint64_t startNs = 0;
  std::uint64_t traceNs = 0;
  std::uint64_t lowerNs = 0;
  std::uint64_t optimizeNs = 0;
  std::uint64_t codegenNs = 0;
  std::uint64_t linkNs = 0;
  std::uint64_t totalNs = 0; ///< phases plus what lies between them
  std::uint64_t codeBytes = 0;
  std::uint16_t process = 0;
  std::string target; ///< triple, CPU and a hash of the features, for reading
  std::vector<FunctionWork> work;
};

/// A call found no executable in memory, yet nothing was compiled: an equal graph was there already (`Retrace`) or its code was on
/// disk (`Disk`). Says why memory did not have it.
struct RetrievalEvent {
  base::CallId callId; ///< none for ahead-of-time compiles
  base::TemplateId templateId;
  Outcome outcome = Outcome::Retrace;
  MissReason reason = MissReason::NewFunction;
  base::TemplateId nearestTemplateId;
  std::string difference;
  std::uint64_t startNs = 0;
  std::uint64_t traceNs = 0;
  std::uint64_t loadNs = 0; ///< reading, checking and linking the object
  std::uint64_t codeBytes = 0;
  std::uint16_t process = 0;
};

/// An executable left the cache. `reason`: "entries", "bytes" or "clear".
struct EvictionEvent {
  std::uint64_t atNs = 0;
  base::TemplateId templateId;
  std::string reason;
  std::uint64_t codeBytes = 0;
};

struct MemoryEvent {
  std::uint64_t atNs = 0;
  std::uint64_t tensorLiveBytes = 0;
  std::uint64_t tensorPeakBytes = 0;
  std::uint64_t cacheEntries = 0;
  std::uint64_t cacheCodeBytes = 0;
};

struct ExpectationEvent {
  int line = 0;
  std::string name; ///< e.g. "expect.outcome"
  bool passed = false;
  std::string expected;
  std::string actual;
};

struct LogEvent {
  std::uint64_t atNs = 0;
  LogLevel level = LogLevel::Info;
  std::string message;
};

/// Everything but calls, which have a path of their own because there are so many.
using Event = std::variant<FunctionEvent, TemplateEvent, SectionEvent, BenchCaseEvent, CompileEvent, RetrievalEvent, EvictionEvent,
                           MemoryEvent, ExpectationEvent, LogEvent>;

} // namespace jitscope::event
