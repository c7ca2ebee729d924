// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/dispatch/compiler.h"

#include "base/clock.h"
#include "base/try.h"
#include "event/activity.h"
#include "graph/graph.h"
#include "graph/graph_hashes.h"
#include "jit/object_emitter.h"
#include "lower/entry.h"
#include "lower/key_fields.h"
#include "lower/lowering.h"
#include "lower/symbols.h"
#include "pipeline/pipeline.h"
#include "pipeline/recipe/kept_modules.h"

#include <mutex>
#include <unordered_map>

#include <fmt/format.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace jitscope::runtime {

using base::ErrorCode;
using base::fail;
using base::Hash128;
using base::Result;

namespace {

/// Raised whenever lowering or the runtime's contract with its code changes within one version.
constexpr int kCodeFormat = 1;

/// What options ask for, resolved once: targets are costly to find.
struct Target {
  lower::TargetSpec spec;
  std::vector<lower::KeyField> keyFields; ///< part of the disk key
  std::unique_ptr<llvm::TargetLibraryInfoImpl> libraryInfo;
  /// Code generators that no compile is using.
  std::vector<std::unique_ptr<llvm::TargetMachine>> idleMachines;
};

Hash128 codeKeyOf(const graph::Graph &graph, const std::string &options) {
  const Hash128 optionsHash = base::hashText(options);
  const std::array<std::uint64_t, 4> words{graph.structuralHash().low, graph.structuralHash().high, optionsHash.low,
                                           optionsHash.high};
  return base::hashWords(words);
}

} // namespace

std::string llvmVersion() { return LLVM_VERSION_STRING; }

struct Compiler::State {
  State(const base::Clock &theClock, CompilerOptions theOptions) : clock(theClock), options(std::move(theOptions)) {}

  const base::Clock &clock;
  CompilerOptions options;
  std::unique_ptr<jit::CodeLinker> linker;
  pipeline::KeptModules kept;

  std::mutex mutex; ///< guards the two maps and what hangs on them
  std::unordered_map<std::string, std::unique_ptr<Target>> targets;
  std::unordered_map<std::string, std::weak_ptr<const CompiledExecutable>> codeInMemory; ///< by code key in hexadecimal

  /// The target of these options and a code generator for it, which `giveBack` returns.
  struct Lease {
    Target *target = nullptr;
    std::unique_ptr<llvm::TargetMachine> machine;
  };
  Result<Lease> lease(const lower::CompileOptions &compileOptions);
  void giveBack(Lease lease);

  std::shared_ptr<const CompiledExecutable> findEqual(const Hash128 &key);
  void remember(const Hash128 &key, const std::shared_ptr<const CompiledExecutable> &executable);

  bool loadFromDisk(const Request &request, const jit::DiskKey &key, const jit::DiskOrigin &origin, Compiled &compiled);
  Result<jit::DiskEntry> build(const Request &request, Lease &lease, Compiled &compiled);
  [[nodiscard]] Result<void> checkStop() const;
  static void enter(const Request &request, event::CompilePhase phase, std::string_view unit);
};

Result<Compiler::State::Lease> Compiler::State::lease(const lower::CompileOptions &compileOptions) {
  const std::string name = fmt::format("{} {} {}", compileOptions.cpu, compileOptions.opt, compileOptions.veclib);
  const std::lock_guard lock(mutex);
  std::unique_ptr<Target> &target = targets[name];
  const auto makeMachine = [&](const lower::TargetSpec &spec) { return lower::createTargetMachine(spec, compileOptions.opt); };
  if (!target) {
    JITSCOPE_TRY(lower::TargetSpec spec, lower::hostTarget(compileOptions.cpu));
    JITSCOPE_TRY(std::unique_ptr<llvm::TargetMachine> machine, makeMachine(spec));
    JITSCOPE_TRY_VOID(lower::checkRunsHere(spec));
    target = std::make_unique<Target>();
    target->keyFields = {{"jitscope", fmt::format("{} format {}", options.version, kCodeFormat)},
                         {"llvm", LLVM_VERSION_STRING},
                         {"triple", spec.triple},
                         {"cpu", spec.cpu},
                         {"features", spec.features}};
    target->libraryInfo = lower::createLibraryInfo(spec, compileOptions.veclib);
    target->spec = std::move(spec);
    return Lease{target.get(), std::move(machine)};
  }
  if (!target->idleMachines.empty()) {
    Lease result{target.get(), std::move(target->idleMachines.back())};
    target->idleMachines.pop_back();
    return result;
  }
  JITSCOPE_TRY(std::unique_ptr<llvm::TargetMachine> machine, makeMachine(target->spec));
  return Lease{target.get(), std::move(machine)};
}

