// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/dispatch/function_table.h"

#include "runtime/dispatch/id_registry.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace jitscope::runtime {

base::FunctionId FunctionTable::add(IdRegistry &ids, std::string name, int line, bool eager,
                                    std::unique_ptr<script::GraphSource> source) {
  const std::lock_guard lock(m_mutex);
  const base::FunctionId id = ids.addFunction(name, line, eager);
  m_functions.resize(std::max<std::size_t>(m_functions.size(), id.value));
  m_functions[id.value - 1] = {std::move(name), std::move(source)};
  return id;
}

FunctionTable::Function &FunctionTable::of(base::FunctionId id) {
  const std::lock_guard lock(m_mutex);
  return m_functions[id.value - 1];
}

} // namespace jitscope::runtime
