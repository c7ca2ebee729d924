// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"
#include "pipeline/observe/code_reach.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <llvm/ADT/DenseMap.h>

namespace llvm {
class BasicBlock;
class DILocation;
class DiagnosticInfoIROptimization;
class Function;
class Instruction;
class Loop;
class Module;
class PassInstrumentationCallbacks;
} // namespace llvm

namespace jitscope::pipeline {

/// Follows every loop of one compile from the first vectorizer on and records its outcome: `event::LoopResult` says what one loop
/// is. Looks at the loops of a function when the loop vectorizer gets to it, and takes the rest from remarks, which name the loop
/// by its block. Changes nothing of the code.
class LoopRecorder {
public:
  struct Setup {
    CodeReach::IdOf idOf; ///< the id of the function with that symbol; none for others
    std::string entry;    ///< the symbol of the wrapper, whose loops are nobody's; empty: there is none
    /// Why LLVM gives no remark about some loops: options that turn the vectorizer off. Empty if no option does.
    std::string offName = {};
    std::string offReason = {};
  };
  explicit LoopRecorder(Setup setup);
  ~LoopRecorder();
  LoopRecorder(const LoopRecorder &) = delete;
  LoopRecorder &operator=(const LoopRecorder &) = delete;

  /// Registers itself for the passes of one stage; `callbacks` must not outlive the recorder.
  void attach(llvm::PassInstrumentationCallbacks &callbacks);
  /// The stage and unit that passes and remarks belong to from now on.
  void beginStage(event::Stage stage, base::FunctionId unit);
  /// What a pass said of a loop or of code in one; `remark` is the same as sessions keep it.
  void remark(const llvm::DiagnosticInfoIROptimization &info, const event::Remark &remark);
  /// The unit's module is about to become machine code: what is in it may run.
  void emitting(const llvm::Module &module, base::FunctionId unit);

  /// All loops, those that the `roots` reach marked. The root's unit is looked through first.
  [[nodiscard]] std::vector<event::LoopResult> finish(const std::vector<std::string> &roots, base::FunctionId rootUnit);

private:
  struct Holder {
    std::vector<std::size_t> loops; ///< places in `m_loops`
    bool isInspected = false;       ///< its loops were looked at before the loop vectorizer, or at the end
  };
  /// Code of a loop that the SLP vectorizer is at work on.
  struct SlpWork {
    std::size_t loop = 0;
    const llvm::BasicBlock *block = nullptr;
    std::set<const llvm::Instruction *> vectorsBefore;
  };
  struct Bodies;
  struct FunctionLoops; ///< the loops of one function as LLVM's analysis has them

  Holder &holderOf(const llvm::Function &function);
  /// Finds or makes the records of all loops of a function.
  void inspect(const llvm::Function &function, std::string_view pass);
  void forget();
  std::size_t add(const llvm::Function &function, const llvm::DILocation *location, event::LoopState state);
  [[nodiscard]] bool isAt(const event::LoopResult &loop, const llvm::DILocation *location) const;
  [[nodiscard]] std::vector<std::size_t> loopsAt(const Holder &holder, const llvm::DILocation *location) const;
  /// Records a loop that an earlier stage vectorized, in another unit's module or in a compile before this one; `nth`: as many
  /// others at its location come before it.
  void addVectorizedBefore(const llvm::Function &function, const llvm::Loop &loop, std::uint32_t nth);
  /// The record of the loop that the remark is about; nothing if that is unknown.
  [[nodiscard]] event::LoopResult *loopOf(const llvm::BasicBlock &header);
  void loopVectorizeRemark(const llvm::BasicBlock &block, const event::Remark &remark,
                           const llvm::DiagnosticInfoIROptimization &info);
  void unrolled(const llvm::BasicBlock &header);
  void slpRemark(const llvm::BasicBlock &block, const event::Remark &remark);
  void endSlp();

  Setup m_setup;
  event::Stage m_stage = event::Stage::None;
  base::FunctionId m_unit;
  std::vector<event::LoopResult> m_loops;
  std::map<CodeReach::Place, Holder> m_holders;
  CodeReach m_reach;
  std::unique_ptr<FunctionLoops> m_current;
  std::map<std::size_t, std::set<std::pair<int, int>>> m_unrolledCode; ///< lines and columns, by place in `m_loops`
  std::vector<SlpWork> m_slp;
  event::LoopResult m_pending; ///< why the loop at hand is not vectorized, before the remark that says that it is not
};

} // namespace jitscope::pipeline
