// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/rows/tables.h"

#include <array>

namespace jitscope::session {

using namespace event;

template <> const Table<SessionRecord> &tableOf() {
  using C = Columns<SessionRecord>;
  static constexpr auto kColumns = std::to_array<Column<SessionRecord>>({
      C::of<[](auto &row) -> auto & { return row.info.uuid; }>("uuid"),
      C::of<[](auto &row) -> auto & { return row.info.jitscopeVersion; }>("jitscope_version"),
      C::of<[](auto &row) -> auto & { return row.info.llvmVersion; }>("llvm_version", "empty: nothing was compiled by LLVM"),
      C::of<[](auto &row) -> auto & { return row.info.startedUtc; }>("started_utc", "ISO 8601 with milliseconds"),
      C::of<[](auto &row) -> auto & { return row.info.scriptPath; }>("script_path"),
      C::of<[](auto &row) -> auto & { return row.info.scriptSha256; }>("script_sha256"),
      C::document(C::of<[](auto &row) -> auto & { return row.info.scriptText; }>("script_text")),
      C::document(C::of<[](auto &row) -> auto & { return row.info.commandLine; }>("command_line")),
      C::of<[](auto &row) -> auto & { return row.info.host; }>("host"),
      C::of<[](auto &row) -> auto & { return row.info.cpu; }>("cpu", "model, and the number of logical CPUs"),
      C::document(C::of<[](auto &row) -> auto & { return row.info.cpuFeatures; }>("cpu_features")),
      C::of<[](auto &row) -> auto & { return row.info.os; }>("os", "distribution, kernel and architecture"),
      C::document(
          C::of<[](auto &row) -> auto & { return row.info.options; }>("options", "a JSON object: every option and its value")),
      C::of<&SessionRecord::status>("status", "`running`, `finished`, `failed` or `interrupted`"),
      C::document(C::of<&SessionRecord::error>("error", "empty unless something went wrong")),
      C::moment<&SessionRecord::endedNs>("ended_ns", "NULL: not ended, or not known"),
      C::of<[](auto &row) -> auto & { return row.info.clockReadNs; }>("clock_read_ns", "measured cost of one read of the clock"),
      C::of<[](auto &row) -> auto & { return row.info.callOverheadNs; }>("call_overhead_ns",
                                                                         "measured cost that recording adds to one call"),
      C::range(C::of<[](auto &row) -> auto & { return row.writer.pid; }>("writer_pid", "the process that writes the session"),
               kMax64),
      C::of<[](auto &row) -> auto & { return row.writer.startTicks; }>("writer_start_ticks", "when that process began"),
      C::of<[](auto &row) -> auto & { return row.writer.bootId; }>("writer_boot_id", "the boot that it runs in"),
  });
  static constexpr Table<SessionRecord> kTable{"session", "run: a file that was recorded has one", kColumns};
  return kTable;
}

template <> const Table<FunctionEvent> &tableOf() {
  using C = Columns<FunctionEvent>;
  static constexpr auto kColumns = std::to_array<Column<FunctionEvent>>({
      C::id<&FunctionEvent::id>("function"),
      C::of<&FunctionEvent::name>("name"),
      C::of<&FunctionEvent::line>("line", "of the script; 0: none"),
      C::of<&FunctionEvent::eager>("eager", "1: an eager operation"),
      C::of<&FunctionEvent::symbol>("symbol", "the linker's name, of functions of modules from elsewhere"),
  });
  static constexpr Table<FunctionEvent> kTable{"function", "function, including eager operations", kColumns};
  return kTable;
}

template <> const Table<TemplateEvent> &tableOf() {
  using C = Columns<TemplateEvent>;
  static constexpr auto kColumns = std::to_array<Column<TemplateEvent>>({
      C::id<&TemplateEvent::id>("template"),
      C::of<&TemplateEvent::functionId>("function_id"),
      C::of<&TemplateEvent::signature>("signature", "e.g. `f32[64,64], f32[64,64]`"),
  });
  static constexpr Table<TemplateEvent> kTable{"template", "template of a function: a signature that it was called with", kColumns};
  return kTable;
}

template <> const Table<SectionEvent> &tableOf() {
  using C = Columns<SectionEvent>;
  static constexpr auto kColumns = std::to_array<Column<SectionEvent>>({
      C::id<&SectionEvent::id>("section"),
      C::of<&SectionEvent::name>("name", "empty: what comes before the first section"),
      C::moment<&SectionEvent::startNs>("start_ns"),
  });
  static constexpr Table<SectionEvent> kTable{"section", "section", kColumns};
  return kTable;
}

template <> const Table<BenchCaseEvent> &tableOf() {
  using C = Columns<BenchCaseEvent>;
  static constexpr auto kColumns = std::to_array<Column<BenchCaseEvent>>({
      C::id<&BenchCaseEvent::id>("bench_case"),
      C::bench<&BenchCaseEvent::bench>("bench", "counts the script's `bench` calls from 1"),
      C::of<&BenchCaseEvent::name>("name"),
      C::of<&BenchCaseEvent::input>("input", "empty: the bench has no `inputs`"),
      C::of<&BenchCaseEvent::functionId>("function_id"),
      C::duration<&BenchCaseEvent::warmupNs>("warmup_ns"),
      C::duration<&BenchCaseEvent::timeNs>("time_ns"),
      C::of<&BenchCaseEvent::parallel>("parallel", "threads that call"),
  });
  static constexpr Table<BenchCaseEvent> kTable{"bench_case", "benchmark case and input", kColumns};
  return kTable;
}

template <> const Table<BenchLegEvent> &tableOf() {
  using C = Columns<BenchLegEvent>;
  static constexpr auto kColumns = std::to_array<Column<BenchLegEvent>>({
      C::required<&BenchLegEvent::caseId>("case_id"),
      C::of<&BenchLegEvent::leg>("leg", "`cold` or `warm`"),
      C::of<&BenchLegEvent::position>("position", "in the order of measuring, from 1"),
      C::bits<&BenchLegEvent::seed>("seed", "that the order was drawn with; NULL: order of the script"),
      C::range(C::of<&BenchLegEvent::callsPerSample>("calls_per_sample", "more than 1: calls too short for the clock"), kLargest,
               1),
      C::of<&BenchLegEvent::clockStepNs>("clock_step_ns", "the shortest time that the clock tells from none"),
      C::of<&BenchLegEvent::overheadNs>("overhead_ns", "what measuring adds to a sample"),
      C::of<&BenchLegEvent::maxSamples>("max_samples"),
      C::of<&BenchLegEvent::isCapped>("is_capped", "1: it ended because of `max_samples`"),
  });
  static constexpr Table<BenchLegEvent> kTable{"bench_leg", "leg of a case: how it was measured", kColumns};
  return kTable;
}

template <> const Table<StudyEvent> &tableOf() {
  using C = Columns<StudyEvent>;
  static constexpr auto kColumns = std::to_array<Column<StudyEvent>>({
      C::id<&StudyEvent::id>("study"),
      C::of<&StudyEvent::sectionId>("section_id"),
      C::of<&StudyEvent::functionId>("function_id", "the root"),
      C::of<&StudyEvent::name>("name", "of the root"),
      C::of<&StudyEvent::line>("line", "of the script; 0: on the command line"),
      C::of<&StudyEvent::isModules>("is_modules", "1: modules from elsewhere, which are never executed"),
      C::of<&StudyEvent::triple>("triple", "what code was made for"),
      C::of<&StudyEvent::cpu>("cpu"),
      C::document(C::of<&StudyEvent::cpuFeatures>("cpu_features")),
      C::document(C::of<&StudyEvent::options>("options", "but for the pipeline")),
  });
  static constexpr Table<StudyEvent> kTable{
      "study", "study: one input under several pipelines. Its compiles are rows of `compile` with its `study_id`", kColumns};
  return kTable;
}

template <> const Table<StudyResultEvent> &tableOf() {
  using C = Columns<StudyResultEvent>;
  static constexpr auto kColumns = std::to_array<Column<StudyResultEvent>>({
      C::key(C::required<&StudyResultEvent::studyId>("study_id")),
      C::key(C::of<&StudyResultEvent::position>("position", "in the order in which the study names its pipelines, from 0")),
      C::of<&StudyResultEvent::pipeline>("pipeline"),
      C::of<&StudyResultEvent::compileId>("compile_id", "the one recorded in detail; NULL: it failed"),
      C::count<&StudyResultEvent::instructionsBefore>("instructions_before"),
      C::count<&StudyResultEvent::instructionsAfter>("instructions_after", "of all that is emitted"),
      C::bytes<&StudyResultEvent::codeBytes>("code_bytes"),
      C::count<&StudyResultEvent::objects>("objects"),
      C::of<&StudyResultEvent::isExecuted>("is_executed"),
      C::of<&StudyResultEvent::isEqual>("is_equal", "1: to the first pipeline's results, within the bound"),
      C::unbounded(C::of<&StudyResultEvent::maxUlp>("max_ulp", "the largest difference from them")),
      C::unbounded(C::of<&StudyResultEvent::ulpBound>("ulp_bound", "what counts as equal")),
      C::document(C::of<&StudyResultEvent::error>("error", "why there is no result; empty: there is one")),
  });
  static constexpr Table<StudyResultEvent> kTable{"study_result", "pipeline of a study", kColumns};
  return kTable;
}

template <> const Table<StudyRunEvent> &tableOf() {
  using C = Columns<StudyRunEvent>;
  static constexpr auto kColumns = std::to_array<Column<StudyRunEvent>>({
      C::required<&StudyRunEvent::studyId>("study_id"),
      C::of<&StudyRunEvent::pipeline>("pipeline"),
      C::of<&StudyRunEvent::repetition>("repetition"),
      C::count<&StudyRunEvent::calls>("calls"),
      C::duration<&StudyRunEvent::executeNs>("execute_ns", "of all of them"),
  });
  static constexpr Table<StudyRunEvent> kTable{"study_run", "batch of timed calls of a study", kColumns};
  return kTable;
}

template <> const Table<StudyNoteEvent> &tableOf() {
  using C = Columns<StudyNoteEvent>;
  static constexpr auto kColumns = std::to_array<Column<StudyNoteEvent>>({
      C::ownId("study_note"),
      C::required<&StudyNoteEvent::studyId>("study_id"),
      C::document(C::of<&StudyNoteEvent::message>("message")),
  });
  static constexpr Table<StudyNoteEvent> kTable{"study_note", "note for the reader of a study", kColumns};
  return kTable;
}

template <> const Table<MemoryEvent> &tableOf() {
  using C = Columns<MemoryEvent>;
  static constexpr auto kColumns = std::to_array<Column<MemoryEvent>>({
      C::moment<&MemoryEvent::atNs>("at_ns"),
      C::bytes<&MemoryEvent::tensorLiveBytes>("tensor_live_bytes"),
      C::bytes<&MemoryEvent::tensorPeakBytes>("tensor_peak_bytes"),
      C::count<&MemoryEvent::cacheEntries>("cache_entries"),
      C::bytes<&MemoryEvent::cacheCodeBytes>("cache_code_bytes"),
  });
  static constexpr Table<MemoryEvent> kTable{"memory", "change of memory and cache", kColumns};
  return kTable;
}

template <> const Table<EvictionEvent> &tableOf() {
  using C = Columns<EvictionEvent>;
  static constexpr auto kColumns = std::to_array<Column<EvictionEvent>>({
      C::moment<&EvictionEvent::atNs>("at_ns"),
      C::of<&EvictionEvent::templateId>("template_id"),
      C::of<&EvictionEvent::reason>("reason", "`entries`, `bytes` or `clear`"),
      C::bytes<&EvictionEvent::codeBytes>("code_bytes"),
  });
  static constexpr Table<EvictionEvent> kTable{"eviction", "executable that left the cache", kColumns};
  return kTable;
}

template <> const Table<CaseStatisticRow> &tableOf() {
  using C = Columns<CaseStatisticRow>;
  static constexpr auto kColumns = std::to_array<Column<CaseStatisticRow>>({
      C::key(C::required<&CaseStatisticRow::caseId>("case_id")),
      C::key(C::of<&CaseStatisticRow::leg>("leg")),
      C::key(C::of<&CaseStatisticRow::name>("name", "e.g. `median`")),
      C::unbounded(C::of<&CaseStatisticRow::value>("value")),
  });
  static constexpr Table<CaseStatisticRow> kTable{"case_statistic", "statistic of a case and leg", kColumns};
  return kTable;
}

template <> const Table<ExpectationEvent> &tableOf() {
  using C = Columns<ExpectationEvent>;
  static constexpr auto kColumns = std::to_array<Column<ExpectationEvent>>({
      C::ownId("expectation"),
      C::of<&ExpectationEvent::line>("line", "of the script"),
      C::of<&ExpectationEvent::name>("name", "e.g. `expect.outcome`"),
      C::of<&ExpectationEvent::passed>("passed"),
      C::document(C::of<&ExpectationEvent::expected>("expected")),
      C::document(C::of<&ExpectationEvent::actual>("actual")),
  });
  static constexpr Table<ExpectationEvent> kTable{"expectation", "expectation", kColumns};
  return kTable;
}

template <> const Table<LogEvent> &tableOf() {
  using C = Columns<LogEvent>;
  static constexpr auto kColumns = std::to_array<Column<LogEvent>>({
      C::moment<&LogEvent::atNs>("at_ns"),
      C::of<&LogEvent::level>("level"),
      C::document(C::of<&LogEvent::message>("message")),
  });
  static constexpr Table<LogEvent> kTable{"log", "message", kColumns};
  return kTable;
}

template <> const Table<MergedPart> &tableOf() {
  using C = Columns<MergedPart>;
  static constexpr auto kColumns = std::to_array<Column<MergedPart>>({
      C::key(C::of<&MergedPart::uuid>("uuid")),
      C::of<&MergedPart::scriptPath>("script_path"),
      C::of<&MergedPart::scriptSha256>("script_sha256"),
      C::document(C::of<&MergedPart::scriptText>("script_text")),
      C::document(C::of<&MergedPart::commandLine>("command_line")),
      C::of<&MergedPart::startedUtc>("started_utc"),
      C::of<&MergedPart::host>("host"),
      C::of<&MergedPart::cpu>("cpu"),
      C::document(C::of<&MergedPart::options>("options")),
      C::of<&MergedPart::status>("status"),
      C::document(C::of<&MergedPart::error>("error")),
      C::moment<&MergedPart::startNs>("start_ns", "when it began, from the earliest of the parts"),
      C::process<&MergedPart::firstProcess>("first_process", "the numbers of its rows; a last one before the first: none"),
      C::process<&MergedPart::lastProcess>("last_process"),
      C::firstOf<&MergedPart::firstFunction>("first_function_id", "function"),
      C::lastOf<&MergedPart::lastFunction>("last_function_id", "function"),
      C::bench<&MergedPart::firstBench>("first_bench"),
      C::bench<&MergedPart::lastBench>("last_bench"),
      C::firstOf<&MergedPart::firstExpectation>("first_expectation_id", "expectation"),
      C::lastOf<&MergedPart::lastExpectation>("last_expectation_id", "expectation"),
  });
  static constexpr Table<MergedPart> kTable{"merged_session", "session that this one was merged from; in merged sessions only",
                                            kColumns};
  return kTable;
}

} // namespace jitscope::session
