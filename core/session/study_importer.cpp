// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/study_importer.h"

#include "base/try.h"
#include "event/sink.h"
#include "session/optimizer_reader.h"
#include "session/renamed_compile.h"
#include "session/session_reader.h"

#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace jitscope::session {

namespace {

class StudyImporter {
public:
  StudyImporter(SessionReader &child, base::SectionId section, const StudyImportIds &ids, event::Sink &sink)
      : m_child(child), m_optimizer(child), m_section(section), m_ids(ids), m_sink(sink) {}

  base::Result<void> run() {
    JITSCOPE_TRY_VOID(m_child.snapshot());
    base::Result<void> done = takeFunctions();
    done = done ? takeStudies() : done;
    done = done ? takeCompiles() : done;
    return done ? takeResults() : done;
  }

private:
  base::Result<void> takeFunctions() {
    JITSCOPE_TRY(const std::vector<event::FunctionEvent> functions, m_child.functions());
    for (const event::FunctionEvent &function : functions) {
      m_functions[function.id] = m_ids.function(function);
    }
    return {};
  }

  base::Result<void> takeStudies() {
    JITSCOPE_TRY(std::vector<event::StudyEvent> studies, m_optimizer.studies());
    for (event::StudyEvent &study : studies) {
      const base::StudyId id = m_ids.newStudy();
      m_studies[study.id] = id;
      study.id = id;
      study.sectionId = m_section;
      study.functionId = m_functions[study.functionId];
      m_sink.record(std::move(study));
    }
    return {};
  }

  base::Result<void> takeCompiles() {
    JITSCOPE_TRY(std::vector<event::CompileEvent> compiles, m_child.compilesWithWork());
    for (event::CompileEvent &compile : compiles) {
      if (base::Result<void> complete = m_optimizer.attachTo(compile); !complete) {
        return complete;
      }
      const auto rename = [this](base::FunctionId function) -> base::Result<base::FunctionId> {
        return function.isValid() ? m_functions[function] : function;
      };
      if (base::Result<void> renamed = renameFunctions(compile, rename); !renamed) {
        return renamed;
      }
      const base::CompileId id = m_ids.newCompile();
      m_compiles[compile.id] = id;
      compile.id = id;
      compile.studyId = m_studies[compile.studyId];
      m_sink.record(std::move(compile));
    }
    return {};
  }

  base::Result<void> takeResults() {
    base::Result<std::vector<event::StudyResultEvent>> results = m_optimizer.studyResults();
    base::Result<std::vector<event::StudyNoteEvent>> notes = m_optimizer.studyNotes();
    if (!results || !notes) {
      return std::unexpected(!results ? results.error() : notes.error());
    }
    for (event::StudyResultEvent &result : *results) {
      result.studyId = m_studies[result.studyId];
      result.compileId = m_compiles[result.compileId];
      m_sink.record(std::move(result));
    }
    for (event::StudyNoteEvent &note : *notes) {
      note.studyId = m_studies[note.studyId];
      m_sink.record(std::move(note));
    }
    return {};
  }

  SessionReader &m_child;
  OptimizerReader m_optimizer;
  base::SectionId m_section;
  const StudyImportIds &m_ids;
  event::Sink &m_sink;
  // From the child's ids to the receiver's; what is missing becomes "none".
  std::map<base::FunctionId, base::FunctionId> m_functions;
  std::map<base::StudyId, base::StudyId> m_studies;
  std::map<base::CompileId, base::CompileId> m_compiles;
};

} // namespace

base::Result<void> importStudies(SessionReader &child, base::SectionId section, const StudyImportIds &ids, event::Sink &sink) {
  base::Result<void> done = StudyImporter(child, section, ids, sink).run();
  if (!done) {
    return std::unexpected(std::move(done.error()).within(fmt::format("while importing \"{}\"", child.path().string())));
  }
  return done;
}

} // namespace jitscope::session
