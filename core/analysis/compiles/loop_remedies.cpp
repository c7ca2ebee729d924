// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compiles/loop_remedies.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace jitscope::analysis {

namespace {

/// What helps against a reason: in a script, whose loops the operations make, and in a module, whose source is elsewhere.
struct Remedy {
  std::string_view reason; ///< LLVM's name
  std::string_view inScript;
  std::string_view inModule;
};

constexpr std::string_view kRangeOfLoop =
    "make the number of iterations known before the loop starts, and leave the loop only at its end";
constexpr std::string_view kApart = "mark the pointers as not overlapping (restrict, noalias)";

constexpr std::array<Remedy, 12> kRemedies{{
    {"CantReorderFPOps", "set fast_math = true, which may change the last digits",
     "build the module with reassociation allowed (clang -ffast-math, Numba fastmath=True)"},
    {"CantReorderMemOps", "", kApart},
    {"CantIdentifyArrayBounds", "", kApart},
    {"UnsafeDep", "", "move work that does not depend on an earlier iteration to a loop of its own"},
    {"CantComputeNumberOfIterations", "", kRangeOfLoop},
    {"UnsupportedUncountableLoop", "", kRangeOfLoop},
    {"CFGNotUnderstood", "", kRangeOfLoop},
    {"MissedExplicitlyDisabled", "", "remove the pragma that disables vectorization"},
    {"NoImplicitFloat", "", "build the module without the attribute noimplicitfloat"},
    {"VectorizerOff", "set loop_vectorize = true", "set loop_vectorize = true"},
    {"NotOptimized", "set opt to 1 or more", "set opt to 1 or more"},
    {"NonReductionValueUsedOutsideLoop", "", "use the value outside of the loop only as its sum, product, minimum or maximum"},
}};

/// Functions that `veclib` has vector versions of.
constexpr std::array<std::string_view, 6> kVectorMath{"cos", "exp", "log", "pow", "sin", "tanh"};

/// "exp" of "call llvm.exp.f64", "call exp" and "call expf".
std::string_view mathFunctionIn(std::string_view instruction) {
  for (const std::string_view head : {"call ", "llvm."}) {
    if (instruction.starts_with(head)) {
      instruction.remove_prefix(head.size());
    }
  }
  const std::string_view name = instruction.substr(0, instruction.find('.'));
  const auto *const known = std::ranges::find_if(kVectorMath, [name](std::string_view function) {
    return name == function || (name.size() == function.size() + 1 && name.starts_with(function) && name.ends_with('f'));
  });
  return known == kVectorMath.end() ? std::string_view() : *known;
}

/// Whether the loop stays scalar since LLVM has no vector form of a call. Sums, stores and values of calls have reasons of their
/// own, which name the call as well (LLVM makes calls of `llvm.fmuladd` and `llvm.memcpy` itself).
bool isCallInTheWay(const event::LoopResult &loop) {
  return loop.instruction.starts_with("call ") && std::ranges::find(kRemedies, loop.reasonName, &Remedy::reason) == kRemedies.end();
}

bool isVectorInBody(const event::LoopResult &loop) {
  return loop.reasonName == "CantVectorizeInstructionReturnType" && loop.instruction.contains("<");
}

} // namespace

std::string remedyFor(const event::LoopResult &loop, const RemedyContext &context) {
  if (loop.state != event::LoopState::Scalar && loop.state != event::LoopState::Interleaved) {
    return {};
  }
  if (isVectorInBody(loop)) {
    return context.isUnitByUnit ? "use the pipeline deferred or pre-link, which vectorize after inlining, or set slp = false"
           : context.isModules  ? "build the modules without vectorizing them (clang -fno-slp-vectorize)"
                                : "";
  }
  if (isCallInTheWay(loop)) {
    if (context.isCalleeCompiled) {
      return context.isUnitByUnit ? "use the pipeline deferred or pre-link, which inline the call" : "";
    }
    return mathFunctionIn(loop.instruction).empty() ? "" : "set veclib = true, which has vector versions of the call";
  }
  if (loop.reasonName == "UnsafeDep" && loop.reason.contains("indirect dependence")) {
    return context.isModules ? "if no index occurs twice, say so when you build the module (clang loop vectorize(assume_safety))"
                             : "";
  }
  const auto *const remedy = std::ranges::find(kRemedies, loop.reasonName, &Remedy::reason);
  return remedy == kRemedies.end() ? std::string() : std::string(context.isModules ? remedy->inModule : remedy->inScript);
}

} // namespace jitscope::analysis
