// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/import/study_importer.h"

#include "base/try.h"
#include "event/sink.h"
#include "session/import/renamed_compile.h"
#include "session/optimizer_reader.h"
#include "session/session_reader.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace jitscope::session {

class StudyImporter::Impl {
public:
  Impl(SessionReader &child, base::SectionId section, StudyImportIds ids, event::Sink &sink)
      : m_child(child), m_optimizer(child), m_section(section), m_ids(std::move(ids)), m_sink(sink) {}

  base::Result<void> follow() {
    JITSCOPE_TRY(const ReadSnapshot held, m_child.snapshot());
    JITSCOPE_TRY_VOID(takeFunctions());
    JITSCOPE_TRY_VOID(takeStudies());
    JITSCOPE_TRY_VOID(takeCompiles());
    return takeResults();
  }

private:
  base::Result<void> takeFunctions() {
    JITSCOPE_TRY(const std::vector<event::FunctionEvent> functions, m_child.functions());
    for (const event::FunctionEvent &function : functions) {
      if (!m_functions.contains(function.id)) {
        m_functions[function.id] = m_ids.function(function);
      }
    }
    return {};
  }

  base::Result<void> takeStudies() {
    JITSCOPE_TRY(std::vector<event::StudyEvent> studies, m_optimizer.studies());
    for (event::StudyEvent &study : studies) {
      if (m_studies.contains(study.id)) {
        continue;
      }
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
    JITSCOPE_TRY(std::vector<event::CompileEvent> compiles, m_child.compilesWithWork(m_lastCompile));
    for (event::CompileEvent &compile : compiles) {
      JITSCOPE_TRY_VOID(m_optimizer.attachTo(compile));
      const auto rename = [this](base::FunctionId function) -> base::Result<base::FunctionId> {
        return function.isValid() ? m_functions[function] : function;
      };
      JITSCOPE_TRY_VOID(renameFunctions(compile, rename));
      m_lastCompile = compile.id;
      const base::CompileId id = m_ids.newCompile();
      m_compiles[compile.id] = id;
      compile.id = id;
      compile.studyId = m_studies[compile.studyId];
      m_sink.record(std::move(compile));
    }
    return {};
  }

  base::Result<void> takeResults() {
    JITSCOPE_TRY(std::vector<event::StudyResultEvent> results, m_optimizer.studyResults());
    JITSCOPE_TRY(std::vector<event::StudyNoteEvent> notes, m_optimizer.studyNotes());
    for (event::StudyResultEvent &result : results) {
      if (!m_results.emplace(result.studyId, result.position).second) {
        continue;
      }
      result.studyId = m_studies[result.studyId];
      result.compileId = m_compiles[result.compileId];
      m_sink.record(std::move(result));
    }
    // In the order in which they were written down.
    for (; m_notes < notes.size(); ++m_notes) {
      notes[m_notes].studyId = m_studies[notes[m_notes].studyId];
      m_sink.record(std::move(notes[m_notes]));
    }
    return {};
  }

  SessionReader &m_child;
  OptimizerReader m_optimizer;
  base::SectionId m_section;
  StudyImportIds m_ids;
  event::Sink &m_sink;
  // From the child's ids to the receiver's; what is missing becomes "none".
  std::map<base::FunctionId, base::FunctionId> m_functions;
  std::map<base::StudyId, base::StudyId> m_studies;
  std::map<base::CompileId, base::CompileId> m_compiles;
  // How far the import has come.
  base::CompileId m_lastCompile;
  std::set<std::pair<base::StudyId, std::uint32_t>> m_results; ///< the child's studies and positions
  std::size_t m_notes = 0;
};

StudyImporter::StudyImporter(SessionReader &child, base::SectionId section, StudyImportIds ids, event::Sink &sink)
    : m_impl(std::make_unique<Impl>(child, section, std::move(ids), sink)) {}
StudyImporter::~StudyImporter() = default;

base::Result<void> StudyImporter::follow() {
  return base::within(m_impl->follow(), "while what another process studied was taken over");
}

base::Result<void> importStudies(SessionReader &child, base::SectionId section, const StudyImportIds &ids, event::Sink &sink) {
  return base::within(StudyImporter(child, section, ids, sink).follow(),
                      fmt::format("while importing \"{}\"", child.path().string()));
}

} // namespace jitscope::session
