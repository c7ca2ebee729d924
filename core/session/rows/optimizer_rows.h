// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "event/event.h"
#include "session/file/database.h"

namespace jitscope::session {

/// Writes what hangs on a compile: the work on each function, passes, remarks, loops and IR, whose equal texts are kept once.
class OptimizerRows {
public:
  /// `database` must outlive the object and hold the tables of `schemaSql`.
  [[nodiscard]] static base::Result<OptimizerRows> prepare(Database &database);

  /// Adds the rows of `compile`, whose own row is there already, within whatever transaction is open.
  [[nodiscard]] base::Result<void> insert(const event::CompileEvent &compile);

private:
  OptimizerRows() = default;
  base::Result<void> add(base::CompileId compile, const event::FunctionWork &work);
  base::Result<void> add(base::CompileId compile, const event::PassRun &pass);
  base::Result<void> add(base::CompileId compile, const event::Remark &remark);
  base::Result<void> add(base::CompileId compile, const event::LoopResult &loop);
  base::Result<void> add(base::CompileId compile, const event::IrSnapshot &snapshot);

  Statement m_work;
  Statement m_pass;
  Statement m_remark;
  Statement m_loop;
  Statement m_ir;
  Statement m_snapshot;
};

} // namespace jitscope::session
