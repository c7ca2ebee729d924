// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff_tables.h"

#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <set>

namespace jitscope::ui {

namespace {

QString diffWords(const char *text) { return QCoreApplication::translate("diff", text); }

} // namespace

std::vector<Column<SideRemark>> sideRemarkColumns() {
  using Row = SideRemark;
  return {
      {diffWords("Side"),
       {},
       false,
       [](const Row &row) { return row.isLeft ? diffWords("− left only") : diffWords("+ right only"); },
       {},
       {},
       {}},
      {diffWords("Line"),
       {},
       true,
       [](const Row &row) { return row.remark.line == 0 ? QString() : QString::number(row.remark.line); },
       [](const Row &row) { return QVariant(row.remark.line); },
       {},
       {}},
      {diffWords("Kind"), {}, false, [](const Row &row) { return toText(nameOf(row.remark.kind)); }, {}, {}, {}},
      {diffWords("Pass"), {}, false, [](const Row &row) { return lineText(row.remark.pass); }, {}, {}, {}},
      {diffWords("Message"), {}, false, [](const Row &row) { return lineText(row.remark.message, 1000); }, {}, {}, {}},
  };
}

std::vector<Column<PassRow>> passRowColumns() {
  using Row = PassRow;
  return {
      {diffWords("#"),
       {},
       true,
       [](const Row &row) { return QString::number(row.pass.seq); },
       [](const Row &row) { return QVariant(row.pass.seq); },
       {},
       {}},
      {diffWords("Pass"),
       diffWords("In the order they ran, those that may have changed the code marked"),
       false,
       [](const Row &row) { return (row.pass.changed ? QStringLiteral("● ") : QStringLiteral("   ")) + lineText(row.pass.name); },
       [](const Row &row) { return QVariant(toText(row.pass.name)); },
       {},
       {}},
      {diffWords("Time"),
       {},
       true,
       [](const Row &row) { return durationText(static_cast<double>(row.pass.durationNs)); },
       [](const Row &row) { return numberValue(row.pass.durationNs); },
       {},
       {}},
  };
}

std::vector<SideRemark> differing(const std::vector<analysis::RemarkGroup> &left, const std::vector<analysis::RemarkGroup> &right) {
  const auto keysOf = [](const std::vector<analysis::RemarkGroup> &remarks) {
    std::set<decltype(remarks.front().key())> keys;
    for (const analysis::RemarkGroup &remark : remarks) {
      keys.insert(remark.key());
    }
    return keys;
  };
  const auto inLeft = keysOf(left);
  const auto inRight = keysOf(right);
  std::vector<SideRemark> rows;
  for (const analysis::RemarkGroup &remark : left) {
    if (!inRight.contains(remark.key())) {
      rows.push_back({true, remark});
    }
  }
  for (const analysis::RemarkGroup &remark : right) {
    if (!inLeft.contains(remark.key())) {
      rows.push_back({false, remark});
    }
  }
  return rows;
}

} // namespace jitscope::ui
