// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session_samples.h"

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

/// A study made by hand: `inner`, whose two halves the SLP vectorizer packs, inside the loop of `outer_logp_wrapper`, under the
/// pipelines per-function and deferred, and a third pipeline that failed. Round numbers; the IR is LLVM's own.
namespace jitscope::test {

inline constexpr auto kInnerSymbol = "_ZN8__main__5innerB2v5B46c8tJTIcFHzwl2ILiXkcBV0KBSSP8YgsOJmBoFUEkNQE_3dEddd";
inline constexpr auto kOuterSymbol =
    "_ZN8__main__18outer_logp_wrapperB2v1B46c8tJTIcFHzwl2ILiXkcBV0KBSSP8YgsOJmBoFUEkNQE_3dEx5ArrayIdLi1E1C7mutable7alignedE"
    "5ArrayIdLi1E1C7mutable7alignedE5ArrayIdLi1E1C7mutable7alignedE";
inline constexpr base::FunctionId kInner{1};
inline constexpr base::FunctionId kOuter{2};
inline constexpr base::FunctionId kCpythonOuter{3};

/// A text that LLVM 19.1 wrote: tests/support/code/ir/NAME.ll. Empty if there is none.
inline std::string irSample(const std::string &name) {
  std::ifstream file(std::string(JITSCOPE_SOURCE_DIR "/tests/support/code/ir/") + name + ".ll", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Passes of one compile, numbered as they are added.
class PassList {
public:
  PassList &add(const char *stage, base::FunctionId unit, base::FunctionId function, const char *name, std::uint64_t durationNs,
                std::uint64_t fingerprint = 0) {
    event::PassRun pass;
    pass.functionId = function;
    pass.unitId = unit;
    pass.stage = event::stageFromName(stage).value();
    pass.seq = static_cast<std::uint32_t>(m_passes.size() + 1);
    pass.name = name;
    pass.durationNs = durationNs;
    pass.changed = fingerprint != 0;
    pass.fingerprint = fingerprint;
    m_passes.push_back(pass);
    return *this;
  }
  [[nodiscard]] const std::vector<event::PassRun> &passes() const { return m_passes; }

private:
  std::vector<event::PassRun> m_passes;
};

inline event::Remark makeRemark(event::RemarkKind kind, const char *pass, const char *name, base::FunctionId function,
                                base::FunctionId unit, const char *stage, std::uint32_t passSeq, int line, const char *message,
                                const char *args = "[]") {
  event::Remark remark;
  remark.functionId = function;
  remark.unitId = unit;
  remark.stage = event::stageFromName(stage).value();
  remark.passSeq = passSeq;
  remark.kind = kind;
  remark.pass = pass;
  remark.name = name;
  remark.function = function == kInner ? kInnerSymbol : kOuterSymbol;
  remark.file = line > 0 ? "numba.py" : "";
  remark.line = line;
  remark.column = line > 0 ? 5 : 0;
  remark.message = message;
  remark.args = args;
  return remark;
}

/// The same of a call that was inlined.
inline event::Remark withCallee(event::Remark remark, base::FunctionId callee) {
  remark.calleeId = callee;
  return remark;
}

/// A loop of `function` in the code of that function, on a line of numba.py.
inline event::LoopResult makeLoop(base::FunctionId function, int line, event::LoopState state, std::uint32_t width = 0) {
  event::LoopResult loop;
  loop.functionId = function;
  loop.holderId = function;
  loop.unitId = function;
  loop.symbol = function == kInner ? kInnerSymbol : kOuterSymbol;
  loop.stage = event::Stage::Module;
  loop.file = "numba.py";
  loop.line = line;
  loop.column = 5;
  loop.state = state;
  loop.pass = "loop-vectorize";
  loop.width = width;
  return loop;
}

inline event::IrSnapshot makeSnapshot(base::FunctionId function, const char *stage, const std::string &sample,
                                      std::uint32_t passSeq = 0) {
  return {function, event::stageFromName(stage).value(), passSeq, irSample(sample)};
}

inline event::CompileEvent makeStudyCompile(std::uint32_t id, const char *pipeline, std::uint32_t repetition,
                                            std::uint64_t optimizeNs) {
  event::CompileEvent compile = makeCompile(id, 0, 1, id * 100 * kMs, 0);
  compile.callId = base::CallId();
  compile.pipeline = pipeline;
  compile.reason = event::MissReason::Study;
  compile.lowerNs = kMs;
  compile.optimizeNs = optimizeNs;
  compile.codegenNs = 4 * kMs;
  compile.linkNs = kMs;
  compile.totalNs = optimizeNs + 6 * kMs;
  compile.studyId = base::StudyId(1);
  compile.repetition = repetition;
  return compile;
}

inline event::CompileEvent perFunctionCompile() {
  using event::RemarkKind;
  event::CompileEvent compile = makeStudyCompile(1, "per-function", 0, 20 * kMs);
  compile.codeBytes = 3000;
  compile.work = {{kInner, 2, 1, 2, 0, 8 * kMs, 2 * kMs, 1000, 2 * kMs, kMs, 400},
                  {kOuter, 1, 0, 1, 0, 12 * kMs, 2 * kMs, 2000, 0, 0, 0}};
  compile.passes = PassList()
                       .add("function", kInner, kInner, "SROAPass", kMs, 0xa1)
                       .add("module", kInner, kInner, "InstCombinePass", 2 * kMs, 0xa2)
                       .add("module", kInner, kInner, "SLPVectorizerPass", 3 * kMs, 0xa3)
                       .add("function", kOuter, kOuter, "SROAPass", kMs, 0xb1)
                       .add("link", kOuter, {}, "(linking)", kMs)
                       .add("cheap", kOuter, kOuter, "InlinerPass", 4 * kMs, 0xb2)
                       .add("module", kOuter, kInner, "InstCombinePass", 2 * kMs)
                       .add("module", kOuter, kOuter, "LoopVectorizePass", 3 * kMs)
                       .add("module", kOuter, kOuter, "InstCombinePass", 2 * kMs, 0xb3)
                       .add("module", kOuter, {}, "(pass manager)", kMs)
                       .passes();
  compile.remarks = {
      makeRemark(RemarkKind::Passed, "slp-vectorizer", "StoresVectorized", kInner, kInner, "module", 3, 7,
                 "Stores SLP vectorized with cost -2 and with tree size 6"),
      withCallee(
          makeRemark(
              RemarkKind::Passed, "inline", "Inlined", kOuter, kOuter, "cheap", 6, 12,
              "'inner' inlined into 'outer_logp_wrapper' with (cost=-14995, threshold=337) at callsite outer_logp_wrapper:4:19;",
              R"json([{"key":"Callee","value":"_ZN8__main__5innerB2v5B46c8tJTIcFHzwl2ILiXkcBV0KBSSP8YgsOJmBoFUEkNQE_3dEddd"},)json"
              R"json({"key":"String","value":"' inlined into '"},{"key":"Caller","value":"outer_logp_wrapper"}])json"),
          kInner),
      makeRemark(RemarkKind::Analysis, "loop-vectorize", "CantVectorizeInstructionReturnType", kOuter, kOuter, "module", 8, 11,
                 "loop not vectorized: instruction return type cannot be vectorized"),
      makeRemark(RemarkKind::Missed, "loop-vectorize", "MissedDetails", kOuter, kOuter, "module", 8, 11, "loop not vectorized"),
      makeRemark(RemarkKind::Missed, "licm", "LoadWithLoopInvariantAddressInvalidated", kOuter, kOuter, "module", 8, 14,
                 "failed to move load with loop-invariant address because the loop may invalidate its value")};
  event::LoopResult loop = makeLoop(kOuter, 11, event::LoopState::Scalar);
  loop.reasonName = "CantVectorizeInstructionReturnType";
  loop.reason = "instruction return type cannot be vectorized";
  loop.reasonLine = 7;
  loop.reasonColumn = 5;
  loop.instruction = "insertelement <2 x double>";
  event::LoopResult nest = makeLoop(kOuter, 10, event::LoopState::Outer);
  event::LoopResult copy = makeLoop(kInner, 3, event::LoopState::Vectorized, 4);
  copy.unitId = kOuter;
  copy.isReached = false;
  compile.hasLoops = true;
  compile.loops = {copy, nest, loop};
  compile.snapshots = {makeSnapshot(kInner, "before", "inner_before"), makeSnapshot(kInner, "final", "inner_per_function"),
                       makeSnapshot(kOuter, "module", "outer_per_function"), makeSnapshot(kOuter, "final", "outer_per_function")};
  return compile;
}

inline event::CompileEvent deferredCompile() {
  using event::RemarkKind;
  event::CompileEvent compile = makeStudyCompile(2, "deferred", 0, 8 * kMs);
  compile.codeBytes = 1500;
  compile.work = {{kInner, 1, 1, 0, 0, 2 * kMs, 0, 0, 0, 0, 0}, {kOuter, 1, 0, 1, 0, 6 * kMs, 4 * kMs, 1500, 0, 0, 0}};
  compile.passes = PassList()
                       .add("function", kInner, kInner, "SROAPass", kMs, 0xa1)
                       .add("function", kOuter, kOuter, "SROAPass", kMs, 0xb1)
                       .add("link", kOuter, {}, "(linking)", kMs)
                       .add("module", kOuter, kOuter, "InlinerPass", 2 * kMs, 0xc2)
                       .add("module", kOuter, kOuter, "LoopVectorizePass", 3 * kMs, 0xc3)
                       .passes();
  compile.remarks = {
      withCallee(
          makeRemark(
              RemarkKind::Passed, "inline", "Inlined", kOuter, kOuter, "module", 4, 12,
              "'inner' inlined into 'outer_logp_wrapper' with (cost=-14990, threshold=337) at callsite outer_logp_wrapper:4:19;",
              R"json([{"key":"Callee","value":"_ZN8__main__5innerB2v5B46c8tJTIcFHzwl2ILiXkcBV0KBSSP8YgsOJmBoFUEkNQE_3dEddd"}])json"),
          kInner),
      makeRemark(RemarkKind::Passed, "loop-vectorize", "Vectorized", kOuter, kOuter, "module", 5, 11,
                 "vectorized loop (vectorization width: 4, interleaved count: 1)",
                 R"json([{"key":"String","value":"vectorized loop ("},{"key":"String","value":"vectorization width: "},)json"
                 R"json({"key":"VectorizationFactor","value":"4"},{"key":"String","value":", interleaved count: "},)json"
                 R"json({"key":"InterleaveCount","value":"1"},{"key":"String","value":")"}])json"),
      makeRemark(RemarkKind::Missed, "licm", "LoadWithLoopInvariantAddressInvalidated", kOuter, kOuter, "module", 5, 14,
                 "failed to move load with loop-invariant address because the loop may invalidate its value")};
  compile.hasLoops = true;
  compile.loops = {makeLoop(kOuter, 10, event::LoopState::Outer), makeLoop(kOuter, 11, event::LoopState::Vectorized, 4)};
  compile.snapshots = {makeSnapshot(kInner, "before", "inner_before"), makeSnapshot(kOuter, "module", "outer_deferred"),
                       makeSnapshot(kOuter, "final", "outer_deferred")};
  return compile;
}

/// The session of `jitscope study` of such modules. The timed repetitions of per-function take 18, 20 and 22 ms in all, those of
/// deferred 9, 10 and 11; a call takes 100 µs and 50 µs.
inline Recording studyRecording() {
  using namespace event;
  Recording r;
  r.events.emplace_back(SectionEvent{base::SectionId(1), "", 0});
  r.events.emplace_back(FunctionEvent{kInner, "__main__::inner", 0, false, kInnerSymbol});
  r.events.emplace_back(FunctionEvent{kOuter, "__main__::outer_logp_wrapper", 0, false, kOuterSymbol});
  r.events.emplace_back(
      FunctionEvent{kCpythonOuter, "cpython::__main__::outer_logp_wrapper", 0, false, "_ZN7cpython8__main__18outer_logp_wrapperE"});
  r.events.emplace_back(TemplateEvent{base::TemplateId(1), kOuter, "i64, ptr, ptr, ptr"});
  StudyEvent study;
  study.id = base::StudyId(1);
  study.sectionId = base::SectionId(1);
  study.functionId = kOuter;
  study.name = "__main__::outer_logp_wrapper";
  study.line = 16;
  study.isModules = false;
  study.triple = "x86_64-pc-linux-gnu";
  study.cpu = "znver3";
  study.cpuFeatures = "+avx2,+fma";
  study.options = "opt=3 slp=true loop_vectorize=true veclib=libmvec";
  r.events.emplace_back(study);
  r.events.emplace_back(perFunctionCompile());
  r.events.emplace_back(deferredCompile());
  std::uint32_t id = 2;
  for (std::uint32_t repetition = 1; repetition <= 3; ++repetition) {
    r.events.emplace_back(makeStudyCompile(++id, "per-function", repetition, (10 + 2 * repetition) * kMs));
    r.events.emplace_back(makeStudyCompile(++id, "deferred", repetition, (2 + repetition) * kMs));
  }
  for (std::uint32_t repetition = 1; repetition <= 3; ++repetition) {
    const std::uint64_t offsetNs = (repetition - 2ULL) * 100'000ULL; // -100, 0 and 100 ns a call
    r.events.emplace_back(StudyRunEvent{base::StudyId(1), "per-function", repetition, 1000, 100 * kMs + offsetNs});
    r.events.emplace_back(StudyRunEvent{base::StudyId(1), "deferred", repetition, 1000, 50 * kMs + offsetNs});
  }
  const auto addResult = [&r](std::uint32_t position, const char *pipeline, std::uint32_t compile, std::uint64_t after,
                              std::uint64_t codeBytes, std::uint64_t objects, double maxUlp, const char *error) {
    StudyResultEvent result;
    result.studyId = base::StudyId(1);
    result.position = position;
    result.pipeline = pipeline;
    result.compileId = base::CompileId(compile);
    result.instructionsBefore = 300;
    result.instructionsAfter = after;
    result.codeBytes = codeBytes;
    result.objects = objects;
    result.isExecuted = *error == '\0';
    result.isEqual = *error == '\0';
    result.maxUlp = maxUlp;
    result.ulpBound = 4;
    result.error = error;
    r.events.emplace_back(result);
  };
  addResult(0, "per-function", 1, 95, 3000, 2, 0, "");
  addResult(1, "deferred", 2, 220, 1500, 1, 1, "");
  addResult(2, "pre-link", 0, 0, 0, 0, 0, "cannot link: symbol NRT_incref is defined twice");
  r.events.emplace_back(StudyNoteEvent{base::StudyId(1), "the modules have no target triple: the host's was used"});
  return r;
}

} // namespace jitscope::test
