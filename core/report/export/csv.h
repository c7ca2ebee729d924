// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace jitscope::report {

/// Rows of comma-separated values as in RFC 4180, except that lines end with a line feed alone.
class CsvWriter {
public:
  /// Appends a field to the row: text in quotes where it needs them.
  CsvWriter &text(std::string_view value);
  /// Appends a number, or anything else without special characters.
  CsvWriter &plain(std::string_view value);
  template <typename Number>
    requires std::is_integral_v<Number>
  CsvWriter &number(Number value) {
    separate();
    // As many digits as 64 bits can have, and a sign.
    constexpr std::size_t kMaximum = 21;
    const std::size_t size = m_result.size();
    m_result.resize(size + kMaximum);
    const std::to_chars_result end = std::to_chars(m_result.data() + size, m_result.data() + m_result.size(), value);
    m_result.resize(static_cast<std::size_t>(end.ptr - m_result.data()));
    return *this;
  }
  CsvWriter &number(double value);
  /// Appends a field without content.
  CsvWriter &blank() { return plain({}); }
  void endRow();

  /// All rows since the last `take`.
  [[nodiscard]] std::string take();
  [[nodiscard]] std::size_t size() const { return m_result.size(); }

private:
  void separate();
  std::string m_result;
  bool m_isRowEmpty = true;
};

} // namespace jitscope::report
