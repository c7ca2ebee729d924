// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/rows/tables.h"

#include <array>

namespace jitscope::session {

using namespace event;

template <> const Table<CompileEvent> &tableOf() {
  using C = Columns<CompileEvent>;
  static constexpr auto kColumns = std::to_array<Column<CompileEvent>>({
      C::id<&CompileEvent::id>("compile"),
      C::of<&CompileEvent::callId>("call_id", "the call that compiled; NULL: ahead of time"),
      C::of<&CompileEvent::templateId>("template_id"),
      C::of<&CompileEvent::pipeline>("pipeline"),
      C::of<&CompileEvent::reason>("reason", "why there was no code yet"),
      C::of<&CompileEvent::nearestTemplateId>("nearest_template_id", "the compiled template that differs least"),
      C::of<&CompileEvent::difference>("difference", "from that one, e.g. `arg 0 dim 0: 64 -> 256`"),
      C::moment<&CompileEvent::startNs>("start_ns"),
      C::duration<&CompileEvent::traceNs>("trace_ns"),
      C::duration<&CompileEvent::lowerNs>("lower_ns"),
      C::duration<&CompileEvent::optimizeNs>("optimize_ns"),
      C::duration<&CompileEvent::codegenNs>("codegen_ns"),
      C::duration<&CompileEvent::linkNs>("link_ns"),
      C::duration<&CompileEvent::totalNs>("total_ns", "the phases and what lies between them"),
      C::bytes<&CompileEvent::codeBytes>("code_bytes"),
      C::process<&CompileEvent::process>("process"),
      C::of<&CompileEvent::target>("target", "triple, CPU and a hash of the CPU's features"),
      C::of<&CompileEvent::studyId>("study_id", "NULL outside `study`"),
      C::of<&CompileEvent::repetition>("repetition", "in a study: 0 is the one recorded in detail"),
      C::of<&CompileEvent::hasLoops>("has_loops", "1: loops were recorded, whether or not there are any"),
  });
  static constexpr Table<CompileEvent> kTable{"compile", "compile", kColumns};
  return kTable;
}

template <> const Table<FunctionWork> &tableOf() {
  using C = Columns<FunctionWork>;
  static constexpr auto kColumns = std::to_array<Column<FunctionWork>>({
      C::owner("compile_id", "compile"),
      C::of<&FunctionWork::functionId>("function_id"),
      C::of<&FunctionWork::optimized>("optimized", "modules with its body that went through the optimizer"),
      C::of<&FunctionWork::linked>("linked", "times its body was linked into another module"),
      C::of<&FunctionWork::emitted>("emitted", "times machine code was made for it"),
      C::of<&FunctionWork::reused>("reused", "times cached work of an earlier compile stood in"),
      C::duration<&FunctionWork::optimizeNs>("optimize_ns"),
      C::duration<&FunctionWork::emitNs>("emit_ns", "its share of code generation, by bytes of code"),
      C::bytes<&FunctionWork::codeBytes>("code_bytes"),
      C::duration<&FunctionWork::repeatOptimizeNs>("repeat_optimize_ns",
                                                   "the part that went to copies in other functions' modules"),
      C::duration<&FunctionWork::repeatEmitNs>("repeat_emit_ns", "likewise"),
      C::bytes<&FunctionWork::repeatCodeBytes>("repeat_code_bytes", "likewise"),
  });
  static constexpr Table<FunctionWork> kTable{"function_work", "function within a compile: what was done to it, and what that cost",
                                              kColumns, true};
  return kTable;
}

template <> const Table<RetrievalEvent> &tableOf() {
  using C = Columns<RetrievalEvent>;
  static constexpr auto kColumns = std::to_array<Column<RetrievalEvent>>({
      C::ownId("retrieval"),
      C::of<&RetrievalEvent::callId>("call_id", "NULL: ahead of time"),
      C::of<&RetrievalEvent::templateId>("template_id"),
      C::of<&RetrievalEvent::outcome>("outcome", "`retrace` or `disk`"),
      C::of<&RetrievalEvent::reason>("reason", "why memory did not have the code"),
      C::of<&RetrievalEvent::nearestTemplateId>("nearest_template_id"),
      C::of<&RetrievalEvent::difference>("difference"),
      C::moment<&RetrievalEvent::startNs>("start_ns"),
      C::duration<&RetrievalEvent::traceNs>("trace_ns"),
      C::duration<&RetrievalEvent::loadNs>("load_ns", "reading, checking and linking the object"),
      C::bytes<&RetrievalEvent::codeBytes>("code_bytes"),
      C::process<&RetrievalEvent::process>("process"),
  });
  static constexpr Table<RetrievalEvent> kTable{"retrieval", "call (or `compile`) that found its code without compiling it",
                                                kColumns};
  return kTable;
}

// What the optimizer did: times of passes, its remarks, what became of each loop, and the IR at each stage, equal texts once.
// unit_id is the function whose module was being optimized: with pipelines that work function by function it tells a function from
// its copies elsewhere.

template <> const Table<PassRun> &tableOf() {
  using C = Columns<PassRun>;
  static constexpr auto kColumns = std::to_array<Column<PassRun>>({
      C::ownId("pass"),
      C::owner("compile_id", "compile"),
      C::of<&PassRun::functionId>("function_id", "NULL: a whole module, or code of no function"),
      C::of<&PassRun::unitId>("unit_id", "the function whose module was optimized"),
      C::of<&PassRun::stage>("stage", "of the pipeline"),
      C::of<&PassRun::seq>("seq", "counts the passes of a compile from 1"),
      C::of<&PassRun::name>("name"),
      C::duration<&PassRun::durationNs>("duration_ns", "without passes inside it; the passes of a compile add up to its "
                                                       "`optimize_ns`"),
      C::of<&PassRun::changed>("changed", "the pass says that it may have changed the code"),
      C::bits<&PassRun::fingerprint>("fingerprint", "of the code after a pass that changed it; NULL: not taken"),
  });
  static constexpr Table<PassRun> kTable{"pass", "pass within a compile", kColumns, true};
  return kTable;
}

template <> const Table<Remark> &tableOf() {
  using C = Columns<Remark>;
  static constexpr auto kColumns = std::to_array<Column<Remark>>({
      C::ownId("remark"),
      C::owner("compile_id", "compile"),
      C::of<&Remark::functionId>("function_id", "NULL: code of no function"),
      C::of<&Remark::unitId>("unit_id", "the function whose module was optimized"),
      C::of<&Remark::stage>("stage"),
      C::orNull<&Remark::passSeq>("pass_seq", "`pass.seq`; NULL: passes were not recorded"),
      C::of<&Remark::kind>("kind", "`passed`, `missed` or `analysis`"),
      C::of<&Remark::pass>("pass", "e.g. `loop-vectorize`"),
      C::of<&Remark::name>("name", "e.g. `Vectorized`"),
      C::of<&Remark::function>("function", "the symbol"),
      C::orNull<&Remark::file>("file", "NULL: no debug information"),
      C::orNull<&Remark::line>("line", "of the script"),
      C::orNull<&Remark::column>("column_"),
      C::of<&Remark::message>("message"),
      C::of<&Remark::calleeId>("callee_id", "the function that it names as the callee"),
      C::document(C::json(C::of<&Remark::args>("args", "the parts of the message"))),
  });
  static constexpr Table<Remark> kTable{"remark", "remark of a pass", kColumns, true};
  return kTable;
}

template <> const Table<LoopResult> &tableOf() {
  using C = Columns<LoopResult>;
  static constexpr auto kColumns = std::to_array<Column<LoopResult>>({
      C::ownId("loop"),
      C::owner("compile_id", "compile"),
      C::of<&LoopResult::functionId>("function_id", "where the loop is written"),
      C::of<&LoopResult::holderId>("holder_id", "whose code holds it"),
      C::of<&LoopResult::unitId>("unit_id", "the function whose module that code is in"),
      C::of<&LoopResult::symbol>("symbol", "of the holder"),
      C::of<&LoopResult::stage>("stage", "in which it came to this state; empty: no vectorizer ran"),
      C::orNull<&LoopResult::file>("file", "NULL: no debug information"),
      C::orNull<&LoopResult::line>("line"),
      C::orNull<&LoopResult::column>("column_"),
      C::of<&LoopResult::order>("order_", "among loops that nothing else tells apart, from 0"),
      C::of<&LoopResult::state>("state", "`vectorized`, `interleaved`, `scalar`, `unrolled` or `outer`"),
      C::of<&LoopResult::pass>("pass", "that did it or refused to"),
      C::orNull<&LoopResult::width>("width", "elements in one vector; NULL: not vectorized, or not known"),
      C::of<&LoopResult::isScalable>("is_scalable", "1: the width is a multiple of `vscale`"),
      C::of<&LoopResult::interleave>("interleave", "vectors in one round"),
      C::of<&LoopResult::reasonName>("reason_name", "LLVM's name of why it was not vectorized"),
      C::of<&LoopResult::reason>("reason", "the same in LLVM's words"),
      C::orNull<&LoopResult::reasonLine>("reason_line", "of the instruction that stands in the way"),
      C::orNull<&LoopResult::reasonColumn>("reason_column"),
      C::of<&LoopResult::instruction>("instruction", "that stands in the way"),
      C::of<&LoopResult::isReached>("is_reached", "0: code that the root does not reach"),
  });
  static constexpr Table<LoopResult> kTable{
      "loop", "loop in the code of a compile, once for each function that holds it and each unit that holds that function",
      kColumns, true};
  return kTable;
}

template <> const Table<IrText> &tableOf() {
  using C = Columns<IrText>;
  static constexpr auto kColumns = std::to_array<Column<IrText>>({
      C::ownId("ir"),
      C::unique(C::of<&IrText::sha256>("sha256", "of the text")),
      C::document(C::of<&IrText::text>("text")),
  });
  static constexpr Table<IrText> kTable{"ir", "text of a function; equal texts once", kColumns, true};
  return kTable;
}

template <> const Table<SnapshotRow> &tableOf() {
  using C = Columns<SnapshotRow>;
  static constexpr auto kColumns = std::to_array<Column<SnapshotRow>>({
      C::required<&SnapshotRow::compileId>("compile_id"),
      C::of<&SnapshotRow::functionId>("function_id"),
      C::of<&SnapshotRow::stage>("stage", "`before`, a stage of the pipeline, or `final`"),
      C::orNull<&SnapshotRow::passSeq>("pass_seq", "the pass after which it was taken; NULL: at the end of the stage"),
      C::references(C::of<&SnapshotRow::irId>("ir_id"), "ir", kMax64),
  });
  static constexpr Table<SnapshotRow> kTable{"ir_snapshot", "place of a compile where the text of a function was taken", kColumns,
                                             true};
  return kTable;
}

} // namespace jitscope::session
