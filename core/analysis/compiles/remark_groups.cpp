// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compiles/remark_groups.h"

#include "base/try.h"
#include "session/file/query.h"
#include "session/session_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace jitscope::analysis {

namespace {

using session::Statement;

/// What makes remarks the same, as columns.
constexpr auto kRemarkKey = "coalesce(f.name, r.function), r.line, r.column_, r.pass, r.name, r.kind, r.message";
/// The columns that `groupOf` reads. Pipelines are joined by a character that none of their names has.
constexpr auto kGroupColumns = "r.kind, r.pass, r.name, r.function_id, coalesce(f.name, r.function), r.line, r.column_, r.message, "
                               "count(*), group_concat(DISTINCT c.pipeline), max(c.id)";
constexpr int kFurtherColumn = 11;
constexpr auto kRemarksOfCompiles = "compile c JOIN remark r ON r.compile_id = c.id LEFT JOIN function f ON f.id = r.function_id";
/// Adds study y and context x of compile c.
constexpr auto kOriginOfCompile = "LEFT JOIN study y ON y.id = c.study_id LEFT JOIN call_record a ON a.id = c.call_id "
                                  "LEFT JOIN call_context x ON x.id = a.context_id";
constexpr auto kOriginKey = "c.study_id, coalesce(y.section_id, x.section_id)";

std::vector<std::string> namesIn(std::string_view joined) {
  std::vector<std::string> names;
  while (!joined.empty()) {
    const std::size_t end = std::min(joined.find(','), joined.size());
    names.emplace_back(joined.substr(0, end));
    joined.remove_prefix(std::min(end + 1, joined.size()));
  }
  std::ranges::sort(names);
  return names;
}

RemarkGroup groupOf(const Statement &row) {
  RemarkGroup group;
  group.kind = session::valueOf(row, 0, event::remarkKindFromName, "is no kind of remark");
  group.pass = row.text(1);
  group.name = row.text(2);
  group.functionId = base::FunctionId(row.number(3));
  group.functionName = row.text(4);
  group.line = static_cast<int>(row.integer(5));
  group.column = static_cast<int>(row.integer(6));
  group.message = row.text(7);
  group.count = row.unsignedInteger(8);
  group.pipelines = namesIn(row.text(9));
  group.compileId = base::CompileId(row.number(10));
  return group;
}

RemarkOrigin originOf(const Statement &row) {
  return {base::StudyId(row.number(0)), base::SectionId(row.number(1)), session::textOf(row, 2), namesIn(row.text(3))};
}

/// A remark with the ids of its origin.
struct RemarkRow {
  RemarkGroup remark;
  base::StudyId studyId;
  base::SectionId sectionId;
};

RemarkRow remarkRowOf(const Statement &row) {
  return {groupOf(row), base::StudyId(row.number(kFurtherColumn)), base::SectionId(row.number(kFurtherColumn + 1))};
}

bool compiledIn(const RemarkOrigin &origin, const std::string &pipeline) {
  return std::ranges::binary_search(origin.pipelines, pipeline);
}

} // namespace

bool RemarkGroup::isIn(const std::string &pipeline) const { return std::ranges::binary_search(pipelines, pipeline); }

base::Result<std::vector<RemarkGroup>> readRemarkGroups(session::Database &database, const Selection &selection,
                                                        base::CompileId compile) {
  return session::collect(database,
                          fmt::format("SELECT {0} FROM {1} WHERE {2} GROUP BY {3} ORDER BY {3}", kGroupColumns, kRemarksOfCompiles,
                                      compileCondition(selection, "c", compile), kRemarkKey),
                          groupOf);
}

base::Result<RemarksByOrigin> readRemarksByOrigin(session::SessionReader &reader, const Selection &selection) {
  JITSCOPE_TRY(const session::ReadSnapshot held, reader.snapshot());
  session::Database &database = reader.database();
  const std::string condition = compileCondition(selection, "c");
  base::Result<std::vector<RemarkOrigin>> origins = session::collect(
      database,
      fmt::format("SELECT {0}, coalesce(s.name, ''), group_concat(DISTINCT c.pipeline) FROM compile c {1} LEFT JOIN section s "
                  "ON s.id = coalesce(y.section_id, x.section_id) WHERE {2} GROUP BY {0} ORDER BY min(c.id)",
                  kOriginKey, kOriginOfCompile, condition),
      originOf);
  base::Result<std::vector<RemarkRow>> rows =
      session::collect(database,
                       fmt::format("SELECT {0}, {1} FROM {2} {3} WHERE {4} GROUP BY {5}, {1} ORDER BY {5}, min(c.id)",
                                   kGroupColumns, kOriginKey, kRemarksOfCompiles, kOriginOfCompile, condition, kRemarkKey),
                       remarkRowOf);
  if (!origins || !rows) {
    return std::unexpected(std::move(!origins ? origins.error() : rows.error()));
  }
  RemarksByOrigin result{*std::move(origins), {}};
  for (RemarkRow &row : *rows) {
    const auto origin = std::ranges::find_if(result.origins, [&row](const RemarkOrigin &known) {
      return known.studyId == row.studyId && known.sectionId == row.sectionId;
    });
    result.remarks.push_back({std::move(row.remark), static_cast<std::size_t>(origin - result.origins.begin())});
  }
  return result;
}

bool RemarksByOrigin::meet(const std::string &one, const std::string &other) const {
  return std::ranges::any_of(origins,
                             [&](const RemarkOrigin &origin) { return compiledIn(origin, one) && compiledIn(origin, other); });
}

std::vector<OriginRemark> RemarksByOrigin::onlyIn(const std::string &pipeline, const std::string &notIn) const {
  const bool isWithin = meet(pipeline, notIn);
  const auto meaningOf = [isWithin](const OriginRemark &entry) {
    return std::tuple(isWithin ? entry.origin : 0, entry.remark.meaning());
  };
  std::set<decltype(meaningOf(remarks.front()))> others;
  for (const OriginRemark &entry : remarks) {
    if (entry.remark.isIn(notIn)) {
      others.insert(meaningOf(entry));
    }
  }
  std::vector<OriginRemark> found;
  std::ranges::copy_if(remarks, std::back_inserter(found), [&](const OriginRemark &entry) {
    const bool isComparable = !isWithin || compiledIn(origins[entry.origin], notIn);
    return isComparable && entry.remark.isIn(pipeline) && !others.contains(meaningOf(entry));
  });
  return found;
}

} // namespace jitscope::analysis
