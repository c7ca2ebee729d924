// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/rows/event_rows.h"

#include "base/sha256.h"
#include "base/try.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

namespace jitscope::session {

namespace {

template <typename Row> std::string insertRowSql() { return insertSql<Row>(); }
template <> std::string insertRowSql<IrText>() { return insertSql<IrText>() + " ON CONFLICT(sha256) DO NOTHING"; }
/// A snapshot is bound with the sum of its text in the place of the text's id.
template <> std::string insertRowSql<SnapshotRow>() {
  return insertSql<SnapshotRow>(
      {{"ir_id", fmt::format("(SELECT id FROM ir WHERE sha256 = ?{})", tableOf<SnapshotRow>().indexOf("ir_id") + 1)}});
}

template <typename Row> base::Result<void> prepareInsert(Database &database, RowInsert<Row> &insert) {
  JITSCOPE_TRY(insert.statement, database.prepare(insertRowSql<Row>()));
  return {};
}

} // namespace

base::Result<EventRows> EventRows::prepare(Database &database) {
  EventRows rows;
  base::Result<void> prepared;
  std::apply([&](auto &...inserts) { ((prepared = prepared ? prepareInsert(database, inserts) : std::move(prepared)), ...); },
             rows.m_inserts);
  JITSCOPE_TRY_VOID(std::move(prepared));
  return rows;
}

base::Result<void> EventRows::insert(const event::Event &event) {
  return std::visit([this](const auto &alternative) { return add(alternative); }, event);
}

template <typename Row> base::Result<void> EventRows::add(const Row &row) {
  Statement &statement = statementOf<Row>();
  bindRow(statement, row);
  return statement.run();
}

base::Result<void> EventRows::add(const event::CompileEvent &compile) {
  JITSCOPE_TRY_VOID(add<event::CompileEvent>(compile));
  JITSCOPE_TRY_VOID(addParts(compile.id, compile.work));
  JITSCOPE_TRY_VOID(addParts(compile.id, compile.passes));
  JITSCOPE_TRY_VOID(addParts(compile.id, compile.remarks));
  JITSCOPE_TRY_VOID(addParts(compile.id, compile.loops));
  for (const event::IrSnapshot &snapshot : compile.snapshots) {
    JITSCOPE_TRY_VOID(addText(compile.id, snapshot));
  }
  return {};
}

template <typename Part> base::Result<void> EventRows::addParts(base::CompileId compile, const std::vector<Part> &parts) {
  for (const Part &part : parts) {
    statementOf<Part>().bind(tableOf<Part>().indexOf("compile_id") + 1, compile.value);
    JITSCOPE_TRY_VOID(add<Part>(part));
  }
  return {};
}

base::Result<void> EventRows::addText(base::CompileId compile, const event::IrSnapshot &snapshot) {
  // Here and not where the text was taken, for that thread is compiling.
  const std::string sha256 = base::sha256Of(snapshot.text);
  Statement &text = statementOf<IrText>();
  text.bind(tableOf<IrText>().indexOf("sha256") + 1, std::string_view(sha256));
  text.bind(tableOf<IrText>().indexOf("text") + 1, std::string_view(snapshot.text));
  JITSCOPE_TRY_VOID(text.run());
  const SnapshotRow row{compile, snapshot.functionId, snapshot.stage, snapshot.passSeq};
  Statement &statement = statementOf<SnapshotRow>();
  bindRow(statement, row);
  statement.bind(tableOf<SnapshotRow>().indexOf("ir_id") + 1, std::string_view(sha256));
  return statement.run();
}

} // namespace jitscope::session
