// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/code/ir_names.h"

namespace jitscope::analysis {

namespace {

/// Whether the name is a number, or the stand-in for one.
bool hasNoName(std::string_view name) { return isNumbered(name) || name == kEntryLocal; }

/// Without what the inliner appends: ".i", and digits after it where that was taken.
std::string_view withoutInlining(std::string_view name) {
  for (;;) {
    const std::size_t dot = name.rfind(".i");
    if (dot == std::string_view::npos || dot < 2) {
      return name;
    }
    if (name.find_first_not_of("0123456789", dot + 2) != std::string_view::npos) {
      return name;
    }
    name = name.substr(0, dot);
  }
}

} // namespace

void IrNames::addPair(std::string_view left, std::string_view right) {
  const bool knowsLeft = m_left.contains(std::string(left));
  const bool knowsRight = m_right.contains(std::string(right));
  if (knowsLeft || knowsRight) {
    // One of them already stands for another thing.
    addLeft(left);
    addRight(right);
    return;
  }
  std::string name;
  if (left == kEntryLocal || right == kEntryLocal) {
    name = unused(hasNoName(left) && hasNoName(right) ? std::string("%entry") : std::string(hasNoName(left) ? right : left));
  } else if (hasNoName(left) && hasNoName(right)) {
    name = numbered(left.front());
  } else if (hasNoName(left) || hasNoName(right)) {
    name = unused(std::string(withoutInlining(hasNoName(left) ? right : left)));
  } else {
    name = unused(std::string(left == right ? left : withoutInlining(left)));
  }
  m_left.emplace(left, name);
  m_right.emplace(right, name);
}

void IrNames::addLeft(std::string_view name) {
  if (!m_left.contains(std::string(name))) {
    m_left.emplace(name, nameAlone(name));
  }
}

void IrNames::addRight(std::string_view name) {
  if (!m_right.contains(std::string(name))) {
    m_right.emplace(name, nameAlone(name));
  }
}

std::string IrNames::nameAlone(std::string_view name) {
  if (name == kEntryLocal) {
    return unused("%entry");
  }
  return hasNoName(name) ? numbered(name.front()) : unused(std::string(withoutInlining(name)));
}

std::string IrNames::unused(const std::string &wanted) {
  if (m_used.insert(wanted).second) {
    return wanted;
  }
  std::size_t &suffix = m_nextSuffix.try_emplace(wanted, 1).first->second;
  for (;;) {
    std::string name = wanted + '.' + std::to_string(++suffix);
    if (m_used.insert(name).second) {
      return name;
    }
  }
}

std::string IrNames::numbered(char sigil) {
  std::size_t &next = m_nextNumber[sigil];
  return unused(sigil + std::to_string(next++));
}

} // namespace jitscope::analysis
