// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/export/csv.h"

#include <fmt/format.h>

#include <utility>

namespace jitscope::report {

void CsvWriter::separate() {
  if (!m_isRowEmpty) {
    m_result += ',';
  }
  m_isRowEmpty = false;
}

CsvWriter &CsvWriter::text(std::string_view value) {
  separate();
  if (value.find_first_of("\",\r\n") == std::string_view::npos) {
    m_result += value;
    return *this;
  }
  m_result += '"';
  for (const char c : value) {
    if (c == '"') {
      m_result += '"';
    }
    m_result += c;
  }
  m_result += '"';
  return *this;
}

CsvWriter &CsvWriter::plain(std::string_view value) {
  separate();
  m_result += value;
  return *this;
}

CsvWriter &CsvWriter::number(double value) { return plain(fmt::format("{}", value)); }

void CsvWriter::endRow() {
  m_result += '\n';
  m_isRowEmpty = true;
}

std::string CsvWriter::take() { return std::exchange(m_result, {}); }

} // namespace jitscope::report
