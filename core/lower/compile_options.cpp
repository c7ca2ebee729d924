// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/compile_options.h"
#include "lower/key_fields.h"

#include <fmt/format.h>

namespace jitscope::lower {

namespace {

std::string onOff(bool value) { return value ? "on" : "off"; }

} // namespace

std::vector<KeyField> keyFieldsOf(const CompileOptions &options) {
  return {{"pipeline", options.pipeline},
          {"opt", std::to_string(options.opt)},
          {"slp", onOff(options.slp)},
          {"loop_vectorize", onOff(options.loopVectorize)},
          {"veclib", onOff(options.veclib)},
          {"fast_math", onOff(options.fastMath)},
          {"cpu", options.cpu}};
}

std::string changeText(const std::string &name, const std::string &before, const std::string &after) {
  return fmt::format("{}: {} -> {}", name, before, after);
}

std::string toText(const CompileOptions &options) {
  std::string text;
  for (const KeyField &field : keyFieldsOf(options)) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", field.name, field.value);
  }
  return text;
}

std::string differenceOf(const CompileOptions &before, const CompileOptions &after) {
  const std::vector<KeyField> old = keyFieldsOf(before);
  const std::vector<KeyField> fresh = keyFieldsOf(after);
  std::string text;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old[i].value != fresh[i].value) {
      text += (text.empty() ? "" : "; ") + changeText(old[i].name, old[i].value, fresh[i].value);
    }
  }
  return text;
}

} // namespace jitscope::lower
