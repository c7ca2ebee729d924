// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "lower/compile_options.h"
#include "pipeline/object_code.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class Module;
class TargetLibraryInfoImpl;
class TargetMachine;
} // namespace llvm

namespace jitscope::base {
class Clock;
} // namespace jitscope::base

namespace jitscope::pipeline {

/// One function as it was lowered: a module of its own.
struct FunctionModule {
  base::FunctionId functionId;
  std::string symbol;
  std::unique_ptr<llvm::Module> module;
};

/// What a pipeline starts from. All modules live in one context.
struct PipelineInput {
  std::vector<FunctionModule> functions; ///< callees before callers; the root last
  std::unique_ptr<llvm::Module> entry;   ///< the wrapper that the runtime calls
  std::string entrySymbol;               ///< the one symbol that must stay visible

  PipelineInput();
  PipelineInput(PipelineInput &&) noexcept;
  PipelineInput &operator=(PipelineInput &&) noexcept;
  ~PipelineInput();
};

struct PipelineOutput {
  std::vector<ObjectCode> objects;
  std::uint64_t optimizeNs = 0; ///< passes and the linking of modules
  std::uint64_t codegenNs = 0;
};

/// What a pipeline works with; lent for one run.
struct PipelineTools {
  llvm::TargetMachine &machine;
  const llvm::TargetLibraryInfoImpl &libraryInfo;
  const lower::CompileOptions &options;
  const base::Clock &clock;
  /// Makes an object of a module, which it uses up.
  std::function<base::Result<ObjectCode>(llvm::Module &)> emit;
};

/// An order in which functions are optimized, linked and emitted. Stateless: may be shared between threads.
class Pipeline {
public:
  virtual ~Pipeline() = default;
  /// CompileOptimize or CompileCodegen, naming the function.
  [[nodiscard]] virtual base::Result<PipelineOutput> run(PipelineInput input, const PipelineTools &tools) const = 0;
};

/// The pipeline of that name; RuntimeOption, offering the names, where there is none.
base::Result<std::unique_ptr<Pipeline>> makePipeline(std::string_view name);

/// The names that `makePipeline` takes, sorted.
std::vector<std::string_view> pipelineNames();

} // namespace jitscope::pipeline
