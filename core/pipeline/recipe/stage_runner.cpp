// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/recipe/stage_runner.h"

#include "base/clock.h"
#include "base/try.h"
#include "event/activity.h"
#include "pipeline/modules/module_linking.h"
#include "pipeline/modules/module_program.h"
#include "pipeline/observe/context_diagnostics.h"
#include "pipeline/observe/function_text.h"
#include "pipeline/observe/readable_name.h"
#include "pipeline/observe/remark_collector.h"
#include "pipeline/recipe/kept_modules.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace jitscope::pipeline {

namespace {

/// What a small function goes through in all stages, about. For memory to be taken at once.
constexpr std::size_t kPassesOfAUnit = 128;

std::uint64_t instructionsOf(const llvm::Module &module) {
  std::uint64_t count = 0;
  for (const llvm::Function &function : module) {
    count += function.getInstructionCount();
  }
  return count;
}

/// The symbol of the one function that an entry module defines.
std::string definedIn(const llvm::Module &entry) {
  for (const llvm::Function &function : entry) {
    if (!function.isDeclaration()) {
      return function.getName().str();
    }
  }
  return "";
}

std::string_view viewOf(llvm::StringRef text) { return {text.data(), text.size()}; }

} // namespace

StageRunner::StageRunner(const PipelineInput &input, const PipelineTools &tools)
    : m_tools(tools),
      m_passes({tools.clock, tools.observation, m_trace,
                [this](const llvm::Function &function) { return idOf(viewOf(function.getName())); },
                [this](const llvm::Function &function, std::uint32_t passSeq) {
                  const base::FunctionId id = idOf(viewOf(function.getName()));
                  return snapshot(function, id, m_stage, passSeq);
                },
                tools.activity, [this](const llvm::Function &function) { return nameOfSymbol(viewOf(function.getName())); }}),
      m_roots(input.exported), m_rootUnit(input.units.back().id) {
  for (const Unit &unit : input.units) {
    for (const UnitFunction &function : unit.functions) {
      m_ids.emplace(function.symbol, function.id);
      if (tools.activity != nullptr) {
        m_names.emplace(function.symbol, function.name.empty() ? readableName(function.symbol) : function.name);
      }
    }
  }
  const std::string entry = input.entry ? definedIn(*input.entry) : "";
  if (tools.observation.wantsLoops()) {
    LoopRecorder::Setup setup{[this](std::string_view symbol) { return idOf(symbol); }, entry};
    if (tools.options.opt == 0) {
      setup.offName = "NotOptimized";
      setup.offReason = "not optimized: opt is 0";
    } else if (!tools.options.loopVectorize) {
      setup.offName = "VectorizerOff";
      setup.offReason = "the loop vectorizer is off: loop_vectorize is false";
    }
    m_loops = std::make_unique<LoopRecorder>(std::move(setup));
  }
  const auto keep = [this, entry](event::Remark remark, const llvm::DiagnosticInfoIROptimization &info) {
    if (!entry.empty() && remark.function == entry) {
      return; // the wrapper is ours; what LLVM makes of it is of no interest to anybody
    }
    remark.functionId = idOf(remark.function);
    remark.unitId = m_unit;
    remark.calleeId = idOf(viewOf(argumentIn(info, "Callee")));
    remark.stage = m_stage;
    remark.passSeq = m_passes.currentSeq();
    if (m_loops) {
      m_loops->remark(info, remark);
    }
    m_trace.remarks.push_back(std::move(remark));
  };
  m_diagnostics = std::make_unique<ContextDiagnostics>(input.units.front().module->getContext(),
                                                       std::make_unique<RemarkCollector>(tools.observation, keep, m_errors));
  if (tools.observation.passes) {
    m_trace.passes.reserve(kPassesOfAUnit * input.units.size());
  }
  for (const Unit &unit : input.units) {
    m_trace.instructionsBefore += instructionsOf(*unit.module);
    snapshotOwn(unit, event::Stage::Before);
  }
}

StageRunner::~StageRunner() = default;

base::FunctionId StageRunner::idOf(std::string_view symbol) const {
  const auto known = m_ids.find(symbol);
  return known == m_ids.end() ? base::FunctionId() : known->second;
}

std::string_view StageRunner::nameOfSymbol(std::string_view symbol) const {
  const auto known = m_names.find(symbol);
  return known == m_names.end() ? symbol : std::string_view(known->second);
}

bool StageRunner::isStopped() const {
  return m_tools.stopRequested != nullptr && m_tools.stopRequested->load(std::memory_order_relaxed);
}