void Compiler::State::giveBack(Lease lease) {
  const std::lock_guard lock(mutex);
  lease.target->idleMachines.push_back(std::move(lease.machine));
}

std::shared_ptr<const CompiledExecutable> Compiler::State::findEqual(const Hash128 &key) {
  const std::lock_guard lock(mutex);
  const auto known = codeInMemory.find(toHex(key));
  return known == codeInMemory.end() ? nullptr : known->second.lock();
}

void Compiler::State::remember(const Hash128 &key, const std::shared_ptr<const CompiledExecutable> &executable) {
  const std::lock_guard lock(mutex);
  codeInMemory[toHex(key)] = executable;
  // Code that is gone leaves its key behind; swept when the map has doubled, so that the sweep costs little per compile.
  if ((codeInMemory.size() & (codeInMemory.size() - 1)) == 0) {
    std::erase_if(codeInMemory, [](const auto &known) { return known.second.expired(); });
  }
}

bool Compiler::State::loadFromDisk(const Request &request, const jit::DiskKey &key, const jit::DiskOrigin &origin,
                                   Compiled &compiled) {
  const std::uint64_t startNs = clock.nowNs();
  jit::DiskLookup found = request.disk->load(key);
  if (found.entry) {
    Result<std::unique_ptr<jit::LinkedCode>> code = linker->link(found.entry->objects, found.entry->entrySymbol);
    if (code) {
      compiled.origin = Compiled::Origin::Disk;
      compiled.executable =
          std::make_shared<CompiledExecutable>(request.graph, std::move(*code), pipeline::codeBytesOf(found.entry->objects));
      compiled.loadNs = clock.nowNs() - startNs;
      return true;
    }
    // The checksum is right, yet the code does not link: as good as damaged.
    found.problem = jit::DiskProblem::Corrupt;
    found.detail = code.error().message;
  }
  compiled.diskMiss = explainDiskMiss(found, *request.disk, key, origin, request.isNewFunction);
  return false;
}

Result<void> Compiler::State::checkStop() const {
  if (options.stopRequested != nullptr && options.stopRequested->load(std::memory_order_relaxed)) {
    return fail(ErrorCode::ScriptInterrupted, "interrupted while a function was compiled");
  }
  return {};
}

void Compiler::State::enter(const Request &request, event::CompilePhase phase, std::string_view unit) {
  if (request.activity != nullptr) {
    request.activity->enter(phase, unit);
  }
}

Result<jit::DiskEntry> Compiler::State::build(const Request &request, Lease &lease, Compiled &compiled) {
  const std::uint64_t startNs = clock.nowNs();
  llvm::LLVMContext context;
  lower::LowerOptions lowerOptions;
  lowerOptions.compile = request.options;
  lowerOptions.scriptPath = options.scriptPath;
  pipeline::PipelineInput input;
  for (const lower::NamedFunction &function : lower::functionsOf(request.graph)) {
    JITSCOPE_TRY_VOID(checkStop());
    enter(request, event::CompilePhase::Lower, function.graph->name());
    Result<lower::LoweredFunction> lowered = lower::lowerFunction(*function.graph, lowerOptions, *lease.machine, context);
    if (!lowered) {
      return std::unexpected(std::move(lowered.error()).within("while lowering " + function.graph->name()));
    }
    const base::FunctionId id = function.graph->functionId();
    input.units.emplace_back(id, lowered->symbol,
                             std::vector<pipeline::UnitFunction>{{id, lowered->symbol, function.graph->name()}},
                             std::move(lowered->module));
  }
  JITSCOPE_TRY(lower::LoweredFunction entry, lower::lowerEntry(*request.graph, lowerOptions, *lease.machine, context));
  input.entry = std::move(entry.module);
  input.exported = {entry.symbol, input.units.back().name};
  compiled.lowerNs = clock.nowNs() - startNs;

  Result<std::unique_ptr<pipeline::Pipeline>> pipeline = pipeline::makePipeline(request.options.pipeline);
  if (!pipeline) {
    return std::unexpected(std::move(pipeline.error()));
  }
  const pipeline::PipelineTools tools{
      *lease.machine,
      *lease.target->libraryInfo,
      request.options,
      clock,
      [&](llvm::Module &module) { return jit::emitObject(module, *lease.machine, request.activity); },
      request.observation,
      request.mayReuse ? &kept : nullptr,
      request.activity,
      options.stopRequested};
  jit::DiskEntry result{entry.symbol, {}, {}};
  JITSCOPE_TRY(pipeline::PipelineOutput output, (*pipeline)->run(std::move(input), tools));
  compiled.optimizeNs = output.optimizeNs;
  compiled.codegenNs = output.codegenNs;
  compiled.emittedObjects = output.emittedObjects;
  compiled.trace = std::move(output.trace);
  result.objects = std::move(output.objects);
  return result;
}

