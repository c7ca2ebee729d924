// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/observe/loop_recorder.h"

#include "pipeline/observe/blocking_instruction.h"
#include "pipeline/observe/loop_code.h"
#include "pipeline/observe/remark_collector.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include <llvm/ADT/Any.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>

namespace jitscope::pipeline {

namespace {

using event::LoopResult;
using event::LoopState;
using event::Remark;
using event::RemarkKind;

constexpr std::string_view kLoopVectorizer = "loop-vectorize";
constexpr std::string_view kSlpVectorizer = "slp-vectorizer";
constexpr std::string_view kUnroller = "loop-unroll";

/// Done by a vectorizer, which later passes leave alone.
bool isFinal(LoopState state) { return state == LoopState::Vectorized || state == LoopState::Interleaved; }

/// The sentence without what LLVM puts before each, in one line.
std::string reasonIn(std::string message) {
  for (const std::string_view head : {"loop not vectorized: ", "loop not vectorized"}) {
    if (message.starts_with(head)) {
      message.erase(0, head.size());
    }
  }
  std::ranges::replace(message, '\n', ' ');
  return message;
}

std::uint32_t numberIn(llvm::StringRef text) {
  std::uint32_t number = 0;
  return text.getAsInteger(10, number) ? 0 : number;
}

void setReason(LoopResult &loop, const LoopResult &from) {
  loop.reasonName = from.reasonName;
  loop.reason = from.reason;
  loop.reasonLine = from.reasonLine;
  loop.reasonColumn = from.reasonColumn;
  loop.instruction = from.instruction;
}

std::string symbolOf(const llvm::DISubprogram &subprogram) {
  const llvm::StringRef name = subprogram.getLinkageName().empty() ? subprogram.getName() : subprogram.getLinkageName();
  return name.str();
}

} // namespace

/// Blocks outlive the pass that they were looked at for, and no more.
struct LoopRecorder::FunctionLoops {
  explicit FunctionLoops(const llvm::Function &function)
      : of(&function), dominators(const_cast<llvm::Function &>(function)), loops(dominators) {}
  const llvm::Function *of;
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::DenseMap<const llvm::BasicBlock *, std::size_t> recordOf; ///< by header, of loops no vectorizer has done yet
};

/// Loops that were vectorized before they came here, at one location.
struct LoopRecorder::Bodies {
  std::uint32_t count = 0;
  std::uint32_t lanes = 0; ///< the widest so far
};

LoopRecorder::LoopRecorder(Setup setup) : m_setup(std::move(setup)) {}
LoopRecorder::~LoopRecorder() = default;

void LoopRecorder::beginStage(event::Stage stage, base::FunctionId unit) {
  forget();
  m_stage = stage;
  m_unit = unit;
}

void LoopRecorder::forget() {
  m_current.reset();
  m_slp.clear();
  m_pending = {};
}

void LoopRecorder::attach(llvm::PassInstrumentationCallbacks &callbacks) {
  callbacks.registerBeforeNonSkippedPassCallback([this](llvm::StringRef pass, const llvm::Any &ir) {
    const auto *function = llvm::any_cast<const llvm::Function *>(&ir);
    if (function == nullptr) {
      return;
    }
    if (pass == "LoopVectorizePass") {
      forget();
      inspect(**function, kLoopVectorizer);
    } else if (pass == "SLPVectorizerPass") {
      forget(); // looked at when there is something to say of a loop
    }
  });
  callbacks.registerAfterPassCallback([this](llvm::StringRef pass, const llvm::Any & /*ir*/, const llvm::PreservedAnalyses &) {
    if (pass == "SLPVectorizerPass") {
      endSlp();
    }
    if (pass == "SLPVectorizerPass" || pass == "LoopVectorizePass") {
      forget();
    }
  });
}

LoopRecorder::Holder &LoopRecorder::holderOf(const llvm::Function &function) {
  return m_holders[{m_unit, function.getName().str()}];
}

bool LoopRecorder::isAt(const LoopResult &loop, const llvm::DILocation *location) const {
  if (location == nullptr) {
    return loop.line == 0;
  }
  return loop.line == static_cast<int>(location->getLine()) && loop.column == static_cast<int>(location->getColumn()) &&
         loop.file == location->getFilename();
}

std::vector<std::size_t> LoopRecorder::loopsAt(const Holder &holder, const llvm::DILocation *location) const {
  std::vector<std::size_t> found;
  llvm::copy_if(holder.loops, std::back_inserter(found), [&](std::size_t loop) { return isAt(m_loops[loop], location); });
  return found;
}

std::size_t LoopRecorder::add(const llvm::Function &function, const llvm::DILocation *location, LoopState state) {
  Holder &holder = holderOf(function);
  LoopResult loop;
  loop.symbol = function.getName().str();
  loop.holderId = m_setup.idOf(loop.symbol);
  loop.functionId = loop.holderId;
  loop.unitId = m_unit;
  loop.order = static_cast<std::uint32_t>(loopsAt(holder, location).size());
  loop.state = state;
  if (location != nullptr) {
    loop.file = location->getFilename().str();
    loop.line = static_cast<int>(location->getLine());
    loop.column = static_cast<int>(location->getColumn());
    if (const llvm::DISubprogram *writtenIn = location->getScope()->getSubprogram();
        writtenIn != nullptr && location->getInlinedAt() != nullptr) {
      loop.functionId = m_setup.idOf(symbolOf(*writtenIn));
    }
  }
  holder.loops.push_back(m_loops.size());
  m_loops.push_back(std::move(loop));
  return m_loops.size() - 1;
}

void LoopRecorder::addVectorizedBefore(const llvm::Function &function, const llvm::Loop &loop, std::uint32_t nth) {
  const llvm::DILocation *location = startOf(loop);
  const std::vector<std::size_t> known = loopsAt(holderOf(function), location);
  const auto isDone = [this](std::size_t record) { return isFinal(m_loops[record].state); };
  if (static_cast<std::size_t>(llvm::count_if(known, isDone)) > nth) {
    return; // recorded, or another part of one that is
  }
  const auto original = llvm::find_if(m_loops, [&](const LoopResult &other) {
    return other.line > 0 && isAt(other, location) && isFinal(other.state) && other.pass == kLoopVectorizer;
  });
  LoopResult made;
  made.pass = kLoopVectorizer;
  made.state = LoopState::Vectorized;
  made.width = lanesIn(loop);
  if (original != m_loops.end()) {
    std::tie(made.state, made.width, made.isScalable, made.interleave, made.stage) =
        std::tuple(original->state, original->width, original->isScalable, original->interleave, original->stage);
  } else if (made.width == 0) {
    return; // a remainder alone does not tell what became of the loop
  }
  LoopResult &record = m_loops[add(function, location, made.state)];
  std::tie(record.pass, record.width, record.isScalable, record.interleave, record.stage) =
      std::tie(made.pass, made.width, made.isScalable, made.interleave, made.stage);
}

void LoopRecorder::inspect(const llvm::Function &function, std::string_view pass) {
  if (function.isDeclaration() || function.getName() == m_setup.entry) {
    return;
  }
  holderOf(function).isInspected = true;
  if (function.size() == 1) {
    return;
  }
  m_current = std::make_unique<FunctionLoops>(function);
  // Those that are still to be told which loop they are, by location, in the order of the code; each is given out once for each
  // chain of calls that it was inlined through.
  std::map<std::pair<const llvm::DILocation *, std::size_t>, std::size_t> taken;
  std::map<const llvm::DILocation *, Bodies> bodies;
  const bool isFirstLook = holderOf(function).loops.empty();
  for (const llvm::Loop *loop : m_current->loops.getLoopsInPreorder()) {
    const llvm::BasicBlock &header = *loop->getHeader();
    const llvm::DILocation *location = startOf(*loop);
    const bool isToldByColumn = location != nullptr && location->getColumn() > 0;
    if (isMarkedVectorized(loop->getLoopID())) {
      // Narrower vectors at the same location do what the main loop leaves over.
      Bodies &before = bodies[location];
      const std::uint32_t lanes = lanesIn(*loop);
      const bool isAnother = isFirstLook && !isToldByColumn && lanes >= before.lanes && lanes > 0;
      addVectorizedBefore(function, *loop, isAnother ? before.count++ : 0);
      before.lanes = std::max(before.lanes, lanes);
      continue;
    }
    std::vector<std::size_t> open = loopsAt(holderOf(function), location);
    if (!isToldByColumn) {
      std::erase_if(
          open, [this](std::size_t known) { return isFinal(m_loops[known].state) || m_loops[known].state == LoopState::Unrolled; });
    }
    const LoopState state = loop->isInnermost() ? LoopState::Scalar : LoopState::Outer;
    if (open.empty()) {
      open.push_back(add(function, location, state));
    }
    std::size_t &next = taken[{location == nullptr ? nullptr : location->getInlinedAt(), open.front()}];
    const std::size_t nth = isToldByColumn ? 0 : next++;
    if (nth >= open.size()) {
      open.push_back(add(function, location, state));
    }
    LoopResult &record = m_loops[open.at(nth)];
    if (record.state == LoopState::Outer) {
      record.state = state;
    }
    if (record.state == LoopState::Scalar && !pass.empty()) {
      record.stage = m_stage;
      record.pass = pass;
    }
    m_current->recordOf[&header] = open[nth];
  }
}

LoopResult *LoopRecorder::loopOf(const llvm::BasicBlock &header) {
  const llvm::Function &function = *header.getParent();
  if (!m_current || m_current->of != &function) {
    return nullptr;
  }
  const auto known = m_current->recordOf.find(&header);
  return known == m_current->recordOf.end() ? nullptr : &m_loops[known->second];
}

void LoopRecorder::remark(const llvm::DiagnosticInfoIROptimization &info, const Remark &remark) {
  const auto *block = llvm::dyn_cast_or_null<llvm::BasicBlock>(info.getCodeRegion());
  if (block == nullptr || remark.function == m_setup.entry) {
    return;
  }
  if (remark.pass == kLoopVectorizer) {
    loopVectorizeRemark(*block, remark, info);
  } else if (remark.pass == kSlpVectorizer && remark.kind == RemarkKind::Passed) {
    slpRemark(*block, remark);
  } else if (remark.pass == kUnroller && remark.name == "FullyUnrolled") {
    unrolled(*block);
  }
}

void LoopRecorder::loopVectorizeRemark(const llvm::BasicBlock &block, const Remark &remark,
                                       const llvm::DiagnosticInfoIROptimization &info) {
  // What is said of a loop comes in a row: why not, and after that whether. A reason that comes second follows from the first.
  const bool isReason = remark.kind == RemarkKind::Analysis || remark.name == "VectorizationNotBeneficial";
  if (isReason && remark.name != "AllDisabled" && m_pending.reasonName.empty()) {
    m_pending.reasonName = remark.name;
    m_pending.reason = reasonIn(remark.message);
    m_pending.reasonLine = remark.line;
    m_pending.reasonColumn = remark.column;
    m_pending.instruction = blockingInstruction(block, remark);
    if (remark.name == "VectorizationNotBeneficial" && isVectorizationDisabled(loopIdOf(block))) {
      m_pending.reasonName = "MissedExplicitlyDisabled";
    }
  }
  if (remark.kind == RemarkKind::Analysis) {
    return;
  }
  if (remark.name == "MissedExplicitlyDisabled") {
    m_pending.reasonName = remark.name;
    m_pending.reason = reasonIn(remark.message);
  }
  LoopResult *loop = loopOf(block);
  const LoopResult reason = std::exchange(m_pending, {});
  if (loop == nullptr || isFinal(loop->state) || remark.name.starts_with("Interleaving")) {
    return; // whether to interleave is asked after whether to vectorize
  }
  loop->stage = m_stage;
  loop->pass = kLoopVectorizer;
  setReason(*loop, reason);
  if (remark.kind != RemarkKind::Passed) {
    return;
  }
  loop->interleave = std::max(numberIn(argumentIn(info, "InterleaveCount")), 1U);
  if (remark.name == "Interleaved") {
    loop->state = LoopState::Interleaved;
    return;
  }
  llvm::StringRef width = argumentIn(info, "VectorizationFactor");
  loop->isScalable = width.consume_front("vscale x ");
  loop->width = numberIn(width);
  loop->state = LoopState::Vectorized;
  setReason(*loop, {});
}

void LoopRecorder::unrolled(const llvm::BasicBlock &header) {
  if (isMarkedVectorized(loopIdOf(header))) {
    return; // the remainder of a loop that was vectorized
  }
  const llvm::DILocation *location = startOf(header);
  const llvm::Function &function = *header.getParent();
  const std::vector<std::size_t> known = loopsAt(holderOf(function), location);
  const auto isLeft = [this](std::size_t loop) { return !isFinal(m_loops[loop].state); };
  auto record = llvm::find_if(known, [&](std::size_t loop) { return isLeft(loop) && m_loops[loop].state != LoopState::Unrolled; });
  const bool isToldByColumn = location != nullptr && location->getColumn() > 0;
  record = record == known.end() && isToldByColumn ? known.begin() : record;
  const std::size_t place = record == known.end() ? add(function, location, LoopState::Unrolled) : *record;
  m_unrolledCode[place].merge(locationsIn(header));
  LoopResult &loop = m_loops[place];
  if (!isFinal(loop.state)) {
    loop.state = LoopState::Unrolled;
    loop.stage = m_stage;
    loop.pass = kUnroller;
  }
}

void LoopRecorder::slpRemark(const llvm::BasicBlock &block, const Remark &remark) {
  const llvm::Function &function = *block.getParent();
  if (!m_current || m_current->of != &function) {
    inspect(function, {});
  }
  const llvm::Loop *loop = m_current ? m_current->loops.getLoopFor(&block) : nullptr;
  std::optional<std::size_t> record;
  if (loop != nullptr) {
    if (const auto known = m_current->recordOf.find(loop->getHeader()); known != m_current->recordOf.end()) {
      record = known->second;
    }
  } else {
    // Code of no loop, but perhaps of one that was unrolled.
    for (const std::size_t candidate : holderOf(function).loops) {
      const LoopResult &unrolled = m_loops[candidate];
      const bool isThere = unrolled.file == remark.file && m_unrolledCode[candidate].contains({remark.line, remark.column});
      record = unrolled.state == LoopState::Unrolled && isThere && !record ? std::optional(candidate) : record;
    }
  }
  const bool isNew = record && llvm::none_of(m_slp, [&](const SlpWork &work) { return work.block == &block; });
  if (isNew && !isFinal(m_loops[*record].state)) {
    SlpWork &work = m_slp.emplace_back(*record, &block);
    for (const llvm::Instruction &instruction : block) {
      if (instruction.getType()->isVectorTy() || llvm::isa<llvm::StoreInst>(instruction)) {
        work.vectorsBefore.insert(&instruction);
      }
    }
  }
}

void LoopRecorder::endSlp() {
  for (const SlpWork &work : m_slp) {
    LoopResult &loop = m_loops[work.loop];
    const bool isAgain = loop.state == LoopState::Vectorized; // by another block of it
    loop.width = std::max(isAgain ? loop.width : 0, lanesIn(*work.block, work.vectorsBefore));
    loop.state = LoopState::Vectorized;
    loop.stage = m_stage;
    loop.pass = kSlpVectorizer;
  }
}

void LoopRecorder::emitting(const llvm::Module &module, base::FunctionId unit) {
  beginStage(event::Stage::None, unit);
  for (const llvm::Function &function : module) {
    for (const llvm::User *user : function.users()) {
      const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (instruction == nullptr) {
        m_reach.addressTaken(function.getName().str());
      } else {
        m_reach.calls({unit, instruction->getFunction()->getName().str()}, function.getName().str());
      }
    }
    if (function.isDeclarationForLinker()) {
      continue;
    }
    m_reach.emits({unit, function.getName().str()});
    if (!holderOf(function).isInspected) {
      inspect(function, {});
    }
  }
  forget();
}

std::vector<LoopResult> LoopRecorder::finish(const std::vector<std::string> &roots, base::FunctionId rootUnit) {
  const std::set<CodeReach::Place> reached = m_reach.from(roots, rootUnit, m_setup.idOf);
  for (LoopResult &loop : m_loops) {
    loop.isReached = reached.contains({loop.unitId, loop.symbol});
    if (loop.state == LoopState::Scalar && loop.reasonName.empty()) {
      loop.reasonName = m_setup.offName;
      loop.reason = m_setup.offReason;
    }
  }
  std::ranges::stable_sort(m_loops, {}, [](const LoopResult &loop) { return std::tie(loop.file, loop.line, loop.column); });
  return std::exchange(m_loops, {});
}

} // namespace jitscope::pipeline
