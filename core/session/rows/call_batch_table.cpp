// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/rows/call_batch_table.h"

#include "session/file/database.h"
#include "session/rows/tables.h"

#include <sqlite3.h>

#include <new>
#include <string>

// SQLite calls these from C: none of them may throw, hence no allocation other than SQLite's own.
namespace jitscope::session {

namespace {

struct BatchTable : sqlite3_vtab {
  const CallBatch *batch = nullptr;
};

struct Cursor : sqlite3_vtab_cursor {
  const CallBatch *batch = nullptr;
  std::size_t row = 0;
};

template <typename T> T *allocate() noexcept {
  void *memory = sqlite3_malloc(static_cast<int>(sizeof(T)));
  return memory == nullptr ? nullptr : new (memory) T{};
}

int connect(sqlite3 *database, void *batch, int /*argumentCount*/, const char *const * /*arguments*/, sqlite3_vtab **result,
            char ** /*message*/) {
  const int status = sqlite3_declare_vtab(database, static_cast<const CallBatch *>(batch)->declaration.c_str());
  if (status != SQLITE_OK) {
    return status;
  }
  auto *table = allocate<BatchTable>();
  if (table == nullptr) {
    return SQLITE_NOMEM;
  }
  table->batch = static_cast<const CallBatch *>(batch);
  *result = table;
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab *table) {
  sqlite3_free(static_cast<BatchTable *>(table));
  return SQLITE_OK;
}

int bestIndex(sqlite3_vtab * /*table*/, sqlite3_index_info *info) {
  info->estimatedCost = 1e4;
  return SQLITE_OK;
}

int open(sqlite3_vtab *table, sqlite3_vtab_cursor **result) {
  auto *cursor = allocate<Cursor>();
  if (cursor == nullptr) {
    return SQLITE_NOMEM;
  }
  cursor->batch = static_cast<BatchTable *>(table)->batch;
  *result = cursor;
  return SQLITE_OK;
}

int close(sqlite3_vtab_cursor *cursor) {
  sqlite3_free(static_cast<Cursor *>(cursor));
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor *cursor, int /*index*/, const char * /*indexName*/, int /*argumentCount*/,
           sqlite3_value ** /*arguments*/) {
  static_cast<Cursor *>(cursor)->row = 0;
  return SQLITE_OK;
}

int next(sqlite3_vtab_cursor *cursor) {
  ++static_cast<Cursor *>(cursor)->row;
  return SQLITE_OK;
}

int eof(sqlite3_vtab_cursor *base) {
  const Cursor *cursor = static_cast<Cursor *>(base);
  return static_cast<int>(cursor->row >= cursor->batch->calls.size());
}

int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int index) {
  const Cursor *cursor = static_cast<Cursor *>(base);
  const Column<event::CallEvent> &column = cursor->batch->columns[static_cast<std::size_t>(index)];
  // The context is what is given apart.
  const std::uint64_t value =
      column.whole == nullptr ? cursor->batch->contextIds[cursor->row] : column.whole(cursor->batch->calls[cursor->row]);
  if (value != 0 || !column.isNullable) {
    sqlite3_result_int64(context, static_cast<sqlite3_int64>(value));
  }
  return SQLITE_OK;
}

int rowId(sqlite3_vtab_cursor *cursor, sqlite3_int64 *result) {
  *result = static_cast<sqlite3_int64>(static_cast<Cursor *>(cursor)->row);
  return SQLITE_OK;
}

/// No xCreate: the table exists in every statement under its module's name and is part of no file.
constexpr sqlite3_module makeModule() {
  sqlite3_module module{};
  module.iVersion = 1;
  module.xConnect = connect;
  module.xBestIndex = bestIndex;
  module.xDisconnect = disconnect;
  module.xOpen = open;
  module.xClose = close;
  module.xFilter = filter;
  module.xNext = next;
  module.xEof = eof;
  module.xColumn = column;
  module.xRowid = rowId;
  return module;
}

constexpr sqlite3_module kModule = makeModule();

} // namespace

CallBatch::CallBatch()
    : columns(tableOf<event::CallEvent>().columns),
      declaration("CREATE TABLE call_batch(" + columnNames<event::CallEvent>() + ")") {}

std::string insertCallsSql() {
  const std::string names = columnNames<event::CallEvent>();
  return "INSERT INTO call_record(" + names + ") SELECT " + names + " FROM call_batch";
}

base::Result<void> registerCallBatchTable(sqlite3 *database, const CallBatch *batch) {
  // SQLite hands the pointer back to `connect`, which makes it const again.
  void *context = const_cast<CallBatch *>(batch);
  if (sqlite3_create_module_v2(database, "call_batch", &kModule, context, nullptr) != SQLITE_OK) {
    return std::unexpected(lastError(database));
  }
  return {};
}

} // namespace jitscope::session
