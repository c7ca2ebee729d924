// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "event/event.h"
#include "session/file/session_open.h"
#include "session/import/merged_part.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace jitscope::session {

/// Sees one row; an error ends the reading and is what the query then gives.
template <typename Row> using Visitor = std::function<base::Result<void>(const Row &)>;

/// Which calls to read; what is empty does not restrict.
struct CallFilter {
  std::optional<base::CaseId> caseId;
  std::optional<base::TemplateId> templateId;
  std::optional<base::SectionId> sectionId;
  std::optional<event::Leg> leg;
  std::optional<event::CallPhase> phase;
  std::optional<event::Outcome> outcome;
  base::CallId after = {};                  ///< only calls with a greater id
  std::vector<base::CallId> alsoThese = {}; ///< and these, although their ids are not greater
};

/// Reads a session. The rows come as the events that they were recorded from. Every query is in the order of ids (of time where a
/// table has none) and sees one state of a session that is still being written; several queries do within a `snapshot`.
/// One thread at a time; any number of readers may share a file, and its writer is never blocked.
class SessionReader {
public:
  using Options = OpenOptions;

  /// See `openSession` for the errors.
  [[nodiscard]] static base::Result<std::unique_ptr<SessionReader>> open(const std::filesystem::path &path, const Options &options);
  /// The same with the default options.
  [[nodiscard]] static base::Result<std::unique_ptr<SessionReader>> open(const std::filesystem::path &path);
  /// Puts a session in order that ended while it was read, here or elsewhere, if nobody else reads it any more.
  ~SessionReader();
  SessionReader(const SessionReader &) = delete;
  SessionReader &operator=(const SessionReader &) = delete;

  [[nodiscard]] const std::filesystem::path &path() const { return m_path; }
  /// The session's own row, as of `open` or the last `refresh`.
  [[nodiscard]] const SessionRow &session() const { return m_opened.row; }
  /// Reads the session's row anew, for those who follow a running session. Once its writer is gone, puts the file in order and
  /// opens it anew: no statement or snapshot of `database()` may be alive.
  [[nodiscard]] base::Result<void> refresh();

  [[nodiscard]] base::Result<std::vector<event::FunctionEvent>> functions();
  [[nodiscard]] base::Result<std::vector<event::TemplateEvent>> templates();
  [[nodiscard]] base::Result<std::vector<event::SectionEvent>> sections();
  [[nodiscard]] base::Result<std::vector<event::BenchCaseEvent>> benchCases();
  [[nodiscard]] base::Result<std::vector<event::BenchLegEvent>> benchLegs();
  /// Compiles with a greater id than `after`, without `work`.
  [[nodiscard]] base::Result<std::vector<event::CompileEvent>> compiles(base::CompileId after = {});
  /// The same with what each function cost in them.
  [[nodiscard]] base::Result<std::vector<event::CompileEvent>> compilesWithWork(base::CompileId after = {});
  /// All but the first `skipped`.
  [[nodiscard]] base::Result<std::vector<event::RetrievalEvent>> retrievals(std::uint64_t skipped = 0);
  [[nodiscard]] base::Result<std::vector<event::EvictionEvent>> evictions();
  [[nodiscard]] base::Result<std::vector<event::MemoryEvent>> memory();
  [[nodiscard]] base::Result<std::vector<event::ExpectationEvent>> expectations();
  [[nodiscard]] base::Result<std::vector<event::LogEvent>> logs();
  /// What the session was merged from, in the order of merging; none for one that was recorded.
  [[nodiscard]] base::Result<std::vector<MergedPart>> mergedParts();
  /// One call after the other, for there may be many: a million take some 0.3 s.
  [[nodiscard]] base::Result<void> eachCall(const CallFilter &filter, const Visitor<event::CallEvent> &visit);

  /// Holds one state of the session for all queries until the result goes.
  [[nodiscard]] base::Result<ReadSnapshot> snapshot();
  /// The connection, read-only, for queries of one's own.
  [[nodiscard]] Database &database() { return m_opened.database; }

private:
  SessionReader(std::filesystem::path path, Options options, OpenedSession opened);

  std::filesystem::path m_path;
  Options m_options;
  OpenedSession m_opened;
};

} // namespace jitscope::session
