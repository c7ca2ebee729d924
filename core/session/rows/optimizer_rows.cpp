// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/rows/optimizer_rows.h"

#include "base/sha256.h"
#include "base/try.h"
#include "session/file/query.h"

#include <array>
#include <utility>
#include <vector>

namespace jitscope::session {

base::Result<OptimizerRows> OptimizerRows::prepare(Database &database) {
  OptimizerRows rows;
  const std::array<std::pair<Statement OptimizerRows::*, const char *>, 6> statements{{
      {&OptimizerRows::m_work,
       "INSERT INTO function_work(compile_id, function_id, optimized, linked, emitted, reused, optimize_ns, emit_ns, code_bytes, "
       "repeat_optimize_ns, repeat_emit_ns, repeat_code_bytes) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"},
      {&OptimizerRows::m_pass, "INSERT INTO pass(compile_id, function_id, unit_id, stage, seq, name, duration_ns, changed, "
                               "fingerprint) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, nullif(?9, 0))"},
      {&OptimizerRows::m_remark,
       "INSERT INTO remark(compile_id, function_id, unit_id, stage, pass_seq, kind, pass, name, function, file, line, column_, "
       "message, callee_id, args) VALUES(?1, ?2, ?3, ?4, nullif(?5, 0), ?6, ?7, ?8, ?9, nullif(?10, ''), nullif(?11, 0), "
       "nullif(?12, 0), ?13, ?14, ?15)"},
      {&OptimizerRows::m_loop,
       "INSERT INTO loop(compile_id, function_id, holder_id, unit_id, symbol, stage, file, line, column_, order_, state, pass, "
       "width, "
       "is_scalable, interleave, reason_name, reason, reason_line, reason_column, instruction, is_reached) VALUES(?1, ?2, ?3, ?4, "
       "?5, ?6, nullif(?7, ''), nullif(?8, 0), nullif(?9, 0), ?10, ?11, ?12, nullif(?13, 0), ?14, ?15, ?16, ?17, nullif(?18, 0), "
       "nullif(?19, 0), ?20, ?21)"},
      {&OptimizerRows::m_ir, "INSERT INTO ir(sha256, text) VALUES(?1, ?2) ON CONFLICT(sha256) DO NOTHING"},
      {&OptimizerRows::m_snapshot, "INSERT INTO ir_snapshot(compile_id, function_id, stage, pass_seq, ir_id) "
                                   "VALUES(?1, ?2, ?3, nullif(?4, 0), (SELECT id FROM ir WHERE sha256 = ?5))"},
  }};
  JITSCOPE_TRY_VOID(prepareAll(database, rows, statements));
  return rows;
}

base::Result<void> OptimizerRows::insert(const event::CompileEvent &compile) {
  const auto addAll = [&](const auto &entries) -> base::Result<void> {
    for (const auto &entry : entries) {
      if (base::Result<void> added = add(compile.id, entry); !added) {
        return added;
      }
    }
    return {};
  };
  base::Result<void> added = addAll(compile.work);
  added = added ? addAll(compile.passes) : added;
  added = added ? addAll(compile.remarks) : added;
  added = added ? addAll(compile.loops) : added;
  return added ? addAll(compile.snapshots) : added;
}

base::Result<void> OptimizerRows::add(base::CompileId compile, const event::FunctionWork &work) {
  m_work.bind(1, compile.value);
  m_work.bindId(2, work.functionId.value);
  m_work.bind(3, work.optimized);
  m_work.bind(4, work.linked);
  m_work.bind(5, work.emitted);
  m_work.bind(6, work.reused);
  m_work.bind(7, work.optimizeNs);
  m_work.bind(8, work.emitNs);
  m_work.bind(9, work.codeBytes);
  m_work.bind(10, work.repeatOptimizeNs);
  m_work.bind(11, work.repeatEmitNs);
  m_work.bind(12, work.repeatCodeBytes);
  return m_work.run();
}

base::Result<void> OptimizerRows::add(base::CompileId compile, const event::PassRun &pass) {
  m_pass.bind(1, compile.value);
  m_pass.bindId(2, pass.functionId.value);
  m_pass.bindId(3, pass.unitId.value);
  m_pass.bind(4, nameOf(pass.stage));
  m_pass.bind(5, pass.seq);
  m_pass.bind(6, pass.name);
  m_pass.bind(7, pass.durationNs);
  m_pass.bind(8, static_cast<int>(pass.changed));
  m_pass.bind(9, pass.fingerprint);
  return m_pass.run();
}

base::Result<void> OptimizerRows::add(base::CompileId compile, const event::Remark &remark) {
  m_remark.bind(1, compile.value);
  m_remark.bindId(2, remark.functionId.value);
  m_remark.bindId(3, remark.unitId.value);
  m_remark.bind(4, nameOf(remark.stage));
  m_remark.bind(5, remark.passSeq);
  m_remark.bind(6, nameOf(remark.kind));
  m_remark.bind(7, remark.pass);
  m_remark.bind(8, remark.name);
  m_remark.bind(9, remark.function);
  m_remark.bind(10, remark.file);
  m_remark.bind(11, remark.line);
  m_remark.bind(12, remark.column);
  m_remark.bind(13, remark.message);
  m_remark.bindId(14, remark.calleeId.value);
  m_remark.bind(15, remark.args);
  return m_remark.run();
}

base::Result<void> OptimizerRows::add(base::CompileId compile, const event::LoopResult &loop) {
  m_loop.bind(1, compile.value);
  m_loop.bindId(2, loop.functionId.value);
  m_loop.bindId(3, loop.holderId.value);
  m_loop.bindId(4, loop.unitId.value);
  m_loop.bind(5, loop.symbol);
  m_loop.bind(6, nameOf(loop.stage));
  m_loop.bind(7, loop.file);
  m_loop.bind(8, loop.line);
  m_loop.bind(9, loop.column);
  m_loop.bind(10, loop.order);
  m_loop.bind(11, nameOf(loop.state));
  m_loop.bind(12, loop.pass);
  m_loop.bind(13, loop.width);
  m_loop.bind(14, static_cast<int>(loop.isScalable));
  m_loop.bind(15, loop.interleave);
  m_loop.bind(16, loop.reasonName);
  m_loop.bind(17, loop.reason);
  m_loop.bind(18, loop.reasonLine);
  m_loop.bind(19, loop.reasonColumn);
  m_loop.bind(20, loop.instruction);
  m_loop.bind(21, static_cast<int>(loop.isReached));
  return m_loop.run();
}

base::Result<void> OptimizerRows::add(base::CompileId compile, const event::IrSnapshot &snapshot) {
  // Here and not where the text was taken, for that thread is compiling.
  const std::string sha256 = base::sha256Of(snapshot.text);
  m_ir.bind(1, sha256);
  m_ir.bind(2, snapshot.text);
  if (base::Result<void> added = m_ir.run(); !added) {
    return added;
  }
  m_snapshot.bind(1, compile.value);
  m_snapshot.bindId(2, snapshot.functionId.value);
  m_snapshot.bind(3, nameOf(snapshot.stage));
  m_snapshot.bind(4, snapshot.passSeq);
  m_snapshot.bind(5, sha256);
  return m_snapshot.run();
}

} // namespace jitscope::session
