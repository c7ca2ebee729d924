// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/rows/tables.h"

#include <array>

namespace jitscope::session {

using event::CallEvent;

// What repeats from call to call is stored once, in call_context, together with how many calls that were and how long they took:
// the exact counts that need no reading of calls. A call itself is six short integers. wait_ns and compile_ns are NULL where they
// are 0, as nearly always, since a NULL takes no byte of its own. call_span condenses up to 32 calls to one row, so that ten
// million calls can be drawn without reading them; its context is that of its first call, and its other calls may be of other
// templates (see CallSpan).

template <> const Table<CallContext> &tableOf() {
  using C = Columns<CallContext>;
  static constexpr auto kColumns = std::to_array<Column<CallContext>>({
      C::id<&CallContext::id>("call_context"),
      C::of<[](auto &row) -> auto & { return row.call.templateId; }>("template_id"),
      C::of<[](auto &row) -> auto & { return row.call.sectionId; }>("section_id"),
      C::of<[](auto &row) -> auto & { return row.call.caseId; }>("case_id", "NULL outside `bench`"),
      C::of<[](auto &row) -> auto & { return row.call.leg; }>("leg", "`cold` or `warm`; empty outside `bench`"),
      C::of<[](auto &row) -> auto & { return row.call.phase; }>("phase", "`run` for calls of the script; in a bench `setup`, "
                                                                         "`warmup` or `sample`"),
      C::of<[](auto &row) -> auto & { return row.call.thread; }>("thread"),
      C::process<[](auto &row) -> auto & { return row.call.process; }>("process", "0: the script's own; 1 and more: cold legs"),
      C::of<[](auto &row) -> auto & { return row.call.outcome; }>("outcome"),
      C::count<&CallContext::calls>("calls"),
      C::duration<&CallContext::totalNs>("total_ns", "of all its calls"),
  });
  static constexpr Table<CallContext> kTable{
      "call_context",
      "set of calls that agree in template, section, case, leg, phase, thread, process and outcome: exact counts without reading "
      "the calls",
      kColumns};
  return kTable;
}

template <> const Table<CallEvent> &tableOf() {
  using C = Columns<CallEvent>;
  static constexpr auto kColumns = std::to_array<Column<CallEvent>>({
      C::id<&CallEvent::id>("call_record"),
      C::owner("context_id", "call_context"),
      C::moment<&CallEvent::startNs>("start_ns"),
      C::duration<&CallEvent::lookupNs>("lookup_ns"),
      C::null(C::duration<&CallEvent::waitNs>("wait_ns", "for a compile of another call; NULL: 0")),
      C::null(C::duration<&CallEvent::compileNs>("compile_ns", "tracing included; NULL: 0")),
      C::duration<&CallEvent::executeNs>("execute_ns"),
      C::generated("total_ns", "lookup_ns + coalesce(wait_ns, 0) + coalesce(compile_ns, 0) + execute_ns", "their sum"),
  });
  static constexpr Table<CallEvent> kTable{"call_record", "call; view `call` has it together with its context", kColumns, true};
  return kTable;
}

template <> const Table<CallSpan> &tableOf() {
  using C = Columns<CallSpan>;
  static constexpr auto kColumns = std::to_array<Column<CallSpan>>({
      C::ownId("call_span"),
      C::references(C::of<&CallSpan::contextId>("context_id", "of its first call; the others may be of other templates, so count "
                                                              "calls in `call_context`"),
                    "call_context"),
      C::required<&CallSpan::firstId>("first_id"),
      C::required<&CallSpan::lastId>("last_id", "calls of other spans may lie between"),
      C::moment<&CallSpan::startNs>("start_ns", "of its first call"),
      C::moment<&CallSpan::lastStartNs>("last_start_ns"),
      C::count<&CallSpan::calls>("calls"),
      C::duration<&CallSpan::minNs>("min_ns", "the shortest call"),
      C::duration<&CallSpan::maxNs>("max_ns", "the longest call"),
      C::duration<&CallSpan::totalNs>("total_ns", "of all its calls"),
  });
  static constexpr Table<CallSpan> kTable{
      "call_span", "up to 32 consecutive calls of one thread and outcome; pictures of millions of calls are drawn from it",
      kColumns, true};
  return kTable;
}

} // namespace jitscope::session
