// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cache/executable_cache.h"
#include "lower/compile_options.h"
#include "pipeline/observe/observation.h"
#include "runtime/dispatch/call_key.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace jitscope::runtime {

/// How calls are served from now on.
struct DispatchOptions {
  lower::CompileOptions compile = {};
  TemplateMode templateMode = TemplateMode::Exact;
  cache::CacheOptions cache = {};
  bool usesDisk = false;
  pipeline::Observation observation = {};
};

/// The options in force, with their text and its hash at hand for the keys of calls, and all that were in force before.
class OptionsInForce {
public:
  OptionsInForce() { set({}); }
  /// Not while other threads call.
  void set(const DispatchOptions &options);

  [[nodiscard]] const DispatchOptions &options() const { return m_options; }
  /// The compile options, as `lower::toText` writes them.
  [[nodiscard]] const std::string &text() const { return m_text; }
  [[nodiscard]] base::Hash128 keyOf(base::FunctionId function, std::span<const script::Argument> arguments) const {
    return callKeyOf(function, m_key, m_options.templateMode, arguments);
  }
  /// How the compile options differ from earlier ones, given by their text.
  [[nodiscard]] std::string differenceFrom(const std::string &known) const {
    return lower::differenceOf(m_known.at(known), m_options.compile);
  }

private:
  DispatchOptions m_options;
  std::string m_text;
  std::uint64_t m_key = 0;
  std::unordered_map<std::string, lower::CompileOptions> m_known; ///< by their text
};

} // namespace jitscope::runtime
