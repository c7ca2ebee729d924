// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compare/remark_changes.h"

#include "analysis/query/each_row.h"
#include "base/try.h"
#include "session/file/database.h"
#include "session/session_reader.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <set>
#include <string>
#include <utility>

namespace jitscope::analysis {

namespace {

using base::Result;
using session::SessionReader;
using session::Statement;

/// The remarks of a session, and which others it would have.
struct RecordedRemarks {
  std::vector<RemarkGroup> remarks;
  std::set<std::string> functions;             ///< compiled, or with remarks
  std::set<std::string> passes;                ///< with remarks
  std::optional<std::set<std::string>> option; ///< the passes that the option `remarks` names; empty where it is not known
  bool recordsAll = false;                     ///< the option says "all"
  bool scriptMayChangeIt = false;              ///< the script mentions the option

  /// Whether a remark of this function and pass would have been recorded.
  [[nodiscard]] bool wouldHave(const RemarkGroup &remark) const {
    if (!functions.contains(remark.functionName)) {
      return false;
    }
    const bool isNamed = recordsAll || (option && option->contains(remark.pass));
    if (passes.empty()) {
      // Not a single remark: none was recorded, unless the options leave no doubt that they would have been.
      return isNamed && !scriptMayChangeIt;
    }
    return isNamed || !option || passes.contains(remark.pass);
  }
};

void readOption(RecordedRemarks &side, const session::SessionInfo &info) {
  const nlohmann::json options = nlohmann::json::parse(info.options, nullptr, false);
  const auto found = options.is_object() ? options.find("remarks") : options.end();
  if (!options.is_object() || found == options.end() || !found->is_string()) {
    return;
  }
  const std::string text = found->get<std::string>();
  side.recordsAll = text == "all";
  side.option.emplace();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    side.option->insert(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

Result<RecordedRemarks> readRecorded(SessionReader &reader) {
  JITSCOPE_TRY(std::vector<RemarkGroup> remarks, readRemarkGroups(reader.database(), {}));
  RecordedRemarks side;
  side.remarks = std::move(remarks);
  for (const RemarkGroup &remark : side.remarks) {
    side.functions.insert(remark.functionName);
    side.passes.insert(remark.pass);
  }
  JITSCOPE_TRY_VOID(eachRow(reader.database(),
                            "SELECT f.name FROM function_work w JOIN function f ON f.id = w.function_id UNION "
                            "SELECT f.name FROM compile c JOIN template t ON t.id = c.template_id "
                            "JOIN function f ON f.id = t.function_id",
                            [&side](const Statement &row) { side.functions.emplace(row.text(0)); }));
  const session::SessionInfo &info = reader.session().info;
  readOption(side, info);
  side.scriptMayChangeIt = info.scriptText.find("remarks") != std::string::npos;
  return side;
}

/// Adds what `own` has and `other` has not.
void addChanges(std::vector<RemarkChange> &changes, const RecordedRemarks &own, const RecordedRemarks &other,
                RemarkChangeKind changed, RemarkChangeKind unrecorded) {
  std::set<decltype(std::declval<const RemarkGroup &>().key())> known;
  for (const RemarkGroup &remark : other.remarks) {
    known.insert(remark.key());
  }
  for (const RemarkGroup &remark : own.remarks) {
    if (!known.contains(remark.key())) {
      changes.push_back({other.wouldHave(remark) ? changed : unrecorded, remark});
    }
  }
}

} // namespace

std::string_view nameOf(RemarkChangeKind kind) {
  switch (kind) {
  case RemarkChangeKind::New:
    return "new";
  case RemarkChangeKind::Gone:
    return "gone";
  case RemarkChangeKind::NotRecordedInBase:
    return "not recorded in base";
  case RemarkChangeKind::NotRecordedInContender:
    break;
  }
  return "not recorded in contender";
}

Result<std::vector<RemarkChange>> readRemarkChanges(SessionReader &base, SessionReader &contender) {
  const Result<RecordedRemarks> before = readRecorded(base);
  JITSCOPE_TRY(const RecordedRemarks after, before ? readRecorded(contender) : std::unexpected(before.error()));
  std::vector<RemarkChange> changes;
  addChanges(changes, after, *before, RemarkChangeKind::New, RemarkChangeKind::NotRecordedInBase);
  addChanges(changes, *before, after, RemarkChangeKind::Gone, RemarkChangeKind::NotRecordedInContender);
  return changes;
}

} // namespace jitscope::analysis
