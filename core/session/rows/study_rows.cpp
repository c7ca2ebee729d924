// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/rows/study_rows.h"

#include "base/try.h"
#include "session/file/query.h"

#include <array>
#include <utility>

namespace jitscope::session {

base::Result<StudyRows> StudyRows::prepare(Database &database) {
  StudyRows rows;
  const std::array<std::pair<Statement StudyRows::*, const char *>, 4> statements{{
      {&StudyRows::m_study, "INSERT INTO study(id, section_id, function_id, name, line, is_modules, triple, cpu, cpu_features, "
                            "options) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"},
      {&StudyRows::m_result,
       "INSERT INTO study_result(study_id, position, pipeline, compile_id, instructions_before, instructions_after, code_bytes, "
       "objects, is_executed, is_equal, max_ulp, ulp_bound, error) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"},
      {&StudyRows::m_run, "INSERT INTO study_run(study_id, pipeline, repetition, calls, execute_ns) VALUES(?1, ?2, ?3, ?4, ?5)"},
      {&StudyRows::m_note, "INSERT INTO study_note(study_id, message) VALUES(?1, ?2)"},
  }};
  JITSCOPE_TRY_VOID(prepareAll(database, rows, statements));
  return rows;
}

base::Result<void> StudyRows::add(const event::StudyEvent &event) {
  m_study.bind(1, event.id.value);
  m_study.bindId(2, event.sectionId.value);
  m_study.bindId(3, event.functionId.value);
  m_study.bind(4, event.name);
  m_study.bind(5, event.line);
  m_study.bind(6, static_cast<int>(event.isModules));
  m_study.bind(7, event.triple);
  m_study.bind(8, event.cpu);
  m_study.bind(9, event.cpuFeatures);
  m_study.bind(10, event.options);
  return m_study.run();
}

base::Result<void> StudyRows::add(const event::StudyResultEvent &event) {
  m_result.bind(1, event.studyId.value);
  m_result.bind(2, event.position);
  m_result.bind(3, event.pipeline);
  m_result.bindId(4, event.compileId.value);
  m_result.bind(5, event.instructionsBefore);
  m_result.bind(6, event.instructionsAfter);
  m_result.bind(7, event.codeBytes);
  m_result.bind(8, event.objects);
  m_result.bind(9, static_cast<int>(event.isExecuted));
  m_result.bind(10, static_cast<int>(event.isEqual));
  m_result.bind(11, event.maxUlp);
  m_result.bind(12, event.ulpBound);
  m_result.bind(13, event.error);
  return m_result.run();
}

base::Result<void> StudyRows::add(const event::StudyRunEvent &event) {
  m_run.bind(1, event.studyId.value);
  m_run.bind(2, event.pipeline);
  m_run.bind(3, event.repetition);
  m_run.bind(4, event.calls);
  m_run.bind(5, event.executeNs);
  return m_run.run();
}

base::Result<void> StudyRows::add(const event::StudyNoteEvent &event) {
  m_note.bind(1, event.studyId.value);
  m_note.bind(2, event.message);
  return m_note.run();
}

} // namespace jitscope::session
