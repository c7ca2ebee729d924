// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/lowering.h"
#include "base/try.h"
#include "lower/emit/call_kernel.h"
#include "lower/emit/dot_kernel.h"
#include "lower/emit/elementwise_kernel.h"
#include "lower/emit/emission.h"
#include "lower/emit/function_frame.h"
#include "lower/emit/reduction_kernel.h"
#include "lower/symbols.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace jitscope::lower {

using graph::Graph;
using graph::NodeIndex;
using graph::Op;

namespace {

void emitStep(Emission &emission, const Step &step) {
  switch (step.kind) {
  case Step::Kind::Scalar:
    emitScalar(emission, step);
    break;
  case Step::Kind::Loops:
    emitLoops(emission, step);
    break;
  case Step::Kind::Reduction:
    emitReduction(emission, step);
    break;
  case Step::Kind::Concat:
    emitConcat(emission, step);
    break;
  case Step::Kind::Dot:
    emitDot(emission, step);
    break;
  case Step::Kind::Call:
    emitCall(emission, step);
    break;
  }
}

void takeScalarInputs(Emission &emission, const Signature &signature, llvm::Function &function) {
  for (NodeIndex index = 0; index < emission.graph.nodes().size(); ++index) {
    const Location &location = emission.plan.storage.locations[index];
    if (location.kind == Location::Kind::Input && emission.node(index).type.shape.isScalar()) {
      emission.scalars[index] = function.getArg(signature.inputArgument(location.index));
    }
  }
}

void copyResults(Emission &emission) {
  for (const ResultCopy &copy : emission.plan.storage.copies) {
    emission.locate(copy.source);
    const std::uint64_t elementBytes = graph::byteSize(emission.node(copy.source).type.dtype);
    llvm::Value *bytes = emission.builder.CreateMul(emission.sizes.product(emission.dims(copy.source)),
                                                    emission.builder.getInt64(elementBytes), "", true, true);
    const llvm::Align alignment(graph::kBufferAlignment);
    emission.builder.CreateMemCpy(emission.memory.resultPointer(copy.result), alignment, emission.memory.pointer(copy.source),
                                  alignment, bytes);
  }
}

void returnScalars(Emission &emission, const Signature &signature, llvm::Function &function) {
  if (signature.returnedCount() == 0) {
    emission.builder.CreateRetVoid();
    return;
  }
  llvm::Value *returned = llvm::PoisonValue::get(function.getReturnType());
  for (std::size_t i = 0; i < emission.graph.results().size(); ++i) {
    if (emission.graph.resultType(i).shape.isScalar()) {
      llvm::Value *value = emission.scalars[emission.graph.results()[i]];
      returned =
          signature.returnedCount() == 1 ? value : emission.builder.CreateInsertValue(returned, value, signature.returnPlace(i));
    }
  }
  emission.builder.CreateRet(returned);
}

/// Results that are only ever written let the optimizer keep loads out of the way of their stores.
void markWrittenOnly(const Graph &graph, const FunctionPlan &plan, const Signature &signature, llvm::Function &function) {
  std::vector<bool> isHandedOn(graph.results().size(), false);
  for (NodeIndex index = 0; index < graph.nodes().size(); ++index) {
    const Location &location = plan.storage.locations[index];
    const bool mayBeRead = plan.fusion.nodes[index].role == Role::Projection || graph.node(index).op == Op::Dot;
    if (location.kind == Location::Kind::Output && mayBeRead) {
      isHandedOn[location.index] = true;
    }
  }
  for (std::size_t i = 0; i < graph.results().size(); ++i) {
    if (!graph.resultType(i).shape.isScalar() && !plan.storage.resultIsRead[i] && !isHandedOn[i]) {
      function.addParamAttr(signature.resultArgument(i), llvm::Attribute::WriteOnly);
    }
  }
}

} // namespace

base::Result<LoweredFunction> lowerFunction(const Graph &graph, const LowerOptions &options, const llvm::TargetMachine &machine,
                                            llvm::LLVMContext &context) {
  const FunctionPlan plan = planFunction(graph);
  const Signature signature(graph);
  LoweredFunction lowered{nullptr, symbolOf(graph)};
  lowered.module = makeModule(lowered.symbol, options, machine, context);
  llvm::Function *function = signature.declare(*lowered.module, lowered.symbol);
  prepareDefinition(*function, machine);
  nameArguments(*function, graph, signature);
  markWrittenOnly(graph, plan, signature, *function);

  auto *pool = llvm::BasicBlock::Create(context, "entry", function);
  auto *body = llvm::BasicBlock::Create(context, "body", function);
  llvm::BranchInst::Create(body, pool);
  llvm::IRBuilder<> builder(body);
  builder.setFastMathFlags(fastMathFlags(options));
  const DebugInfo debug(*lowered.module, *function, options.scriptPath, graph.name(), graph.line());
  builder.SetCurrentDebugLocation(debug.at(graph.line()));

  const std::optional<unsigned> sizesArgument = signature.sizesArgument();
  Sizes sizes(graph, *pool, sizesArgument ? function->getArg(*sizesArgument) : nullptr);
  ScalarCode code(builder, *lowered.module);
  Memory memory(graph, plan, signature, *function, sizes, builder, code);
  Emission emission{graph, plan, options, *lowered.module, builder,
                    sizes, code, memory,  debug,           std::vector<llvm::Value *>(graph.nodes().size(), nullptr)};
  takeScalarInputs(emission, signature, *function);
  for (const Step &step : plan.steps) {
    emitStep(emission, step);
  }
  copyResults(emission);
  returnScalars(emission, signature, *function);
  JITSCOPE_TRY_VOID(checkModule(*lowered.module, options));
  return lowered;
}

} // namespace jitscope::lower
