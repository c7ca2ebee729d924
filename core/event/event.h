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
  DiskOtherTarget,
  Study ///< not a miss of the cache: a `study` always compiles
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
  int line = 0; ///< 0 for eager operations and for functions of modules from elsewhere
  bool eager = false;
  std::string symbol = {}; ///< of functions of modules from elsewhere: the linker's name; empty for a script's
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

/// A function as it is named to people: with its line, unless its name, as of one that the script gave none, ends with that.
[[nodiscard]] std::string functionLabel(std::string_view name, int line);
/// A section as it is named to people: what comes before the first one has an empty name.
[[nodiscard]] std::string sectionLabel(std::string_view name);
/// A case as it is named to people: with the input it runs on, where that has a name.
[[nodiscard]] std::string caseName(std::string_view name, std::string_view input);

/// How a leg of a case was measured.
struct BenchLegEvent {
  base::CaseId caseId;
  Leg leg = Leg::None;
  std::uint32_t position = 0;        ///< in the order in which its bench measured legs, from 1
  std::optional<std::uint64_t> seed; ///< that the order was drawn with; empty: as the script has it
  std::uint64_t callsPerSample = 1;  ///< more than 1 where a call is too short for the clock: a sample is then the mean of as many
  double clockStepNs = 0;            ///< the resolution of the clock
  double overheadNs = 0;             ///< what measuring adds to a sample
  std::uint64_t maxSamples = 0;      ///< the maximum number of samples
  bool isCapped = false;             ///< it ended early, after `maxSamples`
};

/// What one function cost inside one compile. What is repeated is work on copies of a body that other functions' modules hold,
/// after the work on the function itself.
struct FunctionWork {
  base::FunctionId functionId;
  std::uint32_t optimized = 0; ///< modules with its body that went through the optimizer
  std::uint32_t linked = 0;    ///< times its body was linked into another module
  std::uint32_t emitted = 0;   ///< times machine code was made for it
  std::uint32_t reused = 0;    ///< times that cached work of an earlier compile replaced optimizing it
  std::uint64_t optimizeNs = 0;
  std::uint64_t emitNs = 0; ///< its share of code generation, by bytes of code
  std::uint64_t codeBytes = 0;
  std::uint64_t repeatOptimizeNs = 0; ///< part of `optimizeNs`
  std::uint64_t repeatEmitNs = 0;     ///< part of `emitNs`
  std::uint64_t repeatCodeBytes = 0;  ///< part of `codeBytes`
};

/// A stage of a pipeline, or the point before or after all of them.
enum class Stage : std::uint8_t {
  None,     ///< no stage: outside the optimize phase
  Before,   ///< the code as it was lowered, or read
  Function, ///< every function alone
  Link,     ///< modules are joined; no pass of LLVM's
  Cheap,    ///< a quick clean-up of a freshly linked module
  Module,   ///< LLVM's whole per-module pipeline
  PreLink,  ///< LLVM's ThinLTO pipeline up to linking
  PostLink, ///< the rest of it
  Emit,     ///< machine code is made
  Final     ///< the code as it was emitted
};
/// The spelling that sessions and people see, e.g. "pre-link"; "" for `None`.
std::string_view nameOf(Stage stage);
std::optional<Stage> stageFromName(std::string_view name);

/// One pass over one function or one module. Where the code is watched (fingerprints, or its text after passes), a pass over a
/// module has one entry of its own and one more, of no duration, for each function that it changed.
struct PassRun {
  base::FunctionId functionId; ///< none: it ran on a whole module, or on code that is nobody's function (an entry wrapper)
  base::FunctionId unitId;     ///< the function whose module was being optimized
  Stage stage = Stage::None;
  std::uint32_t seq = 0; ///< counts the passes of a compile from 1
  std::string name;
  std::uint64_t durationNs = 0; ///< without the passes that ran inside it; all of a compile add up to its optimize phase
  bool changed = false;         ///< the pass says that it may have changed the code
  /// Of the function's code after a pass that changed it: equal code has equal fingerprints, whatever it is called. 0: not taken.
  std::uint64_t fingerprint = 0;
};

enum class RemarkKind : std::uint8_t { Passed, Missed, Analysis };
std::string_view nameOf(RemarkKind kind);
std::optional<RemarkKind> remarkKindFromName(std::string_view name);

/// What an optimization pass had to say about the code.
struct Remark {
  base::FunctionId functionId; ///< none for code that is nobody's function
  base::FunctionId unitId;     ///< the function whose module was being optimized
  Stage stage = Stage::None;
  std::uint32_t passSeq = 0; ///< the pass that was running; 0 where passes were not recorded
  RemarkKind kind = RemarkKind::Passed;
  std::string pass;     ///< as remarks name it, e.g. "loop-vectorize"
  std::string name;     ///< e.g. "Vectorized"
  std::string function; ///< the symbol
  std::string file;     ///< empty without debug information
  int line = 0;         ///< 0 without debug information
  int column = 0;
  std::string message;
  base::FunctionId calleeId; ///< the function that the remark names as the callee; none: no callee, or nobody's function
  std::string args;          ///< a JSON array of {"key": …, "value": …}, in the order of the message
};

/// What became of a loop.
enum class LoopState : std::uint8_t {
  Vectorized,  ///< by the loop vectorizer, or by the SLP vectorizer within its body or what unrolling made of it
  Interleaved, ///< several rounds at a time, each still with scalars
  Scalar,      ///< considered, and left as it was
  Unrolled,    ///< completely, so that no loop was left for the loop vectorizer
  Outer        ///< holds other loops; LLVM widens innermost loops only
};
std::string_view nameOf(LoopState state);
std::optional<LoopState> loopStateFromName(std::string_view name);