/// Runs `action` as part of the optimize phase; `what` names the time that no pass of it took.
template <typename Action> auto StageRunner::timed(event::Stage stage, const Unit &unit, std::string_view what, Action action) {
  m_stage = stage;
  m_unit = unit.id;
  m_passes.beginStage(m_stage, unit.id);
  if (m_tools.activity != nullptr) {
    m_tools.activity->enter(event::CompilePhase::Optimize, nameOfSymbol(unit.name), m_stage);
  }
  const std::uint64_t startNs = m_tools.clock.nowNs();
  auto result = action();
  const std::uint64_t wholeNs = m_tools.clock.nowNs() - startNs;
  m_optimizeNs += wholeNs;
  if (m_tools.observation.passes) {
    m_passes.add(what, wholeNs - m_passes.stageNs());
  }
  return result;
}

void StageRunner::run(PassList list, Unit &unit) {
  const event::Stage stage = stageOf(list);
  for (const llvm::Function &function : *unit.module) {
    // What is lent only is inlined from.
    if (const base::FunctionId id = idOf(viewOf(function.getName())); !function.isDeclarationForLinker() && id.isValid()) {
      m_work.optimized(id, unit.id, stage);
    }
  }
  m_shown = nullptr;
  timed(stage, unit, "(pass manager)", [&] {
    llvm::PassInstrumentationCallbacks callbacks;
    if (m_tools.observation.passes) {
      m_passes.attach(callbacks);
    } else if (m_tools.activity != nullptr) {
      m_passes.attachActivity(callbacks);
    }
    if (m_loops) {
      m_loops->beginStage(m_stage, unit.id);
      m_loops->attach(callbacks);
    }
    callbacks.registerShouldRunOptionalPassCallback([this](llvm::StringRef, const llvm::Any &) { return !isStopped(); });
    runPasses(list, *unit.module, m_tools, callbacks);
    return true;
  });
  snapshotOwn(unit, stage);
  m_shown = unit.module.get();
}

void StageRunner::countLinked(const llvm::Module &source) {
  for (const llvm::Function &function : source) {
    if (const base::FunctionId id = idOf(viewOf(function.getName())); !function.isDeclaration() && id.isValid()) {
      m_work.linked(id);
    }
  }
}

base::Result<void> StageRunner::link(Unit &unit, std::unique_ptr<llvm::Module> source) {
  m_shown = nullptr;
  countLinked(*source);
  return timed(event::Stage::Link, unit, "(linking)", [&] { return linkInto(*unit.module, std::move(source)); });
}

base::Result<void> StageRunner::linkCopy(Unit &unit, const llvm::Module &source) {
  m_shown = nullptr;
  countLinked(source);
  return timed(event::Stage::Link, unit, "(linking)", [&] { return linkInto(*unit.module, llvm::CloneModule(source)); });
}

base::Result<void> StageRunner::borrow(Unit &unit, const llvm::Module &source) {
  m_shown = nullptr;
  countLinked(source);
  return timed(event::Stage::Link, unit, "(linking)", [&] { return lendTo(*unit.module, source); });
}

void StageRunner::internalize(Unit &unit, const std::vector<std::string> &exported) {
  m_shown = nullptr;
  timed(event::Stage::Link, unit, "(internalizing)", [&] {
    internalizeAllBut(*unit.module, exported);
    return true;
  });
}

std::unique_ptr<llvm::Module> StageRunner::copyForCallers(Unit &unit) {
  return timed(event::Stage::Link, unit, "(copying)", [&] { return copyToLink(*unit.module, unit.name); });
}

std::string StageRunner::keyOf(std::string_view pipeline, const Unit &unit) const {
  return fmt::format("{} {} {}", unit.name, pipeline, lower::toText(m_tools.options));
}

base::Result<bool> StageRunner::reuse(std::string_view pipeline, Unit &unit) {
  if (m_tools.kept == nullptr) {
    return false;
  }
  m_shown = nullptr;
  return timed(event::Stage::Link, unit, "(reading cached work)", [&]() -> base::Result<bool> {
    JITSCOPE_TRY(std::unique_ptr<llvm::Module> kept, m_tools.kept->find(keyOf(pipeline, unit), unit.module->getContext()));
    if (!kept) {
      return false;
    }
    unit.module = std::move(kept);
    for (const UnitFunction &function : unit.functions) {
      m_work.reused(function.id);
    }
    return true;
  });
}

void StageRunner::keep(std::string_view pipeline, const Unit &unit) {
  // What a stop has left half done is nothing to keep.
  if (m_tools.kept == nullptr || isStopped()) {
    return;
  }
  timed(event::Stage::Link, unit, "(keeping)", [&] {
    m_tools.kept->keep(keyOf(pipeline, unit), *unit.module);
    return true;
  });
}

