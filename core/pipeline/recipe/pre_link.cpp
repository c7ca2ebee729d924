// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/recipe/pre_link.h"

#include "base/try.h"
#include "pipeline/pipeline.h"
#include "pipeline/recipe/stage_runner.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <llvm/IR/Module.h>

namespace jitscope::pipeline {

namespace {

/// One run of the recipe. Every function is optimized up to linking, its callees' work inlined, and kept; at the root only what is
/// still called is linked in.
class PreLinkRun {
public:
  PreLinkRun(PipelineInput input, const PipelineTools &tools)
      : m_input(std::move(input)), m_stages(m_input, tools), m_callees(calleesOf(m_input.units)) {
    for (std::size_t i = 0; i < m_input.units.size(); ++i) {
      for (const llvm::GlobalValue &value : m_input.units[i].module->global_values()) {
        if (!value.isDeclarationForLinker() && !value.hasLocalLinkage()) {
          m_home.try_emplace(value.getName().str(), i);
        }
      }
      if (hasOtherUsers(*m_input.units[i].module)) {
        m_alwaysNeeded.push_back(i);
      }
    }
  }

  base::Result<PipelineOutput> run() {
    base::Result<void> done = takeKept();
    done = done ? finishRest() : done;
    if (!done) {
      return std::unexpected(std::move(done.error()));
    }
    dropUncalled();
    JITSCOPE_TRY(Unit whole, linkAll(m_stages, m_input));
    m_stages.run(PassList::PostLink, whole);
    JITSCOPE_TRY(ObjectCode object, m_stages.emit(whole));
    return m_stages.finish({std::move(object)});
  }

private:
  /// Code elsewhere may use its variables, it runs when the program is loaded, or something has users that LLVM does not see.
  static bool hasOtherUsers(const llvm::Module &module) {
    return llvm::any_of(module.globals(), [](const llvm::GlobalVariable &variable) {
      return !variable.isDeclarationForLinker() && !variable.hasLocalLinkage();
    });
  }

  enum class State : std::uint8_t { NotNeeded, Needed, Ready };

  /// Callers first: what is kept has its callees inlined, and those that it does not call any more need not even be read.
  base::Result<void> takeKept() {
    m_state = neededFromOutside();
    for (std::size_t i = m_input.units.size(); i-- > 0;) {
      if (m_state[i] == State::NotNeeded) {
        continue;
      }
      JITSCOPE_TRY(const bool isReused, m_stages.reuse("pre-link", m_input.units[i]));
      if (isReused) {
        m_state[i] = State::Ready;
        needCalledBy(m_state, i);
      } else {
        std::ranges::for_each(m_callees[i], [&](std::size_t callee) { need(m_state, callee); });
      }
    }
    return {};
  }

  /// Callees first.
  base::Result<void> finishRest() {
    for (std::size_t i = 0; i < m_input.units.size(); ++i) {
      if (m_state[i] != State::Needed) {
        continue;
      }
      Unit &unit = m_input.units[i];
      for (const std::size_t callee : m_callees[i]) {
        if (base::Result<void> borrowed = m_stages.borrow(unit, *m_input.units[callee].module); !borrowed) {
          return std::unexpected(std::move(borrowed.error()).within("while linking into " + unit.name));
        }
      }
      m_stages.run(PassList::PreLink, unit);
      m_stages.keep("pre-link", unit);
    }
    return {};
  }

  /// Leaves the units that the root, or what it calls, still calls.
  void dropUncalled() {
    std::vector<State> called = neededFromOutside();
    for (std::size_t i = m_input.units.size(); i-- > 0;) {
      if (called[i] != State::NotNeeded) {
        needCalledBy(called, i);
      }
    }
    std::size_t index = 0;
    std::erase_if(m_input.units, [&](const Unit & /*unit*/) { return called[index++] == State::NotNeeded; });
  }

  /// The root, and what else must stay visible.
  [[nodiscard]] std::vector<State> neededFromOutside() const {
    std::vector<State> states(m_input.units.size(), State::NotNeeded);
    need(states, states.size() - 1);
    std::ranges::for_each(m_alwaysNeeded, [&](std::size_t unit) { need(states, unit); });
    for (const std::string &symbol : m_input.exported) {
      needHomeOf(states, symbol);
    }
    return states;
  }
  static void need(std::vector<State> &states, std::size_t unit) {
    states[unit] = states[unit] == State::NotNeeded ? State::Needed : states[unit];
  }
  void needHomeOf(std::vector<State> &states, std::string_view symbol) const {
    if (const auto home = m_home.find(symbol); home != m_home.end()) {
      need(states, home->second);
    }
  }
  void needCalledBy(std::vector<State> &states, std::size_t unit) const {
    for (const llvm::GlobalValue &value : m_input.units[unit].module->global_values()) {
      if (value.isDeclarationForLinker() && !value.use_empty()) {
        needHomeOf(states, {value.getName().data(), value.getName().size()});
      }
    }
  }

  PipelineInput m_input;
  StageRunner m_stages;
  std::vector<std::vector<std::size_t>> m_callees;
  std::map<std::string, std::size_t, std::less<>> m_home; ///< the unit of each symbol
  std::vector<std::size_t> m_alwaysNeeded;                ///< units
  std::vector<State> m_state;
};

class PreLink final : public Pipeline {
public:
  [[nodiscard]] base::Result<PipelineOutput> run(PipelineInput input, const PipelineTools &tools) const override {
    return PreLinkRun(std::move(input), tools).run();
  }
};

} // namespace

std::unique_ptr<Pipeline> makePreLink() { return std::make_unique<PreLink>(); }

} // namespace jitscope::pipeline
