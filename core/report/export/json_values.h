// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace jitscope::report {

/// The number of an id, null for none.
template <typename IdType> nlohmann::ordered_json idOrNull(IdType id) {
  return id.isValid() ? nlohmann::ordered_json(id.value) : nlohmann::ordered_json(nullptr);
}

/// The text, null for an empty one.
inline nlohmann::ordered_json textOrNull(const std::string &text) {
  return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}

} // namespace jitscope::report
