// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/observe/pass_recorder.h"

#include "base/clock.h"

#include <array>
#include <utility>

#include <llvm/ADT/Any.h>
#include <llvm/Analysis/LazyCallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/StructuralHash.h>

namespace jitscope::pipeline {

namespace {

/// What runs passes, or keeps house for them, rather than being one.
bool isManager(llvm::StringRef name) {
  static constexpr std::array<llvm::StringRef, 8> kParts{
      "PassManager",         "PassAdaptor",  "AnalysisManagerProxy",  "DevirtSCCRepeatedPass", "ModuleInlinerWrapperPass",
      "RequireAnalysisPass", "VerifierPass", "InvalidateAnalysisPass"};
  return llvm::any_of(kParts, [&](llvm::StringRef part) { return name.contains(part); });
}

std::uint64_t fingerprintOf(const llvm::Function &function) { return llvm::StructuralHash(function, /*DetailedHash=*/true); }

/// The one function that a pass runs on; null for whole modules and for functions that call each other in a ring.
const llvm::Function *functionOf(const llvm::Any &ir) {
  if (const auto *function = llvm::any_cast<const llvm::Function *>(&ir)) {
    return *function;
  }
  if (const auto *loop = llvm::any_cast<const llvm::Loop *>(&ir)) {
    return (*loop)->getHeader()->getParent();
  }
  if (const auto *component = llvm::any_cast<const llvm::LazyCallGraph::SCC *>(&ir)) {
    return (*component)->size() == 1 ? &(*component)->begin()->getFunction() : nullptr;
  }
  return nullptr;
}

} // namespace

void PassRecorder::attach(llvm::PassInstrumentationCallbacks &callbacks) {
  callbacks.registerBeforeNonSkippedPassCallback([this, &callbacks](llvm::StringRef name, const llvm::Any &ir) {
    if (const Pass &pass = passOf(name, callbacks); !pass.isManager) {
      tell(pass, ir);
      begin(ir);
    }
  });
  callbacks.registerAfterPassCallback(
      [this, &callbacks](llvm::StringRef name, const llvm::Any &ir, const llvm::PreservedAnalyses &preserved) {
        if (const Pass &pass = passOf(name, callbacks); !pass.isManager) {
          end(pass.name, &ir, !preserved.areAllPreserved());
        }
      });
  // The pass took away what it ran on: a loop, or a component of the call graph.
  callbacks.registerAfterPassInvalidatedCallback(
      [this, &callbacks](llvm::StringRef name, const llvm::PreservedAnalyses & /*preserved*/) {
        if (const Pass &pass = passOf(name, callbacks); !pass.isManager) {
          end(pass.name, nullptr, true);
        }
      });
}

void PassRecorder::attachActivity(llvm::PassInstrumentationCallbacks &callbacks) {
  callbacks.registerBeforeNonSkippedPassCallback([this, &callbacks](llvm::StringRef name, const llvm::Any &ir) {
    if (const Pass &pass = passOf(name, callbacks); !pass.isManager) {
      tell(pass, ir);
    }
  });
}

void PassRecorder::tell(const Pass &pass, const llvm::Any &ir) {
  if (m_setup.activity != nullptr) {
    const llvm::Function *function = functionOf(ir);
    m_setup.activity->pass(pass.name, function == nullptr ? std::string_view() : m_setup.nameOf(*function));
  }
}

const PassRecorder::Pass &PassRecorder::passOf(std::string_view className, llvm::PassInstrumentationCallbacks &callbacks) {
  const auto [place, isNew] = m_passes.try_emplace(className.data());
  if (isNew) {
    const llvm::StringRef name = callbacks.getPassNameForClassName(className);
    place->second = {name.empty() ? std::string(className) : name.str(), isManager(className)};
  }
  return place->second;
}

void PassRecorder::beginStage(event::Stage stage, base::FunctionId unit) {
  m_stage = stage;
  m_unit = unit;
  m_stageNs = 0;
}

void PassRecorder::add(std::string_view name, std::uint64_t durationNs) {
  event::PassRun run;
  run.functionId = m_unit;
  run.unitId = m_unit;
  run.stage = m_stage;
  run.seq = ++m_seq;
  run.name = name;
  run.durationNs = durationNs;
  m_setup.trace.passes.push_back(std::move(run));
}

template <typename Action> void PassRecorder::forEachOwn(const llvm::Module &module, const Action &action) {
  for (const llvm::Function &function : module) {
    if (const base::FunctionId id = function.isDeclaration() ? base::FunctionId() : m_setup.idOf(function); id.isValid()) {
      action(function, id);
    }
  }
}

bool PassRecorder::watchesCode() const { return m_setup.observation.fingerprints || m_setup.observation.ir == IrDetail::Passes; }

bool PassRecorder::isNews(const llvm::Function &function, base::FunctionId id, event::PassRun &run) {
  bool isNew = false;
  if (m_setup.observation.fingerprints) {
    run.fingerprint = fingerprintOf(function);
    std::uint64_t &latest = m_fingerprints[{m_unit, id}];
    isNew = std::exchange(latest, run.fingerprint) != run.fingerprint;
  }
  if (m_setup.observation.ir == IrDetail::Passes) {
    isNew = m_setup.snapshot(function, run.seq);
  }
  return isNew;
}

void PassRecorder::begin(const llvm::Any &ir) {
  const llvm::Function *function = functionOf(ir);
  if (const auto *module = llvm::any_cast<const llvm::Module *>(&ir); module != nullptr && m_setup.observation.fingerprints) {
    forEachOwn(**module, [this](const llvm::Function &own, base::FunctionId id) {
      if (const auto [known, isNew] = m_fingerprints.try_emplace({m_unit, id}); isNew) {
        known->second = fingerprintOf(own);
      }
    });
  }
  m_running.push_back({++m_seq, function == nullptr ? base::FunctionId() : m_setup.idOf(*function), 0, 0});
  m_running.back().startNs = m_setup.clock.nowNs();
}

void PassRecorder::addChanged(const event::PassRun &whole, const llvm::Module &module) {
  forEachOwn(module, [&](const llvm::Function &own, base::FunctionId id) {
    event::PassRun run = whole;
    run.functionId = id;
    run.durationNs = 0;
    if (isNews(own, id, run)) {
      m_setup.trace.passes.push_back(std::move(run));
    }
  });
}

void PassRecorder::end(const std::string &name, const llvm::Any *ir, bool changed) {
  const std::uint64_t endNs = m_setup.clock.nowNs();
  const Running running = m_running.back();
  m_running.pop_back();
  const std::uint64_t wholeNs = endNs - running.startNs;
  event::PassRun run;
  run.functionId = running.function;
  run.unitId = m_unit;
  run.stage = m_stage;
  run.seq = running.seq;
  run.name = name;
  run.durationNs = wholeNs - running.insideNs;
  run.changed = changed;
  const bool isWatched = changed && ir != nullptr && watchesCode();
  const llvm::Function *function = isWatched ? functionOf(*ir) : nullptr;
  if (function != nullptr && running.function.isValid()) {
    const bool isNew = isNews(*function, running.function, run);
    run.changed = m_setup.observation.ir == IrDetail::Passes ? isNew : changed;
  }
  m_setup.trace.passes.push_back(std::move(run));
  if (const auto *module = isWatched ? llvm::any_cast<const llvm::Module *>(ir) : nullptr) {
    addChanged(event::PassRun(m_setup.trace.passes.back()), **module);
  }
  if (m_running.empty()) {
    m_stageNs += wholeNs;
  } else {
    // What writing this down took is charged to nobody.
    m_running.back().insideNs += m_setup.clock.nowNs() - running.startNs;
  }
}

} // namespace jitscope::pipeline
