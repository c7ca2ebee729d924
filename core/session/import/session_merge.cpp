// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/import/session_merge.h"

#include "base/try.h"
#include "session/file/query.h"
#include "session/file/schema.h"
#include "session/file/session_file.h"
#include "session/import/table_copy.h"
#include "session/rows/tables.h"
#include "session/session_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <map>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace jitscope::session {

namespace {

using base::ErrorCode;
using base::Result;
using record::SessionStatus;
namespace fs = std::filesystem;

/// Milliseconds since 1970 of "2024-05-01T12:00:00.123Z"; 0 for anything else.
std::int64_t epochMs(const std::string &utc) {
  std::tm time{};
  int milliseconds = 0;
  if (std::sscanf(utc.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d.%3dZ", &time.tm_year, &time.tm_mon, &time.tm_mday, &time.tm_hour,
                  &time.tm_min, &time.tm_sec, &milliseconds) < 6) {
    return 0;
  }
  time.tm_year -= 1900;
  time.tm_mon -= 1;
  return static_cast<std::int64_t>(::timegm(&time)) * 1000 + milliseconds;
}

/// What the uuids in a session stand for: its own, or those it was merged from.
Result<std::vector<std::string>> partsOf(SessionReader &source) {
  JITSCOPE_TRY(const std::vector<MergedPart> parts, source.mergedParts());
  std::vector<std::string> uuids;
  std::ranges::transform(parts, std::back_inserter(uuids), &MergedPart::uuid);
  return uuids.empty() ? std::vector{source.session().info.uuid} : uuids;
}

Result<void> checkSources(std::span<SessionReader *const> sources) {
  std::map<std::string, std::string> paths;
  for (SessionReader *source : sources) {
    const std::string path = source->path().string();
    if (source->session().status == SessionStatus::Running) {
      return base::fail(ErrorCode::StorageFormat, fmt::format("\"{}\" is still being written; merge it when it has ended", path));
    }
    JITSCOPE_TRY(const std::vector<std::string> parts, partsOf(*source));
    for (const std::string &part : parts) {
      const auto [known, isNew] = paths.emplace(part, path);
      if (!isNew) {
        return base::fail(
            ErrorCode::StorageFormat,
            fmt::format("\"{}\" and \"{}\" hold the same session ({}), which would count twice", known->second, path, part));
      }
    }
  }
  return {};
}

/// The value that all have, or those that occur, separated.
std::string combined(std::span<SessionReader *const> sources, std::string SessionInfo::*member, std::string_view separator = "; ") {
  std::vector<std::string> values;
  for (SessionReader *source : sources) {
    const std::string &value = source->session().info.*member;
    if (!value.empty() && std::ranges::find(values, value) == values.end()) {
      values.push_back(value);
    }
  }
  return fmt::format("{}", fmt::join(values, separator));
}

SessionInfo combinedInfo(std::span<SessionReader *const> sources) {
  SessionInfo info = describeThisMachine();
  info.commandLine = fmt::format("jitscope merge ({} sessions)", sources.size());
  info.startedUtc.clear();
  info.llvmVersion = combined(sources, &SessionInfo::llvmVersion);
  info.scriptPath = combined(sources, &SessionInfo::scriptPath, ", ");
  info.scriptText = combined(sources, &SessionInfo::scriptText, "\n");
  info.host = combined(sources, &SessionInfo::host);
  info.cpu = combined(sources, &SessionInfo::cpu);
  info.cpuFeatures = combined(sources, &SessionInfo::cpuFeatures, " ");
  info.os = combined(sources, &SessionInfo::os);
  const std::string options = combined(sources, &SessionInfo::options, "\n");
  info.options = options.find('\n') == std::string::npos ? options : "{}";
  const std::string sha256 = combined(sources, &SessionInfo::scriptSha256);
  info.scriptSha256 = sha256.find(';') == std::string::npos ? sha256 : "";
  for (SessionReader *source : sources) {
    const SessionInfo &other = source->session().info;
    info.clockReadNs = std::max(info.clockReadNs, other.clockReadNs);
    info.callOverheadNs = std::max(info.callOverheadNs, other.callOverheadNs);
    if (info.startedUtc.empty() || epochMs(other.startedUtc) < epochMs(info.startedUtc)) {
      info.startedUtc = other.startedUtc;
    }
  }
  return info;
}

struct Ending {
  SessionStatus status = SessionStatus::Finished;
  std::string error;
  std::uint64_t endNs = 0;
};

class Merger {
public:
  Merger(std::span<SessionReader *const> sources, Database &target, std::string startedUtc)
      : m_sources(sources), m_target(target), m_startedUtc(std::move(startedUtc)) {}

