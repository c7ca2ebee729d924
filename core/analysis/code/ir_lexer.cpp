// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/code/ir_lexer.h"

#include <algorithm>

namespace jitscope::analysis {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameCharacter(char c) {
  return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '$' || c == '.' || c == '_' || c == '-';
}
bool isWordCharacter(char c) { return isNameCharacter(c) || c == '+'; }

/// Tokens of a line, more or less.
constexpr std::size_t kUsualCount = 32;

class Lexer {
public:
  explicit Lexer(std::string_view line) : m_line(line) {}

  std::vector<IrToken> run() {
    m_tokens.reserve(kUsualCount);
    label();
    while (m_at < m_line.size() && m_line[m_at] != ';') {
      next();
    }
    while (!m_tokens.empty() && m_tokens.back().kind == IrTokenKind::Space) {
      m_tokens.pop_back();
    }
    return std::move(m_tokens);
  }

private:
  void add(IrTokenKind kind, std::size_t end) {
    m_tokens.push_back({kind, std::string(m_line.substr(m_at, end - m_at))});
    m_at = end;
  }
  template <typename Predicate> std::size_t endOf(std::size_t at, Predicate belongs) const {
    while (at < m_line.size() && belongs(m_line[at])) {
      ++at;
    }
    return at;
  }
  /// Past the closing quote, or the line's end. There are no escaped quotes: they are written \22.
  std::size_t endOfText(std::size_t quote) const {
    const std::size_t closing = m_line.find('"', quote + 1);
    return closing == std::string_view::npos ? m_line.size() : closing + 1;
  }
  std::size_t endOfName(std::size_t at) const {
    return at < m_line.size() && m_line[at] == '"' ? endOfText(at) : endOf(at, isNameCharacter);
  }

  /// Past "<4 x double>" or "<vscale x 2 x i64>"; 0 where none begins here.
  std::size_t endOfVectorType() const {
    const std::string_view rest = m_line.substr(m_at);
    if (!rest.starts_with('<') || rest.size() < 2 || !(isDigit(rest[1]) || rest.starts_with("<vscale x "))) {
      return 0;
    }
    const std::size_t close = rest.find_first_of("<>{}[]", 1);
    return close == std::string_view::npos || rest[close] != '>' ? 0 : m_at + close + 1;
  }

  /// "name:" at the line's beginning.
  void label() {
    const std::size_t end = endOfName(0);
    if (end > 0 && end < m_line.size() && m_line[end] == ':') {
      m_tokens.push_back({IrTokenKind::Label, '%' + std::string(m_line.substr(0, end))});
      m_at = end + 1;
    }
  }

  void next() {
    const char c = m_line[m_at];
    const std::size_t after = m_at + 1;
    if (c == ' ' || c == '\t') {
      const bool isIndentation = m_at == 0;
      add(IrTokenKind::Space, endOf(m_at, [](char space) { return space == ' ' || space == '\t'; }));
      if (!isIndentation) {
        m_tokens.back().text.assign(1, ' ');
      }
    } else if (c == '"') {
      add(IrTokenKind::Text, endOfText(m_at));
    } else if ((c == '%' || c == '@') && endOfName(after) > after) {
      add(c == '%' ? IrTokenKind::Local : IrTokenKind::Global, endOfName(after));
    } else if ((c == '!' || c == '#') && endOf(after, isNameCharacter) > after) {
      const std::size_t end = endOf(after, isNameCharacter);
      const std::string_view name = m_line.substr(after, end - after);
      const IrTokenKind numbered = c == '!' ? IrTokenKind::Metadata : IrTokenKind::AttributeGroup;
      add(std::ranges::all_of(name, isDigit) ? numbered : IrTokenKind::Word, end);
    } else if (const std::size_t end = endOfVectorType(); end > 0) {
      add(IrTokenKind::Word, end);
    } else if (isWordCharacter(c)) {
      add(IrTokenKind::Word, endOf(m_at, isWordCharacter));
    } else {
      add(IrTokenKind::Punctuation, after);
    }
  }

  std::string_view m_line;
  std::size_t m_at = 0;
  std::vector<IrToken> m_tokens;
};

} // namespace

std::vector<IrToken> lexIrLine(std::string_view line) { return Lexer(line).run(); }

} // namespace jitscope::analysis
