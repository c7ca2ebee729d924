// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/rows/event_rows.h"

#include "base/try.h"
#include "session/file/query.h"

#include <array>
#include <utility>
#include <variant>

namespace jitscope::session {

base::Result<EventRows> EventRows::prepare(Database &database) {
  EventRows rows;
  const std::array<std::pair<Statement EventRows::*, const char *>, 11> statements{{
      {&EventRows::m_function, "INSERT INTO function(id, name, line, eager, symbol) VALUES(?1, ?2, ?3, ?4, ?5)"},
      {&EventRows::m_template, "INSERT INTO template(id, function_id, signature) VALUES(?1, ?2, ?3)"},
      {&EventRows::m_section, "INSERT INTO section(id, name, start_ns) VALUES(?1, ?2, ?3)"},
      {&EventRows::m_benchCase, "INSERT INTO bench_case(id, bench, name, input, function_id, warmup_ns, time_ns, parallel) "
                                "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"},
      {&EventRows::m_benchLeg, "INSERT INTO bench_leg(case_id, leg, position, seed, calls_per_sample, clock_step_ns, overhead_ns, "
                               "max_samples, is_capped) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"},
      {&EventRows::m_compile,
       "INSERT INTO compile(id, call_id, template_id, pipeline, reason, nearest_template_id, difference, start_ns, trace_ns, "
       "lower_ns, optimize_ns, codegen_ns, link_ns, total_ns, code_bytes, process, target, study_id, repetition, has_loops) "
       "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)"},
      {&EventRows::m_retrieval,
       "INSERT INTO retrieval(call_id, template_id, outcome, reason, nearest_template_id, difference, start_ns, trace_ns, "
       "load_ns, code_bytes, process) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"},
      {&EventRows::m_eviction, "INSERT INTO eviction(at_ns, template_id, reason, code_bytes) VALUES(?1, ?2, ?3, ?4)"},
      {&EventRows::m_memory, "INSERT INTO memory(at_ns, tensor_live_bytes, tensor_peak_bytes, cache_entries, cache_code_bytes) "
                             "VALUES(?1, ?2, ?3, ?4, ?5)"},
      {&EventRows::m_expectation, "INSERT INTO expectation(line, name, passed, expected, actual) VALUES(?1, ?2, ?3, ?4, ?5)"},
      {&EventRows::m_log, "INSERT INTO log(at_ns, level, message) VALUES(?1, ?2, ?3)"},
  }};
  JITSCOPE_TRY_VOID(prepareAll(database, rows, statements));
  JITSCOPE_TRY(OptimizerRows optimizer, OptimizerRows::prepare(database));
  rows.m_optimizer.emplace(std::move(optimizer));
  JITSCOPE_TRY(StudyRows studies, StudyRows::prepare(database));
  rows.m_studies.emplace(std::move(studies));
  return rows;
}

base::Result<void> EventRows::insert(const event::Event &event) {
  return std::visit([this](const auto &alternative) { return add(alternative); }, event);
}

base::Result<void> EventRows::add(const event::FunctionEvent &event) {
  m_function.bind(1, event.id.value);
  m_function.bind(2, event.name);
  m_function.bind(3, event.line);
  m_function.bind(4, static_cast<int>(event.eager));
  m_function.bind(5, event.symbol);
  return m_function.run();
}

base::Result<void> EventRows::add(const event::TemplateEvent &event) {
  m_template.bind(1, event.id.value);
  m_template.bindId(2, event.functionId.value);
  m_template.bind(3, event.signature);
  return m_template.run();
}

base::Result<void> EventRows::add(const event::SectionEvent &event) {
  m_section.bind(1, event.id.value);
  m_section.bind(2, event.name);
  m_section.bind(3, event.startNs);
  return m_section.run();
}

base::Result<void> EventRows::add(const event::BenchCaseEvent &event) {
  m_benchCase.bind(1, event.id.value);
  m_benchCase.bind(2, event.bench);
  m_benchCase.bind(3, event.name);
  m_benchCase.bind(4, event.input);
  m_benchCase.bindId(5, event.functionId.value);
  m_benchCase.bind(6, event.warmupNs);
  m_benchCase.bind(7, event.timeNs);
  m_benchCase.bind(8, event.parallel);
  return m_benchCase.run();
}

base::Result<void> EventRows::add(const event::BenchLegEvent &event) {
  m_benchLeg.bind(1, event.caseId.value);
  m_benchLeg.bind(2, nameOf(event.leg));
  m_benchLeg.bind(3, event.position);
  if (event.seed) {
    m_benchLeg.bind(4, *event.seed);
  } else {
    m_benchLeg.bindNull(4);
  }
  m_benchLeg.bind(5, event.callsPerSample);
  m_benchLeg.bind(6, event.clockStepNs);
  m_benchLeg.bind(7, event.overheadNs);
  m_benchLeg.bind(8, event.maxSamples);
  m_benchLeg.bind(9, static_cast<int>(event.isCapped));
  return m_benchLeg.run();
}

base::Result<void> EventRows::add(const event::CompileEvent &event) {
  m_compile.bind(1, event.id.value);
  m_compile.bindId(2, event.callId.value);
  m_compile.bindId(3, event.templateId.value);
  m_compile.bind(4, event.pipeline);
  m_compile.bind(5, nameOf(event.reason));
  m_compile.bindId(6, event.nearestTemplateId.value);
  m_compile.bind(7, event.difference);
  m_compile.bind(8, event.startNs);
  m_compile.bind(9, event.traceNs);
  m_compile.bind(10, event.lowerNs);
  m_compile.bind(11, event.optimizeNs);
  m_compile.bind(12, event.codegenNs);
  m_compile.bind(13, event.linkNs);
  m_compile.bind(14, event.totalNs);
  m_compile.bind(15, event.codeBytes);
  m_compile.bind(16, static_cast<std::uint32_t>(event.process));
  m_compile.bind(17, event.target);
  m_compile.bindId(18, event.studyId.value);
  m_compile.bind(19, event.repetition);
  m_compile.bind(20, static_cast<int>(event.hasLoops));
  if (base::Result<void> added = m_compile.run(); !added) {
    return added;
  }
  return m_optimizer->insert(event);
}

base::Result<void> EventRows::add(const event::RetrievalEvent &event) {
  m_retrieval.bindId(1, event.callId.value);
  m_retrieval.bindId(2, event.templateId.value);
  m_retrieval.bind(3, nameOf(event.outcome));
  m_retrieval.bind(4, nameOf(event.reason));
  m_retrieval.bindId(5, event.nearestTemplateId.value);
  m_retrieval.bind(6, event.difference);
  m_retrieval.bind(7, event.startNs);
  m_retrieval.bind(8, event.traceNs);
  m_retrieval.bind(9, event.loadNs);
  m_retrieval.bind(10, event.codeBytes);
  m_retrieval.bind(11, static_cast<std::uint32_t>(event.process));
  return m_retrieval.run();
}

base::Result<void> EventRows::add(const event::EvictionEvent &event) {
  m_eviction.bind(1, event.atNs);
  m_eviction.bindId(2, event.templateId.value);
  m_eviction.bind(3, nameOf(event.reason));
  m_eviction.bind(4, event.codeBytes);
  return m_eviction.run();
}

base::Result<void> EventRows::add(const event::MemoryEvent &event) {
  m_memory.bind(1, event.atNs);
  m_memory.bind(2, event.tensorLiveBytes);
  m_memory.bind(3, event.tensorPeakBytes);
  m_memory.bind(4, event.cacheEntries);
  m_memory.bind(5, event.cacheCodeBytes);
  return m_memory.run();
}

base::Result<void> EventRows::add(const event::ExpectationEvent &event) {
  m_expectation.bind(1, event.line);
  m_expectation.bind(2, event.name);
  m_expectation.bind(3, static_cast<int>(event.passed));
  m_expectation.bind(4, event.expected);
  m_expectation.bind(5, event.actual);
  return m_expectation.run();
}

base::Result<void> EventRows::add(const event::LogEvent &event) {
  m_log.bind(1, event.atNs);
  m_log.bind(2, nameOf(event.level));
  m_log.bind(3, event.message);
  return m_log.run();
}

base::Result<void> EventRows::add(const event::StudyEvent &event) { return m_studies->add(event); }
base::Result<void> EventRows::add(const event::StudyResultEvent &event) { return m_studies->add(event); }
base::Result<void> EventRows::add(const event::StudyRunEvent &event) { return m_studies->add(event); }
base::Result<void> EventRows::add(const event::StudyNoteEvent &event) { return m_studies->add(event); }

} // namespace jitscope::session
