// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/calls/seen_calls.h"

#include "base/try.h"
#include "session/file/database.h"

#include <fmt/format.h>

#include <optional>

namespace jitscope::analysis {

base::Result<bool> SeenCalls::advance(session::Database &database) {
  using Number = std::optional<std::int64_t>;
  // Contexts hold the numbers of their calls, so that none of those has to be read.
  JITSCOPE_TRY(const Number all, database.queryInteger("SELECT sum(calls) FROM call_context"));
  JITSCOPE_TRY(const Number last, database.queryInteger("SELECT max(id) FROM call_record"));
  const std::int64_t before = m_count;
  Number newer = all;
  if (m_lastId > 0) {
    JITSCOPE_TRY(newer, database.queryInteger(fmt::format("SELECT count(*) FROM call_record WHERE id > {}", m_lastId)));
  }
  m_count = all.value_or(0);
  m_lastId = last.value_or(0);
  return before + newer.value_or(0) == m_count;
}

} // namespace jitscope::analysis
