// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/dispatch/id_registry.h"

#include "event/sink.h"

#include <fmt/format.h>

namespace jitscope::runtime {

namespace {

std::string placeKey(const std::string &name, int line, bool eager) { return fmt::format("{} {} {}", line, eager, name); }
std::string signatureKey(base::FunctionId function, const std::string &signature) {
  return fmt::format("{} {}", function.value, signature);
}

} // namespace

base::FunctionId IdRegistry::addFunction(const std::string &name, int line, bool eager) {
  // Announced under the lock: whoever learns the id afterwards records after this.
  const std::lock_guard lock(m_mutex);
  const base::FunctionId id(++m_functions);
  m_functionByPlace.emplace(placeKey(name, line, eager), id);
  m_sink.record(event::FunctionEvent{id, name, line, eager});
  return id;
}

base::FunctionId IdRegistry::foreignFunction(const std::string &name, const std::string &symbol) {
  const std::lock_guard lock(m_mutex);
  base::FunctionId &id = m_functionBySymbol[symbol];
  if (!id.isValid()) {
    id = base::FunctionId(++m_functions);
    m_sink.record(event::FunctionEvent{id, name, 0, false, symbol});
  }
  return id;
}

base::TemplateId IdRegistry::templateOf(base::FunctionId function, const std::string &signature) {
  const std::lock_guard lock(m_mutex);
  base::TemplateId &id = m_templateBySignature[signatureKey(function, signature)];
  if (!id.isValid()) {
    id = base::TemplateId(++m_templates);
    m_sink.record(event::TemplateEvent{id, function, signature});
  }
  return id;
}

base::FunctionId IdRegistry::findFunction(const std::string &name, int line, bool eager) const {
  const std::lock_guard lock(m_mutex);
  const auto found = m_functionByPlace.find(placeKey(name, line, eager));
  return found == m_functionByPlace.end() ? base::FunctionId() : found->second;
}

base::TemplateId IdRegistry::findTemplate(base::FunctionId function, const std::string &signature) const {
  const std::lock_guard lock(m_mutex);
  const auto found = m_templateBySignature.find(signatureKey(function, signature));
  return found == m_templateBySignature.end() ? base::TemplateId() : found->second;
}

} // namespace jitscope::runtime
