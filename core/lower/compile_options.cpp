// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/compile_options.h"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace jitscope::lower {

namespace {

struct Field {
  std::string_view name;
  std::string value;
};

std::string onOff(bool value) { return value ? "on" : "off"; }

/// Every option in its canonical order, by the names that scripts use.
std::array<Field, 7> fieldsOf(const CompileOptions &options) {
  return {Field{"pipeline", options.pipeline},
          Field{"opt", std::to_string(options.opt)},
          Field{"slp", onOff(options.slp)},
          Field{"loop_vectorize", onOff(options.loopVectorize)},
          Field{"veclib", onOff(options.veclib)},
          Field{"fast_math", onOff(options.fastMath)},
          Field{"cpu", options.cpu}};
}

} // namespace

std::string toText(const CompileOptions &options) {
  std::string text;
  for (const Field &field : fieldsOf(options)) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", field.name, field.value);
  }
  return text;
}

std::string differenceOf(const CompileOptions &before, const CompileOptions &after) {
  const auto old = fieldsOf(before);
  const auto fresh = fieldsOf(after);
  std::string text;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old[i].value != fresh[i].value) {
      text += fmt::format("{}{}: {} -> {}", text.empty() ? "" : "; ", old[i].name, old[i].value, fresh[i].value);
    }
  }
  return text;
}

} // namespace jitscope::lower