Compiler::Compiler(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Compiler::~Compiler() = default;

Result<std::unique_ptr<Compiler>> Compiler::create(const base::Clock &clock, CompilerOptions options) {
  auto state = std::make_unique<State>(clock, std::move(options));
  JITSCOPE_TRY(std::unique_ptr<jit::CodeLinker> linker, jit::CodeLinker::create());
  state->linker = std::move(linker);
  return std::unique_ptr<Compiler>(new Compiler(std::move(state)));
}

void Compiler::forgetKeptWork() { m_state->kept.clear(); }

Result<lower::TargetSpec> Compiler::targetOf(const lower::CompileOptions &options) {
  JITSCOPE_TRY(State::Lease lease, m_state->lease(options));
  lower::TargetSpec spec = lease.target->spec;
  m_state->giveBack(std::move(lease));
  return spec;
}

Result<void> Compiler::check(const lower::CompileOptions &options) {
  JITSCOPE_TRY_VOID(pipeline::makePipeline(options.pipeline));
  const Result<lower::TargetSpec> target = targetOf(options);
  return target ? Result<void>() : std::unexpected(target.error());
}

Result<Compiled> Compiler::compile(const Request &request) {
  const std::string optionsText = lower::toText(request.options);
  const Hash128 key = codeKeyOf(*request.graph, optionsText);
  Compiled compiled;
  if (request.mayReuse) {
    compiled.executable = m_state->findEqual(key);
    if (compiled.executable) {
      compiled.origin = Compiled::Origin::EqualGraph;
      return compiled;
    }
  }
  JITSCOPE_TRY(State::Lease lease, m_state->lease(request.options));
  compiled.target = fmt::format("{} {}", lease.target->spec.triple, lease.target->spec.cpu);
  const jit::DiskKey diskKey{request.graph->structuralHash(), lower::keyFieldsOf(request.options), lease.target->keyFields};
  const jit::DiskOrigin origin =
      request.disk == nullptr ? jit::DiskOrigin() : jit::DiskOrigin{graph::functionHashOf(*request.graph), request.tmpl};
  if (request.disk != nullptr && m_state->loadFromDisk(request, diskKey, origin, compiled)) {
    m_state->giveBack(std::move(lease));
    m_state->remember(key, compiled.executable);
    return compiled;
  }
  Result<jit::DiskEntry> built = m_state->build(request, lease, compiled);
  m_state->giveBack(std::move(lease));
  if (!built) {
    return std::unexpected(std::move(built.error()));
  }
  JITSCOPE_TRY_VOID(m_state->checkStop());
  State::enter(request, event::CompilePhase::Link, request.graph->name());
  const std::uint64_t linkStartNs = m_state->clock.nowNs();
  Result<std::unique_ptr<jit::LinkedCode>> code = m_state->linker->link(built->objects, built->entrySymbol);
  if (!code) {
    return std::unexpected(std::move(code.error()).within("while linking " + request.graph->name()));
  }
  compiled.linkNs = m_state->clock.nowNs() - linkStartNs;
  compiled.executable =
      std::make_shared<CompiledExecutable>(request.graph, std::move(*code), pipeline::codeBytesOf(built->objects));
  m_state->remember(key, compiled.executable);
  if (request.disk != nullptr) {
    built->origin = origin;
    if (Result<void> stored = request.disk->store(diskKey, *built); !stored) {
      compiled.storeFailure = std::move(stored.error());
    }
  }
  return compiled;
}

} // namespace jitscope::runtime
