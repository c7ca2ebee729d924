// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/document.h"

namespace jitscope::report {

const DocumentCell &DocumentTable::cell(std::size_t row, std::size_t column) const {
  static const DocumentCell kNone("");
  return column < rows[row].size() ? rows[row][column] : kNone;
}

std::vector<std::size_t> DocumentTable::columnsWhere(bool isBelow) const {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if ((columns[i].layout == ColumnLayout::Below) == isBelow) {
      result.push_back(i);
    }
  }
  return result;
}

} // namespace jitscope::report
