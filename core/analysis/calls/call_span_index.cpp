// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/calls/call_span_index.h"

#include "analysis/query/each_row.h"
#include "base/try.h"
#include "session/file/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>

namespace jitscope::analysis {

namespace {

using session::CallSpan;
using session::Database;
using session::Statement;

std::uint64_t endOf(const CallSpan &span) { return span.lastStartNs + span.maxNs; }

} // namespace

base::Result<void> CallSpanIndex::readContexts(Database &database) {
  const std::string sql = fmt::format("SELECT id, thread, process, outcome, section_id, case_id, leg, phase, {} FROM call_context "
                                      "WHERE id >= {} ORDER BY id",
                                      contextCondition(m_selection), std::max<std::size_t>(m_contexts.size(), 1));
  return eachRow(database, sql, [this](const Statement &row) {
    Context context;
    event::CallEvent &call = context.call;
    call.thread = row.number(1);
    call.process = static_cast<std::uint16_t>(row.integer(2));
    call.outcome = event::outcomeFromName(row.text(3)).value_or(event::Outcome::Hit);
    call.sectionId = base::SectionId(row.number(4));
    call.caseId = base::CaseId(row.number(5));
    call.leg = event::legFromName(row.text(6)).value_or(event::Leg::None);
    call.phase = event::callPhaseFromName(row.text(7)).value_or(event::CallPhase::Run);
    context.selected = row.integer(8) != 0;
    context.outcome = call.outcome;
    const ThreadName name{call.process, call.thread};
    const auto known = std::ranges::find(m_threads, name);
    context.thread = static_cast<std::size_t>(known - m_threads.begin());
    if (known == m_threads.end()) {
      m_threads.push_back(name);
    }
    const auto id = static_cast<std::size_t>(row.integer(0));
    m_contexts.resize(std::max(m_contexts.size(), id + 1));
    m_contexts[id] = context;
  });
}

base::Result<bool> spansHoldAllCalls(Database &database) {
  // Where the spans end with the last call, the writer made them all.
  const auto lastSpan = database.queryInteger("SELECT last_id FROM call_span ORDER BY id DESC LIMIT 1");
  const auto most = database.queryInteger("SELECT max(last_id) FROM (SELECT last_id FROM call_span ORDER BY id DESC LIMIT 1000)");
  const auto lastCall = database.queryInteger("SELECT max(id) FROM call_record");
  if (!lastSpan || !most || !lastCall) {
    return std::unexpected(!lastSpan ? lastSpan.error() : !most ? most.error() : lastCall.error());
  }
  return lastSpan->has_value() && *most == *lastCall;
}

void CallSpanIndex::add(const CallSpan &span) {
  if (m_selection.range && (span.lastStartNs < m_selection.range->fromNs || span.startNs >= m_selection.range->toNs)) {
    return;
  }
  m_spans.push_back(span);
  m_calls += span.calls;
}

base::Result<void> CallSpanIndex::readSpans(Database &database) {
  const std::string sql = fmt::format("SELECT id, context_id, first_id, last_id, start_ns, last_start_ns, calls, min_ns, max_ns, "
                                      "total_ns FROM call_span WHERE id > {} ORDER BY id",
                                      m_lastRow);
  return eachRow(database, sql, [this](const Statement &row) {
    m_lastRow = row.integer(0);
    const std::uint32_t context = row.number(1);
    if (context < m_contexts.size() && m_contexts[context].selected) {
      add({context, base::CallId(row.unsignedInteger(2)), base::CallId(row.unsignedInteger(3)), row.unsignedInteger(4),
           row.unsignedInteger(5), row.number(6), row.unsignedInteger(7), row.unsignedInteger(8), row.unsignedInteger(9)});
    }
  });
}

base::Result<void> CallSpanIndex::condenseCalls(Database &database) {
  constexpr std::size_t kBatch = 8192;
  std::vector<event::CallEvent> calls;
  std::vector<std::uint32_t> contextIds;
  const auto flush = [&] {
    for (const CallSpan &span : m_builder.condense(calls, contextIds)) {
      add(span);
    }
    calls.clear();
    contextIds.clear();
  };
  const std::string sql =
      fmt::format("SELECT id, context_id, start_ns, lookup_ns, wait_ns, compile_ns, execute_ns FROM call_record "
                  "WHERE id > {} AND {} ORDER BY id",
                  m_lastRow, callCondition(m_selection));
  base::Result<void> read = eachRow(database, sql, [&](const Statement &row) {
    m_lastRow = row.integer(0);
    const std::uint32_t context = row.number(1);
    if (context >= m_contexts.size()) {
      return;
    }
    event::CallEvent call = m_contexts[context].call;
    call.id = base::CallId(row.unsignedInteger(0));
    call.startNs = row.unsignedInteger(2);
    call.lookupNs = row.unsignedInteger(3);
    call.waitNs = row.unsignedInteger(4);
    call.compileNs = row.unsignedInteger(5);
    call.executeNs = row.unsignedInteger(6);
    calls.push_back(call);
    contextIds.push_back(context);
    if (calls.size() == kBatch) {
      flush();
    }
  });
  flush();
  return read;
}

void CallSpanIndex::sortFrom(std::size_t first) {
  const auto middle = m_spans.begin() + static_cast<std::ptrdiff_t>(first);
  const auto before = [](const CallSpan &left, const CallSpan &right) {
    return left.startNs != right.startNs ? left.startNs < right.startNs : left.firstId < right.firstId;
  };
  std::sort(middle, m_spans.end(), before);
  // What is new seldom began before what was known.
  const auto overlap = first == 0 || middle == m_spans.end() ? middle : std::upper_bound(m_spans.begin(), middle, *middle, before);
  std::inplace_merge(overlap, middle, m_spans.end(), before);
  const auto changed = static_cast<std::size_t>(overlap - m_spans.begin());
  m_endBefore.resize(m_spans.size());
  std::uint64_t end = changed == 0 ? 0 : m_endBefore[changed - 1];
  for (std::size_t i = changed; i < m_spans.size(); ++i) {
    end = std::max(end, endOf(m_spans[i]));
    m_endBefore[i] = end;
  }
}

base::Result<bool> CallSpanIndex::update(Database &database) {
  JITSCOPE_TRY(const session::ReadSnapshot held, session::ReadSnapshot::begin(database));
  if (!m_decided) {
    const bool isPartial = m_selection.templateId || m_selection.functionId;
    JITSCOPE_TRY(const bool usable, isPartial ? base::Result<bool>(false) : spansHoldAllCalls(database));
    m_fromSpans = usable;
    m_decided = true;
  }
  if (!m_fromSpans) {
    JITSCOPE_TRY(const bool isAppended, m_seen.advance(database));
    if (!isAppended) {
      CallSpanIndex anew(m_selection);
      anew.m_decided = true;
      anew.m_seen = m_seen;
      *this = std::move(anew);
    }
  }
  const std::size_t known = m_spans.size();
  base::Result<void> read = readContexts(database);
  if (read) {
    read = m_fromSpans ? readSpans(database) : condenseCalls(database);
  }
  sortFrom(known);
  if (!read) {
    return std::unexpected(std::move(read.error()));
  }
  return m_spans.size() > known;
}

TimeRange CallSpanIndex::extent() const {
  return m_spans.empty() ? TimeRange{} : TimeRange{m_spans.front().startNs, m_endBefore.back()};
}

std::vector<ProcessStart> CallSpanIndex::processStarts() const {
  std::vector<ProcessStart> starts;
  if (!m_selection.isEmpty()) {
    return starts;
  }
  for (std::size_t i = 0; i < m_spans.size(); ++i) {
    const event::CallEvent &call = m_contexts[m_spans[i].contextId].call;
    // In a merged session the scripts' own processes have numbers, too.
    const bool isOfColdLeg = call.process != 0 && call.leg == event::Leg::Cold;
    if (isOfColdLeg && std::ranges::find(starts, call.process, &ProcessStart::process) == starts.end()) {
      const std::uint64_t start = m_spans[i].startNs;
      starts.push_back({call.process, {i == 0 ? 0 : std::min(m_endBefore[i - 1], start), start}});
    }
  }
  return starts;
}

std::size_t CallSpanIndex::firstTouching(std::uint64_t ns) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(m_endBefore, ns) - m_endBefore.begin());
}

