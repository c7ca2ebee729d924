// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/import/study_importer.h"

#include "base/try.h"
#include "event/sink.h"
#include "session/import/renumbering.h"
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
      : m_child(child), m_optimizer(child), m_section(section), m_ids(std::move(ids)), m_sink(sink),
        m_renumbering{.ids = [this](std::string_view table) { return idsOf(table); }} {}

  base::Result<void> follow() {
    JITSCOPE_TRY(const ReadSnapshot held, m_child.snapshot());
    JITSCOPE_TRY_VOID(takeFunctions());
    JITSCOPE_TRY_VOID(takeStudies());
    JITSCOPE_TRY_VOID(takeCompiles());
    return takeResults();
  }

private:
  /// What is missing becomes "none".
  template <typename IdType> static Renumber through(const std::map<IdType, IdType> &ids) {
    return [&ids](std::uint64_t id) {
      const auto own = ids.find(IdType(static_cast<decltype(IdType::value)>(id)));
      return own == ids.end() ? std::uint64_t{0} : std::uint64_t{own->second.value};
    };
  }

  Renumber idsOf(std::string_view table) {
    if (table == tableOf<event::FunctionEvent>().name) {
      return through(m_functions);
    }
    if (table == tableOf<event::StudyEvent>().name) {
      return through(m_studies);
    }
    return table == tableOf<event::CompileEvent>().name ? through(m_compiles) : Renumber();
  }

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
      m_studies[study.id] = m_ids.newStudy();
      JITSCOPE_TRY_VOID(renumberRow(study, m_renumbering));
      study.sectionId = m_section;
      m_sink.record(std::move(study));
    }
    return {};
  }

  base::Result<void> takeCompiles() {
    JITSCOPE_TRY(std::vector<event::CompileEvent> compiles, m_child.compilesWithWork(m_lastCompile));
    for (event::CompileEvent &compile : compiles) {
      JITSCOPE_TRY_VOID(m_optimizer.attachTo(compile));
      m_lastCompile = compile.id;
      m_compiles[compile.id] = m_ids.newCompile();
      JITSCOPE_TRY_VOID(renumberCompile(compile, m_renumbering));
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
      JITSCOPE_TRY_VOID(renumberRow(result, m_renumbering));
      m_sink.record(std::move(result));
    }
    // In the order in which they were written down.
    for (; m_notes < notes.size(); ++m_notes) {
      JITSCOPE_TRY_VOID(renumberRow(notes[m_notes], m_renumbering));
      m_sink.record(std::move(notes[m_notes]));
    }
    return {};
  }

  SessionReader &m_child;
  OptimizerReader m_optimizer;
  base::SectionId m_section;
  StudyImportIds m_ids;
  event::Sink &m_sink;
  const Renumbering m_renumbering;
  // From the child's ids to the receiver's.
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
