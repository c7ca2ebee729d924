// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/ids.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

namespace jitscope::event {
class Sink;
} // namespace jitscope::event

namespace jitscope::runtime {

/// Gives out the ids of a run and announces functions and templates to the sink as they come up. Any thread.
class IdRegistry {
public:
  explicit IdRegistry(event::Sink &sink) : m_sink(sink) {}

  /// A new function, even where another has the same name and line.
  base::FunctionId addFunction(const std::string &name, int line, bool eager);
  /// A function of a module from elsewhere: the same id for the same symbol.
  base::FunctionId foreignFunction(const std::string &name, const std::string &symbol);
  /// The template of `function` with this signature; the same id for the same signature.
  base::TemplateId templateOf(base::FunctionId function, const std::string &signature);

  base::CallId nextCall() { return base::CallId(m_calls.fetch_add(1, std::memory_order_relaxed) + 1); }
  base::CompileId nextCompile() { return base::CompileId(m_compiles.fetch_add(1, std::memory_order_relaxed) + 1); }
  base::SectionId nextSection() { return base::SectionId(m_sections.fetch_add(1, std::memory_order_relaxed) + 1); }
  base::StudyId nextStudy() { return base::StudyId(m_studies.fetch_add(1, std::memory_order_relaxed) + 1); }
  base::CaseId nextCase() { return base::CaseId(m_cases.fetch_add(1, std::memory_order_relaxed) + 1); }

  /// For what another process recorded: the first function with this name, line and eagerness, if any.
  [[nodiscard]] base::FunctionId findFunction(const std::string &name, int line, bool eager) const;
  [[nodiscard]] base::TemplateId findTemplate(base::FunctionId function, const std::string &signature) const;

private:
  event::Sink &m_sink;
  std::atomic<std::uint64_t> m_calls{0};
  std::atomic<std::uint32_t> m_compiles{0};
  std::atomic<std::uint32_t> m_sections{0};
  std::atomic<std::uint32_t> m_cases{0};
  std::atomic<std::uint32_t> m_studies{0};

  mutable std::mutex m_mutex; ///< guards what follows
  std::uint32_t m_functions = 0;
  std::uint32_t m_templates = 0;
  std::unordered_map<std::string, base::FunctionId> m_functionByPlace;
  std::unordered_map<std::string, base::FunctionId> m_functionBySymbol;
  std::unordered_map<std::string, base::TemplateId> m_templateBySignature;
};

} // namespace jitscope::runtime
