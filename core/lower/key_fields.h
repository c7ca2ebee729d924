// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace jitscope::lower {

struct CompileOptions;

/// One thing that code depends on: its name, as scripts and messages spell it, and its value.
struct KeyField {
  std::string name;
  std::string value;
  friend bool operator==(const KeyField &, const KeyField &) = default;
};

/// Every compile option, in its canonical order.
std::vector<KeyField> keyFieldsOf(const CompileOptions &options);

/// "opt: 3 -> 2"
std::string changeText(const std::string &name, const std::string &before, const std::string &after);

} // namespace jitscope::lower
