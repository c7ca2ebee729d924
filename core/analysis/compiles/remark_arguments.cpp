// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compiles/remark_arguments.h"

#include <nlohmann/json.hpp>

namespace jitscope::analysis {

std::string argumentOf(const event::Remark &remark, std::string_view key) {
  const nlohmann::json arguments = nlohmann::json::parse(remark.args, nullptr, false);
  if (!arguments.is_array()) {
    return {};
  }
  for (const nlohmann::json &argument : arguments) {
    if (!argument.is_object()) {
      continue;
    }
    const auto name = argument.find("key");
    const auto value = argument.find("value");
    if (name != argument.end() && value != argument.end() && name->is_string() && value->is_string() &&
        name->get_ref<const std::string &>() == key) {
      return value->get<std::string>();
    }
  }
  return {};
}

} // namespace jitscope::analysis
