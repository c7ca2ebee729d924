// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>

namespace jitscope::script {

/// Undoes something when the scope ends, whether by a return or by a Lua error that unwinds it.
template <typename Undo> class Finally {
public:
  explicit Finally(Undo undo) : m_undo(std::move(undo)) {}
  ~Finally() { m_undo(); }
  Finally(const Finally &) = delete;
  Finally &operator=(const Finally &) = delete;

private:
  Undo m_undo;
};

} // namespace jitscope::script