std::pair<base::CallId, base::CallId> CallSpanIndex::idsIn(TimeRange range) const {
  std::pair<base::CallId, base::CallId> ids;
  for (std::size_t i = firstTouching(range.fromNs); i < m_spans.size() && m_spans[i].startNs < range.toNs; ++i) {
    const CallSpan &span = m_spans[i];
    if (span.lastStartNs >= range.fromNs) {
      ids.first = ids.first.isValid() ? std::min(ids.first, span.firstId) : span.firstId;
      ids.second = std::max(ids.second, span.lastId);
    }
  }
  return ids;
}

base::Result<void> CallSpanIndex::addExactMarks(Database &database, const TimeColumns &columns, TimelineView &view,
                                                std::vector<BusyColumns> &busy) const {
  const auto [first, last] = idsIn(view.range);
  MarkCells cells(columns);
  view.calls = 0;
  Selection within = m_selection;
  within.range = view.range;
  if (m_selection.range) {
    within.range->fromNs = std::max(within.range->fromNs, m_selection.range->fromNs);
    within.range->toNs = std::min(within.range->toNs, m_selection.range->toNs);
  }
  // The condition on contexts is known here already; as part of the query it might make SQLite prefer the index on contexts.
  Selection onlyRange;
  onlyRange.range = within.range;
  const std::string sql =
      fmt::format("SELECT id, context_id, start_ns, total_ns FROM call_record WHERE id BETWEEN {} AND {} AND {} ORDER BY id",
                  first.value, last.value, callCondition(onlyRange));
  base::Result<void> read = eachRow(database, sql, [&](const Statement &row) {
    const std::uint32_t id = row.number(1);
    if (id >= m_contexts.size() || !m_contexts[id].selected) {
      return;
    }
    const Context &context = m_contexts[id];
    const std::uint64_t start = row.unsignedInteger(2);
    const std::uint64_t total = row.unsignedInteger(3);
    cells.add(base::CallId(row.unsignedInteger(0)), start, total, context.outcome);
    busy[context.thread].add(static_cast<double>(start), static_cast<double>(start + total), static_cast<double>(total));
    ++view.calls;
  });
  view.marks = cells.marks();
  view.exact = true;
  return read;
}

