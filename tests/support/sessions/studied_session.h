// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/sessions/session_samples.h"

namespace jitscope::test {

inline event::IrSnapshot snapshotOf(std::uint32_t function, const char *stage, std::uint32_t passSeq, const std::string &text) {
  event::IrSnapshot snapshot;
  snapshot.functionId = base::FunctionId(function);
  snapshot.stage = event::stageFromName(stage).value();
  snapshot.passSeq = passSeq;
  snapshot.text = text;
  return snapshot;
}

inline event::Remark remarkOf(std::uint32_t function, event::RemarkKind kind, const char *pass, const char *name, int line,
                              const char *message) {
  event::Remark remark;
  remark.functionId = base::FunctionId(function);
  remark.unitId = base::FunctionId(function);
  remark.stage = event::Stage::Module;
  remark.kind = kind;
  remark.pass = pass;
  remark.name = name;
  remark.function = "Matmul_dot_1f3a";
  remark.line = line;
  remark.column = 3;
  remark.message = message;
  remark.args = "[]";
  return remark;
}

inline event::PassRun passOf(std::uint32_t function, std::uint32_t seq, const char *name, std::uint64_t ns, bool changed) {
  event::PassRun pass;
  pass.functionId = base::FunctionId(function);
  pass.unitId = base::FunctionId(function);
  pass.stage = event::Stage::Module;
  pass.seq = seq;
  pass.name = name;
  pass.durationNs = ns;
  pass.changed = changed;
  return pass;
}

/// The small session with two more compiles of function 2, one by each of two pipelines, which differ: per function its loop stays
/// scalar, deferred it is vectorized. The deferred one kept its IR after a pass.
inline Recording studiedRecording() {
  using namespace event;
  const std::string before = "define void @Matmul_dot(ptr %a) {\nentry:\n  br label %loop\nloop:\n  %x = load float, ptr %a\n"
                             "  br label %loop\n}\n";
  const std::string scalar =
      "define void @Matmul_dot(ptr %a) {\nentry:\n  %x = load float, ptr %a\n  %y = fmul float %x, %x\n  ret void\n}\n";
  const std::string vector =
      "define void @Matmul_dot(ptr %a) {\nentry:\n  %x = load <8 x float>, ptr %a\n  %y = fmul <8 x float> %x, %x\n  ret void\n}\n";
  Recording r = sampleRecording();
  CompileEvent perFunction = makeCompile(5, 0, 3, 6110 * kMs, 0);
  perFunction.pipeline = "per-function";
  perFunction.snapshots = {snapshotOf(2, "before", 0, before), snapshotOf(2, "final", 0, scalar)};
  perFunction.passes = {passOf(2, 1, "instcombine", 50'000, true), passOf(2, 2, "loop-vectorize", 70'000, false)};
  perFunction.remarks = {remarkOf(2, RemarkKind::Missed, "loop-vectorize", "MissedDetails", 3, "loop not vectorized"),
                         remarkOf(2, RemarkKind::Passed, "inline", "Inlined", 3, "inlined")};
  LoopResult loop;
  loop.functionId = loop.holderId = loop.unitId = base::FunctionId(2);
  loop.symbol = "Matmul_dot_1f3a";
  loop.line = 3;
  loop.stage = event::Stage::Module;
  loop.pass = "loop-vectorize";
  perFunction.hasLoops = true;
  perFunction.loops = {loop};
  perFunction.work = {{base::FunctionId(2), 2, 1, 2, 0, 2 * kMs, kMs, 4096, kMs, kMs / 2, 2048}};
  CompileEvent deferred = makeCompile(6, 0, 3, 6120 * kMs, 0);
  deferred.pipeline = "deferred";
  deferred.snapshots = {snapshotOf(2, "before", 0, before), snapshotOf(2, "module", 2, vector), snapshotOf(2, "final", 0, vector)};
  deferred.passes = {passOf(2, 1, "instcombine", 60'000, false), passOf(2, 2, "loop-vectorize", 90'000, true)};
  deferred.remarks = {remarkOf(2, RemarkKind::Passed, "loop-vectorize", "Vectorized", 3, "vectorized loop (width 8)"),
                      remarkOf(2, RemarkKind::Passed, "inline", "Inlined", 3, "inlined")};
  loop.state = LoopState::Vectorized;
  loop.width = 8;
  deferred.hasLoops = true;
  deferred.loops = {loop};
  deferred.work = {{base::FunctionId(2), 1, 1, 1, 0, kMs, kMs, 2048, 0, 0, 0}};
  r.events.emplace_back(perFunction);
  r.events.emplace_back(deferred);
  return r;
}

} // namespace jitscope::test
