// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"
#include "record/batch_writer.h"
#include "session/file/session_info.h"
#include "session/session_writer.h"

#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// Sessions made by hand, with round numbers that can be checked on paper.
namespace jitscope::test {

inline constexpr std::uint64_t kMs = 1'000'000;

/// A session's description that is the same on every machine.
inline session::SessionInfo sampleInfo() {
  session::SessionInfo info;
  info.uuid = "123e4567-e89b-42d3-a456-426614174000";
  info.jitscopeVersion = "0.1.0";
  info.llvmVersion = "19.1.7";
  info.startedUtc = "2024-05-01T12:00:00.123Z";
  info.scriptPath = "/home/user/matmul.lua";
  info.scriptSha256 = std::string(64, 'a');
  info.scriptText = "local dot = fn(\"Matmul.dot\", …)\n";
  info.commandLine = "jitscope run matmul.lua";
  info.host = "bench-host";
  info.cpu = "AMD EPYC 7B13, 2 logical CPUs";
  info.cpuFeatures = "avx avx2 fma";
  info.os = "Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x86_64";
  info.options = R"({"pipeline":"deferred","capacity_entries":4})";
  info.clockReadNs = 12.5;
  info.callOverheadNs = 40;
  return info;
}

/// What a recorder was given, apart by path.
struct Recording {
  std::vector<event::Event> events;
  std::vector<event::CallEvent> calls;
};

inline event::CallEvent makeCall(std::uint64_t id, std::uint32_t templateId, std::uint32_t section, std::uint64_t startNs,
                                 event::Outcome outcome, std::uint64_t compileNs, std::uint64_t executeNs) {
  event::CallEvent call;
  call.id = base::CallId(id);
  call.templateId = base::TemplateId(templateId);
  call.sectionId = base::SectionId(section);
  call.startNs = startNs;
  call.outcome = outcome;
  call.lookupNs = 100;
  call.compileNs = compileNs;
  call.executeNs = executeNs;
  return call;
}

inline event::CallEvent asSample(event::CallEvent call, std::uint32_t caseId, event::Leg leg, std::uint16_t process = 0) {
  call.caseId = base::CaseId(caseId);
  call.leg = leg;
  call.phase = event::CallPhase::Sample;
  call.process = process;
  return call;
}

inline event::CompileEvent makeCompile(std::uint32_t id, std::uint64_t callId, std::uint32_t templateId, std::uint64_t startNs,
                                       std::uint64_t traceNs) {
  event::CompileEvent compile;
  compile.id = base::CompileId(id);
  compile.callId = base::CallId(callId);
  compile.templateId = base::TemplateId(templateId);
  compile.pipeline = "deferred";
  compile.startNs = startNs;
  compile.traceNs = traceNs;
  compile.lowerNs = kMs / 2;
  compile.optimizeNs = 2 * kMs;
  compile.codegenNs = kMs;
  compile.linkNs = kMs / 4;
  compile.totalNs = traceNs + 4 * kMs; // a quarter of a millisecond lies between the phases
  compile.codeBytes = 2048;
  compile.target = "x86_64-pc-linux-gnu znver3 0123456789abcdef";
  return compile;
}

/// A small run in the manner of the notebook "Compilation cache": two functions, four templates, three sections, one benchmark with
/// a cold and a warm leg, and at least one event of every kind.
inline Recording sampleRecording() {
  using namespace event;
  Recording r;
  r.events.emplace_back(SectionEvent{base::SectionId(1), "inputs", 0});
  r.events.emplace_back(FunctionEvent{base::FunctionId(1), "multiply", 0, true});
  r.events.emplace_back(TemplateEvent{base::TemplateId(1), base::FunctionId(1), "f32[64,64], f32[]"});
  r.events.emplace_back(SectionEvent{base::SectionId(2), "miss, hit and a new shape", 5 * kMs});
  r.events.emplace_back(FunctionEvent{base::FunctionId(2), "Matmul.dot", 2, false});
  r.events.emplace_back(TemplateEvent{base::TemplateId(2), base::FunctionId(2), "f32[64,64], f32[64,64]"});
  r.events.emplace_back(TemplateEvent{base::TemplateId(3), base::FunctionId(2), "f32[256,256], f32[256,256]"});
  r.events.emplace_back(SectionEvent{base::SectionId(3), "benchmark", 2100 * kMs});
  r.events.emplace_back(TemplateEvent{base::TemplateId(4), base::FunctionId(2), "f64[256,256], f64[256,256]"});
  BenchCaseEvent first{base::CaseId(1), 1, "256x256", "", base::FunctionId(2), 2000 * kMs, 4000 * kMs, 1};
  BenchCaseEvent second{base::CaseId(2), 1, "256x256 f64", "large", base::FunctionId(2), 2000 * kMs, 4000 * kMs, 1};
  r.events.emplace_back(first);
  r.events.emplace_back(second);

  // Section 1: an eager operation. Section 2: miss, hit, miss by shape, hit, hit.
  r.calls.push_back(makeCall(1, 1, 1, 1 * kMs, Outcome::Miss, 4 * kMs, 5'900));
  r.calls.push_back(makeCall(2, 2, 2, 10 * kMs, Outcome::Miss, 1004 * kMs, 49'900));
  r.calls.push_back(makeCall(3, 2, 2, 1020 * kMs, Outcome::Hit, 0, 39'900));
  r.calls.push_back(makeCall(4, 3, 2, 1030 * kMs, Outcome::Miss, 1004 * kMs, 999'900));
  r.calls.push_back(makeCall(5, 3, 2, 2040 * kMs, Outcome::Hit, 0, 899'900));
  r.calls.push_back(makeCall(6, 2, 2, 2050 * kMs, Outcome::Hit, 0, 41'900));
  CompileEvent eager = makeCompile(1, 1, 1, 1 * kMs, 0);
  eager.reason = MissReason::NewFunction;
  CompileEvent small = makeCompile(2, 2, 2, 10 * kMs, 1000 * kMs);
  small.reason = MissReason::NewFunction;
  small.work = {{base::FunctionId(2), 1, 0, 1, 0, kMs, kMs / 2, 2048},
                {base::FunctionId(1), 2, 1, 1, 0, kMs, kMs / 2, 512, kMs / 2}};
  CompileEvent large = makeCompile(3, 4, 3, 1030 * kMs, 1000 * kMs);
  large.reason = MissReason::NewShape;
  large.nearestTemplateId = base::TemplateId(2);
  large.difference = "arg 0 dim 0: 64 -> 256; arg 0 dim 1: 64 -> 256; arg 1 dim 0: 64 -> 256; arg 1 dim 1: 64 -> 256";

  // Section 3: the cold leg compiles in its first sample; the warm leg has a warm-up call, which is no sample.
  for (std::uint64_t i = 0; i < 4; ++i) {
    const Outcome outcome = i == 0 ? Outcome::Miss : Outcome::Hit;
    r.calls.push_back(
        asSample(makeCall(7 + i, 3, 3, 2200 * kMs + i * 1100 * kMs, outcome, i == 0 ? 1004 * kMs : 0, (10 - i) * 100'000 - 100), 1,
                 Leg::Cold, 1));
  }
  CompileEvent cold = makeCompile(4, 7, 3, 2200 * kMs, 1000 * kMs);
  cold.reason = MissReason::Cleared;
  cold.nearestTemplateId = base::TemplateId(3);
  cold.process = 1;
  CallEvent warmup = makeCall(11, 4, 3, 6000 * kMs, Outcome::Retrace, 0, 900'000);
  warmup.caseId = base::CaseId(2);
  warmup.leg = Leg::Warm;
  warmup.phase = CallPhase::Warmup;
  r.calls.push_back(warmup);
  for (std::uint64_t i = 0; i < 9; ++i) {
    r.calls.push_back(
        asSample(makeCall(12 + i, 4, 3, 6010 * kMs + i * kMs, Outcome::Hit, 0, 500'000 + i * 10'000 - 100), 2, Leg::Warm));
  }
  r.calls.back().executeNs = 999'900; // one far out
  CallEvent waiting = makeCall(21, 4, 3, 6100 * kMs, Outcome::Wait, 0, 700'000);
  waiting.waitNs = 3 * kMs;
  waiting.thread = 1;
  r.calls.push_back(waiting);

  for (CompileEvent *compile : {&eager, &small, &large, &cold}) {
    r.events.emplace_back(*compile);
  }
  RetrievalEvent retrieval;
  retrieval.callId = base::CallId(11);
  retrieval.templateId = base::TemplateId(4);
  retrieval.outcome = Outcome::Retrace;
  retrieval.reason = MissReason::NewDtype;
  retrieval.nearestTemplateId = base::TemplateId(3);
  retrieval.difference = "arg 0 dtype: f32 -> f64; arg 1 dtype: f32 -> f64";
  retrieval.startNs = 6000 * kMs;
  retrieval.traceNs = kMs / 2;
  retrieval.loadNs = kMs / 4;
  retrieval.codeBytes = 2048;
  r.events.emplace_back(retrieval);
  r.events.emplace_back(EvictionEvent{6050 * kMs, base::TemplateId(2), EvictionReason::Entries, 2048});
  r.events.emplace_back(EvictionEvent{6060 * kMs, base::TemplateId(1), EvictionReason::Entries, 1024});
  r.events.emplace_back(EvictionEvent{6070 * kMs, base::TemplateId(3), EvictionReason::Clear, 2048});
  r.events.emplace_back(MemoryEvent{20 * kMs, 16'384, 32'768, 2, 4096});
  r.events.emplace_back(MemoryEvent{3000 * kMs, 1'048'576, 1'572'864, 4, 8192});
  r.events.emplace_back(ExpectationEvent{18, "expect.outcome", true, "miss", "miss"});
  r.events.emplace_back(ExpectationEvent{19, "expect.outcome", false, "hit", "miss (new-shape)"});
  r.events.emplace_back(LogEvent{40 * kMs, LogLevel::Info, "calibrated the clock"});
  r.events.emplace_back(LogEvent{6080 * kMs, LogLevel::Warning, "disk cache: \"a.o\" is damaged and was removed"});
  return r;
}

inline constexpr std::uint64_t kSampleEndNs = 6200 * kMs;

/// The functions, templates, sections, cases and studies that events refer to.
struct References {
  std::set<std::uint32_t> functions;
  std::set<std::uint32_t> templates;
  std::set<std::uint32_t> sections;
  std::set<std::uint32_t> cases;
  std::set<std::uint32_t> studies;

  void operator()(const event::FunctionEvent & /*event*/) {}
  void operator()(const event::TemplateEvent &event) { functions.insert(event.functionId.value); }
  void operator()(const event::BenchCaseEvent &event) { functions.insert(event.functionId.value); }
  void operator()(const event::BenchLegEvent &event) { cases.insert(event.caseId.value); }
  void operator()(const event::RetrievalEvent &event) { templates.insert({event.templateId.value, event.nearestTemplateId.value}); }
  void operator()(const event::EvictionEvent &event) { templates.insert(event.templateId.value); }
  void operator()(const event::StudyEvent &event) {
    sections.insert(event.sectionId.value);
    functions.insert(event.functionId.value);
  }
  void operator()(const event::StudyResultEvent &event) { studies.insert(event.studyId.value); }
  void operator()(const event::StudyRunEvent &event) { studies.insert(event.studyId.value); }
  void operator()(const event::StudyNoteEvent &event) { studies.insert(event.studyId.value); }
  void operator()(const event::CompileEvent &event) {
    studies.insert(event.studyId.value);
    templates.insert({event.templateId.value, event.nearestTemplateId.value});
    for (const event::FunctionWork &work : event.work) {
      functions.insert(work.functionId.value);
    }
    for (const event::PassRun &pass : event.passes) {
      functions.insert({pass.functionId.value, pass.unitId.value});
    }
    for (const event::Remark &remark : event.remarks) {
      functions.insert({remark.functionId.value, remark.unitId.value});
    }
    for (const event::IrSnapshot &snapshot : event.snapshots) {
      functions.insert(snapshot.functionId.value);
    }
  }
  void operator()(const event::CallEvent &call) {
    templates.insert(call.templateId.value);
    sections.insert(call.sectionId.value);
    cases.insert(call.caseId.value);
  }
  template <typename Other> void operator()(const Other & /*event*/) {}
};

/// The recording with a row for everything that it refers to and does not hold, as a session must have it; results of studies
/// refer to no compile that it does not hold.
inline Recording complete(const Recording &recording) {
  References missing;
  std::set<std::uint32_t> compiles;
  for (const event::CallEvent &call : recording.calls) {
    missing(call);
  }
  for (const event::Event &event : recording.events) {
    std::visit(missing, event);
  }
  for (const event::Event &event : recording.events) {
    if (const auto *entry = std::get_if<event::TemplateEvent>(&event)) {
      missing.templates.erase(entry->id.value);
    } else if (const auto *section = std::get_if<event::SectionEvent>(&event)) {
      missing.sections.erase(section->id.value);
    } else if (const auto *benchCase = std::get_if<event::BenchCaseEvent>(&event)) {
      missing.cases.erase(benchCase->id.value);
    } else if (const auto *study = std::get_if<event::StudyEvent>(&event)) {
      missing.studies.erase(study->id.value);
    } else if (const auto *compile = std::get_if<event::CompileEvent>(&event)) {
      compiles.insert(compile->id.value);
    }
  }
  for (std::set<std::uint32_t> *ids : {&missing.templates, &missing.sections, &missing.cases, &missing.studies}) {
    ids->erase(0);
  }
  if (!missing.templates.empty()) {
    missing.functions.insert(1);
  }
  missing.functions.erase(0);
  for (const event::Event &event : recording.events) {
    if (const auto *function = std::get_if<event::FunctionEvent>(&event)) {
      missing.functions.erase(function->id.value);
    }
  }
  Recording result;
  for (const std::uint32_t id : missing.functions) {
    result.events.emplace_back(event::FunctionEvent{base::FunctionId(id), "f", 1, false});
  }
  for (const std::uint32_t id : missing.templates) {
    result.events.emplace_back(event::TemplateEvent{base::TemplateId(id), base::FunctionId(1), "f32[]"});
  }
  for (const std::uint32_t id : missing.sections) {
    result.events.emplace_back(event::SectionEvent{base::SectionId(id), "section", 0});
  }
  for (const std::uint32_t id : missing.cases) {
    event::BenchCaseEvent benchCase;
    benchCase.id = base::CaseId(id);
    benchCase.bench = 1;
    benchCase.name = "case";
    result.events.emplace_back(benchCase);
  }
  for (const std::uint32_t id : missing.studies) {
    event::StudyEvent study;
    study.id = base::StudyId(id);
    result.events.emplace_back(study);
  }
  result.events.insert(result.events.end(), recording.events.begin(), recording.events.end());
  for (event::Event &event : result.events) {
    if (auto *study = std::get_if<event::StudyResultEvent>(&event);
        study != nullptr && !compiles.contains(study->compileId.value)) {
      study->compileId = base::CompileId();
    }
  }
  result.calls = recording.calls;
  return result;
}

/// Writes `recording`, made complete, as one batch and ends the session.
inline base::Result<void> writeSession(const std::filesystem::path &path, const Recording &recording,
                                       const record::SessionEnd &end = {record::SessionStatus::Finished, "", kSampleEndNs},
                                       const session::SessionInfo &info = sampleInfo()) {
  base::Result<std::unique_ptr<session::SessionWriter>> writer = session::SessionWriter::create(path, info);
  if (!writer) {
    return std::unexpected(writer.error());
  }
  const Recording whole = complete(recording);
  if (base::Result<void> written = (*writer)->write({whole.events, whole.calls}); !written) {
    return written;
  }
  return (*writer)->finish(end);
}

} // namespace jitscope::test