base::Result<TimelineView> CallSpanIndex::view(Database &database, TimeRange range, std::uint32_t columnCount) const {
  const TimeColumns columns(range, columnCount);
  TimelineView view;
  view.range = columns.range();
  view.columns = columns.count();
  std::vector<BusyColumns> busy(m_threads.size(), BusyColumns(columns));
  const std::size_t first = firstTouching(view.range.fromNs);
  const auto firstAfter = std::ranges::lower_bound(m_spans, view.range.toNs, {}, &CallSpan::startNs);
  const auto end = static_cast<std::size_t>(firstAfter - m_spans.begin());
  for (std::size_t i = first; i < end; ++i) {
    if (m_spans[i].lastStartNs >= view.range.fromNs) {
      view.calls += m_spans[i].calls;
    }
  }
  base::Result<void> added;
  if (view.calls <= kExactCalls) {
    added = addExactMarks(database, columns, view, busy);
  } else {
    MarkColumns marks(columns);
    for (std::size_t i = first; i < end; ++i) {
      const CallSpan &span = m_spans[i];
      const Context &context = m_contexts[span.contextId];
      marks.add(span, context.outcome);
      busy[context.thread].add(static_cast<double>(span.startNs), static_cast<double>(endOf(span)),
                               static_cast<double>(span.totalNs));
    }
    view.marks = marks.marks();
  }
  if (added && view.exact) {
    // Calls that began before the range and still run in it.
    for (std::size_t i = first; i < end && m_spans[i].startNs < view.range.fromNs; ++i) {
      const CallSpan &span = m_spans[i];
      if (span.lastStartNs < view.range.fromNs && endOf(span) > view.range.fromNs) {
        busy[m_contexts[span.contextId].thread].add(static_cast<double>(span.startNs), static_cast<double>(endOf(span)),
                                                    static_cast<double>(span.totalNs));
      }
    }
  }
  if (!added) {
    return std::unexpected(std::move(added.error()));
  }
  // Rows go by name, whichever thread was met first.
  std::vector<std::size_t> order(m_threads.size());
  // NOLINTNEXTLINE(modernize-use-ranges): the library of GCC 12 has no std::ranges::iota
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [this](std::size_t thread) { return m_threads[thread]; });
  for (const std::size_t thread : order) {
    view.threads.push_back(m_threads[thread]);
    view.busy.push_back(busy[thread].shares());
  }
  return view;
}

} // namespace jitscope::analysis
