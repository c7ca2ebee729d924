// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/file/consistency_check.h"

#include "base/try.h"
#include "session/file/database.h"
#include "session/file/query.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace jitscope::session {

namespace {

/// A condition that no row of a run meets.
struct Contradiction {
  std::string_view condition; ///< SQL over the columns of its rows
  std::string_view complaint; ///< follows "table T, id N: "
};

/// Rows that are read once for all of their rules.
struct RuleSet {
  std::string_view table; ///< for the message
  std::string_view id;    ///< SQL that names a row in the message
  std::string_view rows;  ///< what is read: the table, joined with what it is compared with
  CheckedTables of = CheckedTables::Small;
  std::span<const Contradiction> rules;
};

// Comparisons with NULL hold for no row: `ended_ns` of a session that runs or does not know its end, and columns of a call that is
// not there, since a call is recorded when it ends.
constexpr std::array kSessionRules{
    Contradiction{"options <> '' AND iif(json_valid(options), json_type(options) <> 'object', 1)",
                  "column options is not a JSON object"},
    Contradiction{"started_utc <> '' AND strftime('%s', started_utc) IS NULL", "column started_utc is not a time"},
    Contradiction{"call_overhead_ns > 1e9", "column call_overhead_ns: recording a call cannot take longer than a second"},
    Contradiction{"clock_read_ns > 1e9", "column clock_read_ns: reading the clock cannot take longer than a second"},
};
constexpr std::array kMomentRules{
    Contradiction{"at_ns > ended_ns", "its time is after the end of the session"},
};
constexpr std::array kSectionRules{
    Contradiction{"start_ns > ended_ns", "it begins after the end of the session"},
};
constexpr std::array kMemoryRules{
    Contradiction{"at_ns > ended_ns", "its time is after the end of the session"},
    Contradiction{"tensor_live_bytes > tensor_peak_bytes", "more bytes of tensors are live than at the peak"},
};
constexpr std::array kContextRules{
    Contradiction{"template_id IS NULL", "its calls have no template"},
    Contradiction{"(phase = 'run') <> (case_id IS NULL)",
                  "its phase does not go with its case: calls of a case are not calls of the script"},
    Contradiction{"(leg = '') <> (case_id IS NULL)", "its leg does not go with its case"},
};
constexpr std::array kCompileRules{
    Contradiction{"m.template_id IS NULL AND m.study_id IS NULL", "it has no template"},
    Contradiction{"m.trace_ns + m.lower_ns + m.optimize_ns + m.codegen_ns + m.link_ns > m.total_ns",
                  "its phases take longer than the whole compile"},
    Contradiction{"m.start_ns + m.total_ns > s.ended_ns", "it ends after the session"},
    Contradiction{"m.study_id IS NULL AND m.repetition <> 0", "it is a repetition, but of no study"},
    Contradiction{"m.call_id IS NOT NULL AND m.study_id IS NOT NULL", "it belongs to a study and to a call"},
    Contradiction{"c.outcome NOT IN (SELECT name FROM outcome WHERE paid)", "its call did not compile"},
    Contradiction{"c.template_id <> m.template_id", "its call is of another template"},
    Contradiction{"c.process <> m.process", "its call is of another process"},
    Contradiction{"m.total_ns > coalesce(r.compile_ns, 0) AND r.id IS NOT NULL",
                  "it takes longer than its call spent on compiling"},
    Contradiction{"m.start_ns < r.start_ns OR m.start_ns + m.total_ns > r.start_ns + r.total_ns",
                  "it does not lie within its call"},
};
constexpr std::array kRetrievalRules{
    Contradiction{"t.template_id IS NULL", "it has no template"},
    Contradiction{"c.outcome <> t.outcome", "its call has another outcome"},
    Contradiction{"c.template_id <> t.template_id", "its call is of another template"},
    Contradiction{"c.process <> t.process", "its call is of another process"},
    Contradiction{"t.trace_ns + t.load_ns > r.total_ns", "it takes longer than its call"},
    Contradiction{"t.start_ns + t.trace_ns + t.load_ns > s.ended_ns", "it ends after the session"},
};
constexpr std::array kResultRules{
    Contradiction{"m.study_id IS NOT r.study_id OR m.pipeline <> r.pipeline", "its compile is of another study or pipeline"},
    Contradiction{"m.code_bytes <> r.code_bytes", "its compile has another number of bytes of code"},
};
constexpr std::array kCallRules{
    Contradiction{"r.start_ns + r.total_ns > s.ended_ns", "it ends after the session"},
    Contradiction{"r.wait_ns IS NOT NULL AND c.outcome <> 'wait'", "it waited for a compile, which its outcome does not say"},
    Contradiction{"r.compile_ns IS NOT NULL AND c.outcome = 'hit'", "it compiled, which its outcome does not say"},
};
constexpr std::array kPassRules{
    Contradiction{"p.ns > m.optimize_ns", "its passes take longer than its phase optimize"},
};
constexpr std::array kWorkRules{
    Contradiction{"w.optimize_ns > m.optimize_ns", "optimizing its functions takes longer than its phase optimize"},
    Contradiction{"w.emit_ns > m.codegen_ns", "emitting its functions takes longer than its phase codegen"},
    Contradiction{"w.has_repeats", "more time or code goes to copies of a function than to the function"},
};

constexpr std::array kRuleSets{
    RuleSet{"session", "1", "session", CheckedTables::Small, kSessionRules},
    RuleSet{"section", "id", "section, session", CheckedTables::Small, kSectionRules},
    RuleSet{"memory", "memory.rowid", "memory, session", CheckedTables::Small, kMemoryRules},
    RuleSet{"eviction", "eviction.rowid", "eviction, session", CheckedTables::Small, kMomentRules},
    RuleSet{"log", "log.rowid", "log, session", CheckedTables::Small, kMomentRules},
    RuleSet{"call_context", "id", "call_context", CheckedTables::Small, kContextRules},
    RuleSet{"compile", "m.id",
            "compile m LEFT JOIN call_record r ON r.id = m.call_id LEFT JOIN call_context c ON c.id = r.context_id, session s",
            CheckedTables::Small, kCompileRules},
    RuleSet{"retrieval", "t.id",
            "retrieval t LEFT JOIN call_record r ON r.id = t.call_id LEFT JOIN call_context c ON c.id = r.context_id, session s",
            CheckedTables::Small, kRetrievalRules},
    RuleSet{"study_result", "r.study_id", "study_result r JOIN compile m ON m.id = r.compile_id", CheckedTables::Small,
            kResultRules},
    RuleSet{"call_record", "r.id", "call_record r JOIN call_context c ON c.id = r.context_id, session s", CheckedTables::All,
            kCallRules},
    RuleSet{"compile", "m.id",
            "(SELECT compile_id, sum(duration_ns) AS ns FROM pass GROUP BY compile_id) p JOIN compile m ON m.id = p.compile_id",
            CheckedTables::All, kPassRules},
    RuleSet{"compile", "m.id",
            "(SELECT compile_id, sum(optimize_ns) AS optimize_ns, sum(emit_ns) AS emit_ns, max(repeat_optimize_ns > optimize_ns OR "
            "repeat_emit_ns > emit_ns OR repeat_code_bytes > code_bytes) AS has_repeats FROM function_work GROUP BY compile_id) w "
            "JOIN compile m ON m.id = w.compile_id",
            CheckedTables::All, kWorkRules},
};

/// The first row that breaks a rule, and the number of that rule.
std::string sqlOf(const RuleSet &set) {
  std::string cases;
  std::string any;
  for (std::size_t i = 0; i < set.rules.size(); ++i) {
    cases += fmt::format(" WHEN {} THEN {}", set.rules[i].condition, i);
    any += fmt::format("{}({})", i == 0 ? "" : " OR ", set.rules[i].condition);
  }
  return fmt::format("SELECT {}, CASE{} END FROM {} WHERE {} LIMIT 1", set.id, cases, set.rows, any);
}

} // namespace

base::Result<void> checkConsistency(Database &database, CheckedTables tables) {
  for (const RuleSet &set : kRuleSets) {
    if (set.of == CheckedTables::All && tables != CheckedTables::All) {
      continue;
    }
    JITSCOPE_TRY(Statement select, database.prepare(sqlOf(set)));
    JITSCOPE_TRY(const bool found, select.step());
    if (found) {
      return base::fail(base::ErrorCode::StorageCorrupt,
                        fmt::format("table {}, id {}: {}", set.table, select.integer(0),
                                    set.rules[static_cast<std::size_t>(select.integer(1))].complaint));
    }
  }
  return {};
}

} // namespace jitscope::session
