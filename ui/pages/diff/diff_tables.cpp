// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/diff_tables.h"

#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <map>
#include <utility>

namespace jitscope::ui {

namespace {

QString diffWords(const char *text) { return QCoreApplication::translate("diff", text); }

QString markOf(PassEffect effect) {
  return effect == PassEffect::Code   ? QStringLiteral("● ")
         : effect == PassEffect::Rest ? QStringLiteral("○ ")
                                      : QStringLiteral("   ");
}

} // namespace

QString passMarksText() {
  return diffWords("● may have changed instructions\n"
                   "○ changed only flags, attributes or metadata; the boxes above hide the last two");
}

std::vector<PassRow> passesOver(base::FunctionId function, const std::vector<session::PassRow> &passes,
                                const std::set<std::uint32_t> &kept) {
  std::vector<PassRow> rows;
  std::map<base::FunctionId, std::uint64_t> fingerprints; // of the function in the modules of units
  for (const session::PassRow &row : passes) {
    const event::PassRun &pass = row.part;
    if (pass.functionId != function && pass.functionId.isValid()) {
      continue;
    }
    PassEffect effect = pass.changed ? PassEffect::Code : PassEffect::None;
    if (pass.functionId == function && pass.fingerprint != 0) {
      // Before the first that was taken nothing is known.
      const std::uint64_t before = std::exchange(fingerprints[pass.unitId], pass.fingerprint);
      effect = before == pass.fingerprint ? PassEffect::Rest : PassEffect::Code;
    }
    if (rows.empty() || rows.back().pass.seq != pass.seq) {
      rows.push_back({pass, kept.contains(pass.seq), effect});
    } else {
      // What a pass over a module did to this function is no pass of its own.
      rows.back().effect = effect;
    }
  }
  return rows;
}

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
       diffWords("In the order they ran.") + QLatin1Char('\n') + passMarksText(),
       false,
       [](const Row &row) { return markOf(row.effect) + lineText(row.pass.name); },
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
  const auto meaningsOf = [](const std::vector<analysis::RemarkGroup> &remarks) {
    std::set<decltype(remarks.front().meaning())> meanings;
    for (const analysis::RemarkGroup &remark : remarks) {
      meanings.insert(remark.meaning());
    }
    return meanings;
  };
  const auto inLeft = meaningsOf(left);
  const auto inRight = meaningsOf(right);
  std::vector<SideRemark> rows;
  for (const analysis::RemarkGroup &remark : left) {
    if (!inRight.contains(remark.meaning())) {
      rows.push_back({true, remark});
    }
  }
  for (const analysis::RemarkGroup &remark : right) {
    if (!inLeft.contains(remark.meaning())) {
      rows.push_back({false, remark});
    }
  }
  return rows;
}

} // namespace jitscope::ui
