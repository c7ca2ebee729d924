// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "graph/template.h"
#include "lower/compile_options.h"
#include "lower/target.h"
#include "pipeline/observe/observation.h"
#include "runtime/dispatch/compiled_executable.h"
#include "runtime/dispatch/disk_miss.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace jitscope::base {
class Clock;
} // namespace jitscope::base
namespace jitscope::event {
class CompileActivity;
} // namespace jitscope::event
namespace jitscope::graph {
class Graph;
} // namespace jitscope::graph

namespace jitscope::runtime {

/// The version of LLVM that compiles, e.g. "19.1.7".
std::string llvmVersion();

/// How an executable came to be, and what each step cost.
struct Compiled {
  enum class Origin : std::uint8_t { Compiled, EqualGraph, Disk };
  std::shared_ptr<const CompiledExecutable> executable;
  Origin origin = Origin::Compiled;
  std::uint64_t lowerNs = 0;
  std::uint64_t optimizeNs = 0;
  std::uint64_t codegenNs = 0;
  std::uint64_t linkNs = 0;
  std::uint64_t loadNs = 0;                ///< from disk: reading, checking and linking
  std::string target;                      ///< triple and CPU, for people
  std::optional<DiskMiss> diskMiss;        ///< why the disk did not serve; empty: it has nothing like it, or was not asked
  std::uint64_t emittedObjects = 0;        ///< how many objects the pipeline made
  pipeline::CompileTrace trace;            ///< of `Compiled` code: what the request's observation asked for
  std::optional<base::Error> storeFailure; ///< the code could not be kept on disk; it runs all the same
};

struct CompilerOptions {
  std::string scriptPath = "script.lua";            ///< what debug locations name
  std::string version = "0";                        ///< of Jitscope; code of another version is never loaded from disk
  const std::atomic<bool> *stopRequested = nullptr; ///< ends compiles that are under way; null: nothing does
};

/// From a graph to code in this process: equal code that is still in memory, else from disk, else by lowering, the pipeline, code
/// generation and linking. Members may be called from any thread.
class Compiler {
public:
  /// CompileLink or CompileTarget when this process cannot run generated code.
  static base::Result<std::unique_ptr<Compiler>> create(const base::Clock &clock, CompilerOptions options);
  ~Compiler();
  Compiler(const Compiler &) = delete;
  Compiler &operator=(const Compiler &) = delete;

  struct Request {
    std::shared_ptr<const graph::Graph> graph;
    lower::CompileOptions options;
    const jit::DiskCache *disk = nullptr; ///< null: the disk is left alone
    bool mayReuse = true;                 ///< false: compile anew, whatever code or unfinished work is in memory
    pipeline::Observation observation = {};
    event::CompileActivity *activity = nullptr; ///< hears how it gets on; null: nobody does
    graph::Template tmpl = {};                  ///< what the disk notes beside the code
    bool isNewFunction = false;                 ///< memory has no template of the function: the disk may have some
  };
  /// ScriptInterrupted when the run was asked to stop meanwhile.
  base::Result<Compiled> compile(const Request &request);

  /// Forgets the work that pipelines keep from compile to compile, so that the next one starts from nothing.
  void forgetKeptWork();

  /// The triple, CPU and features that code is made for with these options; CompileTarget as `compile`.
  base::Result<lower::TargetSpec> targetOf(const lower::CompileOptions &options);

  /// Refuses options that no compile could honour: an unknown pipeline or CPU, or a CPU with features that this machine lacks.
  base::Result<void> check(const lower::CompileOptions &options);

private:
  struct State;
  explicit Compiler(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

} // namespace jitscope::runtime
