// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/code/ir_text.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace jitscope::analysis {

/// Names for the definitions of two texts: equal for corresponding ones, different otherwise. Named are locals, blocks, numbered
/// symbols, metadata and attribute groups, each told by its sigil.
class IrNames {
public:
  /// Names a thing that both sides have, each under its own name.
  void addPair(std::string_view left, std::string_view right);
  void addLeft(std::string_view name);
  void addRight(std::string_view name);

  /// What a token is called now; itself where it was never added.
  [[nodiscard]] const std::string &left(const std::string &name) const { return lookUp(m_left, name); }
  [[nodiscard]] const std::string &right(const std::string &name) const { return lookUp(m_right, name); }

private:
  using Map = std::unordered_map<std::string, std::string>;
  static const std::string &lookUp(const Map &map, const std::string &name) {
    const auto found = map.find(name);
    return found == map.end() ? name : found->second;
  }
  std::string nameAlone(std::string_view name);
  std::string unused(const std::string &wanted);
  std::string numbered(char sigil);

  Map m_left;
  Map m_right;
  std::unordered_set<std::string> m_used;
  std::unordered_map<std::string, std::size_t> m_nextSuffix;
  std::unordered_map<char, std::size_t> m_nextNumber;
};

} // namespace jitscope::analysis