  Result<void> run() {
    Result<void> done = m_target.execute("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; BEGIN;" + mergedSql());
    for (std::size_t i = 0; done && i < m_sources.size(); ++i) {
      done = add(*m_sources[i]);
    }
    if (done) {
      done = end();
    }
    return done ? m_target.execute("COMMIT; " + indexSql()) : done;
  }

private:
  Result<void> add(SessionReader &source);
  Result<void> addPart(SessionReader &source, const Offsets &offsets);
  Result<void> end();

  std::span<SessionReader *const> m_sources;
  Database &m_target;
  std::string m_startedUtc;
  Ending m_ending;
};

Result<void> Merger::add(SessionReader &source) {
  JITSCOPE_TRY(const ReadSnapshot held, source.snapshot());
  JITSCOPE_TRY(Offsets offsets, readOffsets(m_target));
  // Seventy years apart, as from a session that does not know its day, is a time that a session holds.
  constexpr std::int64_t kFarthestMs = (std::int64_t{1} << 61U) / 1'000'000;
  const std::int64_t laterMs = std::max<std::int64_t>(0, epochMs(source.session().info.startedUtc) - epochMs(m_startedUtc));
  if (laterMs > kFarthestMs - static_cast<std::int64_t>(source.session().durationNs / 1'000'000)) {
    return base::fail(ErrorCode::StorageCorrupt,
                      fmt::format("\"{}\" began at {}, too long after the others", source.path().string(),
                                  quotedValue(source.session().info.startedUtc)));
  }
  offsets.timeNs = laterMs * 1'000'000;
  if (Result<void> part = addPart(source, offsets); !part) {
    return part;
  }
  const SessionRow &row = source.session();
  m_ending.endNs = std::max(m_ending.endNs, static_cast<std::uint64_t>(offsets.timeNs) + row.durationNs);
  if (row.status == SessionStatus::Failed ||
      (row.status == SessionStatus::Interrupted && m_ending.status == SessionStatus::Finished)) {
    m_ending.status = row.status;
  }
  if (!row.error.empty()) {
    m_ending.error += fmt::format("{}{}: {}", m_ending.error.empty() ? "" : "\n", row.info.scriptPath, row.error);
  }
  return base::within(copyTables(source.database(), m_target, offsets), fmt::format("in \"{}\"", source.path().string()));
}

Result<void> Merger::addPart(SessionReader &source, const Offsets &offsets) {
  const SessionRow &row = source.session();
  Result<std::optional<std::int64_t>> lastProcess =
      source.database().queryInteger("SELECT max((SELECT coalesce(max(process), 0) FROM call_context), "
                                     "(SELECT coalesce(max(process), 0) FROM compile))");
  if (!lastProcess) {
    return std::unexpected(std::move(lastProcess.error()));
  }
  JITSCOPE_TRY(const std::vector<std::string> parts, partsOf(source));
  if (parts.size() != 1 || parts.front() != row.info.uuid) {
    return {}; // merged before: its rows of the table come with the others
  }
  MergedPart part;
  part.uuid = row.info.uuid;
  part.scriptPath = row.info.scriptPath;
  part.scriptSha256 = row.info.scriptSha256;
  part.scriptText = row.info.scriptText;
  part.commandLine = row.info.commandLine;
  part.startedUtc = row.info.startedUtc;
  part.host = row.info.host;
  part.cpu = row.info.cpu;
  part.options = row.info.options;
  part.status = row.status;
  part.error = row.error;
  part.startNs = static_cast<std::uint64_t>(offsets.timeNs);
  part.firstProcess = static_cast<std::uint16_t>(offsets.process);
  part.lastProcess = static_cast<std::uint16_t>(offsets.process + lastProcess->value_or(0));
  // What is numbered on from part to part: the first and the last number of this one, which is smaller where there is none.
  const auto range = [&source](const char *lastSql, std::int64_t offset) -> Result<std::pair<std::uint64_t, std::uint64_t>> {
    JITSCOPE_TRY(const std::optional<std::int64_t> last, source.database().queryInteger(lastSql));
    return std::pair(static_cast<std::uint64_t>(offset + 1), static_cast<std::uint64_t>(offset + last.value_or(0)));
  };
  JITSCOPE_TRY(const auto functions, range("SELECT coalesce(max(id), 0) FROM function", offsets.of("function")));
  part.firstFunction = base::FunctionId(static_cast<std::uint32_t>(functions.first));
  part.lastFunction = base::FunctionId(static_cast<std::uint32_t>(functions.second));
  JITSCOPE_TRY(const auto benches, range("SELECT coalesce(max(bench), 0) FROM bench_case", offsets.bench));
  part.firstBench = static_cast<std::uint32_t>(benches.first);
  part.lastBench = static_cast<std::uint32_t>(benches.second);
  JITSCOPE_TRY(const auto expectations, range("SELECT coalesce(max(id), 0) FROM expectation", offsets.of("expectation")));
  std::tie(part.firstExpectation, part.lastExpectation) = expectations;
  JITSCOPE_TRY(Statement insert, m_target.prepare(insertSql<MergedPart>()));
  bindRow(insert, part);
  return insert.run();
}

Result<void> Merger::end() {
  JITSCOPE_TRY(Statement update, m_target.prepare("UPDATE session SET status = ?1, error = ?2, ended_ns = ?3"));
  update.bind(1, nameOf(m_ending.status));
  update.bind(2, std::string_view(m_ending.error));
  update.bind(3, m_ending.endNs);
  return update.run();
}

/// Gives a finished file its name unless something has it already.
Result<void> publish(const fs::path &file, const fs::path &target) {
  if (::renameat2(AT_FDCWD, file.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0) {
    return {};
  }
  // File systems that cannot do that in one step do it in two.
  if (errno == EINVAL && ::link(file.c_str(), target.c_str()) == 0) {
    std::error_code ignored;
    fs::remove(file, ignored);
    return {};
  }
  const int cause = errno;
  return base::fail(cause == EEXIST ? ErrorCode::StorageExists : ErrorCode::StorageWrite,
                    fmt::format("\"{}\" cannot be written: {}", target.string(), std::generic_category().message(cause)));
}

Result<void> mergeInto(const fs::path &file, std::span<SessionReader *const> sources, const SessionInfo &info) {
  if (Result<void> created = createSessionFile(file, info, false); !created) {
    return created;
  }
  JITSCOPE_TRY(Database database, Database::open(file, Database::Access::ReadWrite));
  if (Result<void> merged = Merger(sources, database, info.startedUtc).run(); !merged) {
    return merged;
  }
  const Result<bool> plain = makePlainFile(database, true);
  return plain ? Result<void>() : std::unexpected(plain.error());
}

} // namespace

Result<void> mergeSessions(std::span<SessionReader *const> sources, const fs::path &target) {
  if (Result<void> sound = checkSources(sources); !sound) {
    return sound;
  }
  std::error_code unknown;
  if (fs::exists(fs::symlink_status(target, unknown))) {
    return base::fail(ErrorCode::StorageExists,
                      fmt::format("\"{}\" already exists; choose another name or remove it", target.string()));
  }
  const fs::path file = fmt::format("{}.merging-{}", target.string(), ::getpid());
  Result<void> merged = mergeInto(file, sources, combinedInfo(sources));
  if (merged) {
    merged = publish(file, target);
  }
  if (!merged) {
    for (const char *suffix : {"", "-wal", "-shm", "-journal"}) {
      fs::remove(sideFile(file, suffix), unknown);
    }
    return std::unexpected(std::move(merged.error()).within(fmt::format("while merging into \"{}\"", target.string())));
  }
  return {};
}

} // namespace jitscope::session