base::Result<ObjectCode> StageRunner::emit(Unit &unit) {
  if (isStopped()) {
    return base::fail(base::ErrorCode::ScriptInterrupted, "interrupted while a function was compiled");
  }
  const std::uint64_t instructions = instructionsOf(*unit.module);
  if (m_tools.activity != nullptr) {
    m_tools.activity->enter(event::CompilePhase::Codegen, nameOfSymbol(unit.name));
  }
  if (m_shown == unit.module.get()) {
    repeatLatest(unit, event::Stage::Final);
  } else {
    snapshotOwn(unit, event::Stage::Final);
  }
  m_shown = nullptr;
  if (m_loops) {
    m_loops->emitting(*unit.module, unit.id);
  }
  m_stage = event::Stage::Emit;
  m_unit = unit.id;
  const std::uint64_t startNs = m_tools.clock.nowNs();
  base::Result<ObjectCode> object = m_tools.emit(*unit.module);
  const std::uint64_t emitNs = m_tools.clock.nowNs() - startNs;
  m_codegenNs += emitNs;
  ++m_objects;
  if (!object) {
    return std::unexpected(std::move(object.error()).within("while emitting " + unit.name));
  }
  object->instructions = instructions;
  m_work.emitted(*object, emitNs, [this](const std::string &symbol) { return idOf(symbol); });
  return object;
}

base::Result<PipelineOutput> StageRunner::finish(std::vector<ObjectCode> objects) {
  if (!m_errors.empty()) {
    return base::fail(base::ErrorCode::CompileOptimize, m_errors.substr(0, m_errors.find('\n')));
  }
  PipelineOutput output;
  output.objects = std::move(objects);
  for (const ObjectCode &object : output.objects) {
    m_trace.instructionsAfter += object.instructions;
  }
  output.emittedObjects = m_objects;
  output.optimizeNs = m_optimizeNs;
  output.codegenNs = m_codegenNs;
  if (m_tools.observation.passes) {
    m_trace.work = m_work.finish(m_trace.passes);
  }
  if (m_loops) {
    m_trace.hasLoops = true;
    m_trace.loops = m_loops->finish(m_roots, m_rootUnit);
  }
  output.trace = std::move(m_trace);
  return output;
}

void StageRunner::snapshotOwn(const Unit &unit, event::Stage stage) {
  if (m_tools.observation.ir == IrDetail::Off) {
    return;
  }
  for (const UnitFunction &own : unit.functions) {
    const llvm::Function *function = unit.module->getFunction(own.symbol);
    if (function != nullptr && !function->isDeclaration()) {
      snapshot(*function, own.id, stage, 0);
    }
  }
}

bool StageRunner::snapshot(const llvm::Function &function, base::FunctionId id, event::Stage stage, std::uint32_t passSeq) {
  event::IrSnapshot snapshot;
  snapshot.functionId = id;
  snapshot.stage = stage;
  snapshot.passSeq = passSeq;
  snapshot.text = textOf(function);
  const auto latest = m_latest.find(id);
  const bool differs = latest == m_latest.end() || m_trace.snapshots[latest->second].text != snapshot.text;
  if (differs || passSeq == 0) {
    m_latest[id] = m_trace.snapshots.size();
    m_trace.snapshots.push_back(std::move(snapshot));
  }
  return differs;
}

/// What nothing has worked on since its latest snapshots need not be printed again.
void StageRunner::repeatLatest(const Unit &unit, event::Stage stage) {
  for (const UnitFunction &own : unit.functions) {
    const llvm::Function *function = unit.module->getFunction(own.symbol);
    const auto latest = m_latest.find(own.id);
    if (latest == m_latest.end() || function == nullptr || function->isDeclaration()) {
      continue;
    }
    event::IrSnapshot snapshot = m_trace.snapshots[latest->second];
    snapshot.stage = stage;
    snapshot.passSeq = 0;
    m_trace.snapshots.push_back(std::move(snapshot));
  }
}

base::Result<Unit> linkAll(StageRunner &stages, PipelineInput &input) {
  Unit whole = std::move(input.units.back());
  input.units.pop_back();
  for (Unit &unit : input.units) {
    if (base::Result<void> linked = stages.link(whole, std::move(unit.module)); !linked) {
      return std::unexpected(std::move(linked.error()).within("while linking " + unit.name));
    }
    whole.functions.insert(whole.functions.end(), unit.functions.begin(), unit.functions.end());
  }
  if (input.entry) {
    if (base::Result<void> linked = stages.link(whole, std::move(input.entry)); !linked) {
      return std::unexpected(std::move(linked.error()).within("while linking the entry of " + whole.name));
    }
  }
  stages.internalize(whole, input.exported);
  return whole;
}

base::Result<void> finishEntry(StageRunner &stages, PipelineInput &input, std::vector<ObjectCode> &objects) {
  if (!input.entry) {
    return {};
  }
  Unit entry({}, "the entry wrapper", {}, std::move(input.entry));
  stages.run(PassList::Module, entry);
  JITSCOPE_TRY(ObjectCode object, stages.emit(entry));
  objects.push_back(std::move(object));
  return {};
}

} // namespace jitscope::pipeline