/// A loop in the code of one compile, in its final state. A loop is identified by its function and location. Loops of one function
/// whose location has no column, or that have no location, are also identified by their order. Copies that inlining, unswitching
/// and vectorization itself make of a loop (remainders and checked versions) are the same loop, once in each function that holds it
/// and each unit that holds the function, and the copy with the best outcome counts.
struct LoopResult {
  base::FunctionId functionId; ///< where the loop is written; none: nobody's function
  base::FunctionId holderId;   ///< the function whose code holds it: another one where it was inlined
  base::FunctionId unitId;     ///< the function whose module that code is in
  std::string symbol;          ///< of the holder
  Stage stage = Stage::None;   ///< in which it came to this state; `None`: no vectorizer ran
  std::string file;            ///< empty without debug information
  int line = 0;                ///< 0 without debug information
  int column = 0;              ///< 0 where only lines are known
  std::uint32_t order = 0;     ///< among loops that nothing else distinguishes, from 0
  LoopState state = LoopState::Scalar;
  std::string pass;             ///< that did it or refused to: "loop-vectorize", "slp-vectorizer", "loop-unroll"
  std::uint32_t width = 0;      ///< elements in one vector, of a scalable one at least; 0: not vectorized, or not known
  bool isScalable = false;      ///< the width is a multiple of `vscale`
  std::uint32_t interleave = 1; ///< vectors in one round of the loop
  std::string reasonName;       ///< LLVM's name of why it was not vectorized, e.g. "CantReorderFPOps"; empty: none was given
  std::string reason;           ///< the same in LLVM's words
  int reasonLine = 0;           ///< of the instruction that stands in the way; 0: not known
  int reasonColumn = 0;
  std::string instruction; ///< that stands in the way, e.g. "call exp"; empty: not known
  /// The code is emitted and the root gets there. Others are in what was compiled besides: bodies inlined everywhere, unused
  /// copies.
  bool isReached = true;
};

/// The text of a function at one point of a compile.
struct IrSnapshot {
  base::FunctionId functionId;
  Stage stage = Stage::None; ///< `Before`, a stage of the pipeline, or `Final`
  std::uint32_t passSeq = 0; ///< the pass after which it was taken; 0: at the end of the stage
  std::string text;          ///< sessions keep equal texts once
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
  std::string target;           ///< triple, CPU and a hash of the features, for reading
  base::StudyId studyId;        ///< none outside `study`
  std::uint32_t repetition = 0; ///< in a study: 0 is the one recorded in detail, 1… those that only time is taken of
  std::vector<FunctionWork> work;
  std::vector<PassRun> passes;
  std::vector<Remark> remarks;
  bool hasLoops = false; ///< loops were recorded, whether or not there are any
  std::vector<LoopResult> loops;
  std::vector<IrSnapshot> snapshots;
};

/// The same input under several pipelines.
struct StudyEvent {
  base::StudyId id;
  base::SectionId sectionId;
  base::FunctionId functionId; ///< the root
  std::string name;            ///< of the root
  int line = 0;                ///< of the script; 0 on the command line
  bool isModules = false;      ///< modules from elsewhere: optimized, never executed
  std::string triple;          ///< what code was made for
  std::string cpu;
  std::string cpuFeatures;
  std::string options; ///< the compile options except for the pipeline, one line
};

/// What one pipeline made of a study's input.
struct StudyResultEvent {
  base::StudyId studyId;
  std::uint32_t position = 0; ///< in the order in which the study named its pipelines, from 0; ratios are to the first
  std::string pipeline;
  base::CompileId compileId; ///< the one recorded in detail; none where it failed
  std::uint64_t instructionsBefore = 0;
  std::uint64_t instructionsAfter = 0; ///< of all that is emitted
  std::uint64_t codeBytes = 0;
  std::uint64_t objects = 0;
  bool isExecuted = false;
  bool isEqual = false; ///< to the first pipeline's results, within the bound
  double maxUlp = 0;    ///< the largest difference from them, in units of the last place; 0 when nothing was executed
  double ulpBound = 0;  ///< what counts as equal
  std::string error;    ///< why there is no result; empty: there is one
};

/// A batch of timed calls of a study's executable.
struct StudyRunEvent {
  base::StudyId studyId;
  std::string pipeline;
  std::uint32_t repetition = 0;
  std::uint64_t calls = 1;
  std::uint64_t executeNs = 0; ///< of all of them
};

/// Something that a reader of a study's result should know.
struct StudyNoteEvent {
  base::StudyId studyId;
  std::string message;
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

/// Why an executable left the cache.
enum class EvictionReason : std::uint8_t {
  Entries, ///< the cache held more entries than it may
  Bytes,   ///< the cache held more code than it may
  Clear    ///< the script cleared the cache
};
std::string_view nameOf(EvictionReason reason);
std::optional<EvictionReason> evictionReasonFromName(std::string_view name);

/// An executable left the cache.
struct EvictionEvent {
  std::uint64_t atNs = 0;
  base::TemplateId templateId;
  EvictionReason reason = EvictionReason::Entries;
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
using Event = std::variant<FunctionEvent, TemplateEvent, SectionEvent, BenchCaseEvent, BenchLegEvent, CompileEvent, RetrievalEvent,
                           EvictionEvent, MemoryEvent, ExpectationEvent, LogEvent, StudyEvent, StudyResultEvent, StudyRunEvent,
                           StudyNoteEvent>;

} // namespace jitscope::event
