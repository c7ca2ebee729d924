// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/template_model.h"

#include "base/units.h"
#include "ui/models/rows_model.h"
#include "ui/widgets/text.h"

#include <QApplication>
#include <QFont>
#include <QStyle>

#include <algorithm>

namespace jitscope::ui {

namespace {

using analysis::FunctionSummary;
using analysis::TemplateSummary;
using event::Outcome;

/// Of rows at the top; others carry 1 + the row of their function.
constexpr quintptr kTop = 0;

QString reasonsText(const analysis::ReasonCounts &reasons) {
  QStringList parts;
  for (const auto &[reason, count] : reasons) {
    // Most templates are compiled once, and the column is the last of many.
    parts << (count == 1 ? toText(nameOf(reason)) : QStringLiteral("%1 × %2").arg(countText(count), toText(nameOf(reason))));
  }
  return parts.join(QStringLiteral(", "));
}

} // namespace

void TemplateModel::setFunctions(std::vector<FunctionSummary> functions, std::map<base::TemplateId, analysis::ReasonCounts> reasons,
                                 const std::vector<analysis::RecompileStorm> &storms) {
  beginResetModel();
  m_functions = std::move(functions);
  m_sums.clear();
  m_templates.clear();
  for (const FunctionSummary &function : m_functions) {
    Row &sums = m_sums.emplace_back();
    std::vector<Row> &rows = m_templates.emplace_back();
    for (const TemplateSummary &entry : function.templates) {
      Row &row = rows.emplace_back();
      row.sums = entry;
      row.reasons = reasons[entry.id];
      sums.sums.calls += entry.calls;
      for (const Outcome outcome : event::kOutcomes) {
        sums.sums.outcomes.add(outcome, entry.outcomes[outcome]);
      }
      sums.sums.callNs += entry.callNs;
      sums.sums.compiles += entry.compiles;
      sums.sums.compileNs += entry.compileNs;
      sums.sums.codeBytes += entry.codeBytes;
      for (const auto &[reason, count] : row.reasons) {
        sums.reasons[reason] += count;
      }
    }
    sums.isStorm =
        std::ranges::any_of(storms, [&](const analysis::RecompileStorm &storm) { return storm.functionId == function.id; });
  }
  endResetModel();
}

QModelIndex TemplateModel::index(int row, int column, const QModelIndex &parent) const {
  if (!hasIndex(row, column, parent)) {
    return {};
  }
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kTop);
}

QModelIndex TemplateModel::parent(const QModelIndex &index) const {
  if (!index.isValid() || index.internalId() == kTop) {
    return {};
  }
  return createIndex(static_cast<int>(index.internalId() - 1), 0, kTop);
}

int TemplateModel::rowCount(const QModelIndex &parent) const {
  if (!parent.isValid()) {
    return static_cast<int>(m_functions.size());
  }
  const bool isFunction = parent.internalId() == kTop && parent.column() == 0;
  return isFunction ? static_cast<int>(m_templates[static_cast<std::size_t>(parent.row())].size()) : 0;
}

int TemplateModel::columnCount(const QModelIndex & /*parent*/) const { return ColumnCount; }

const FunctionSummary &TemplateModel::functionAt(const QModelIndex &index) const {
  return m_functions[index.internalId() == kTop ? static_cast<std::size_t>(index.row()) : index.internalId() - 1];
}

const TemplateSummary *TemplateModel::templateAt(const QModelIndex &index) const {
  return index.internalId() == kTop ? nullptr : &rowAt(index).sums;
}

const TemplateModel::Row &TemplateModel::rowAt(const QModelIndex &index) const {
  const auto row = static_cast<std::size_t>(index.row());
  return index.internalId() == kTop ? m_sums[row] : m_templates[index.internalId() - 1][row];
}

QVariant TemplateModel::valueOf(const QModelIndex &index) const {
  const Row &row = rowAt(index);
  const TemplateSummary &sums = row.sums;
  switch (index.column()) {
  case Name: {
    const FunctionSummary &function = functionAt(index);
    return index.internalId() == kTop ? functionText(function.name, function.line, function.eager) : signatureText(sums.signature);
  }
  case Calls:
    return numberValue(sums.calls);
  case Hits:
    return numberValue(sums.outcomes[Outcome::Hit]);
  case Compiled:
    return numberValue(sums.outcomes.paidForCompile());
  case Other:
    return numberValue(sums.outcomes.others());
  case HitRate:
    return sums.hitRate();
  case CallTime:
    return numberValue(sums.callNs);
  case Compiles:
    return numberValue(sums.compiles);
  case CompileTime:
    return numberValue(sums.compileNs);
  case Code:
    return numberValue(sums.codeBytes);
  case Reasons:
    return reasonsText(row.reasons);
  default:
    return {};
  }
}

QVariant TemplateModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
    return {};
  }
  const Row &row = rowAt(index);
  const bool isText = index.column() == Name || index.column() == Reasons;
  switch (role) {
  case Qt::DisplayRole: {
    QVariant value = valueOf(index);
    if (isText) {
      return value;
    }
    const bool blank = index.column() == HitRate ? row.sums.calls == 0 : value.toULongLong() == 0 && index.column() != Calls;
    if (blank) {
      return QString();
    }
    switch (index.column()) {
    case HitRate:
      return QString::fromStdString(base::formatShare(row.sums.hitRate()));
    case CallTime:
    case CompileTime:
      return durationText(static_cast<double>(value.toULongLong()));
    case Code:
      return bytesText(value.toULongLong());
    default:
      return countText(value.toULongLong());
    }
  }
  case Qt::TextAlignmentRole:
    return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  case Qt::DecorationRole:
    return index.column() == Name && row.isStorm ? QVariant(QApplication::style()->standardIcon(QStyle::SP_MessageBoxWarning))
                                                 : QVariant();
  case Qt::ToolTipRole:
    if (index.column() == Name && row.isStorm) {
      return tr("%1\nRecompile storm: its calls compiled it again and again, and spent more than half of their time on that")
          .arg(valueOf(index).toString());
    }
    return isText ? valueOf(index) : QVariant();
  case Qt::FontRole:
    if (index.internalId() == kTop && index.column() == Name) {
      QFont font = QApplication::font();
      font.setBold(true);
      return font;
    }
    return {};
  case SortRole:
    return valueOf(index);
  case IdRole:
    return index.internalId() == kTop ? -static_cast<qlonglong>(functionAt(index).id.value)
                                      : static_cast<qlonglong>(row.sums.id.value);
  default:
    return {};
  }
}

QVariant TemplateModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) {
    return {};
  }
  static const std::array<std::pair<QString, QString>, ColumnCount> titles{{
      {tr("Function, template"), tr("A function, and below it the argument signatures it was called with")},
      {tr("Calls"), {}},
      {tr("Hits"), tr("Calls whose executable was in memory")},
      {tr("Compiled"), tr("Calls that compiled: misses and bypasses")},
      {tr("Other"), tr("Calls that retraced, loaded from disk or waited for another thread's compile")},
      {tr("Hit rate"), tr("Hits per call")},
      {tr("Calls took"), tr("Total time of all calls, including their compiles")},
      {tr("Compiles"), tr("Executables made, ahead of time or by a call")},
      {tr("Compile time"), tr("Total time of all compiles")},
      {tr("Code"), tr("Bytes of machine code of the template's latest compile; for a function, the sum over its templates")},
      {tr("Reasons"), tr("Why it was compiled, and how often")},
  }};
  if (section < 0 || section >= ColumnCount) {
    return {};
  }
  const auto &[title, tip] = titles[static_cast<std::size_t>(section)];
  switch (role) {
  case UnitRole:
    return section == CallTime || section == CompileTime ? QStringLiteral("ns")
           : section == Code                             ? QStringLiteral("bytes")
                                                         : QString();
  case Qt::DisplayRole:
    return title;
  case Qt::ToolTipRole:
    return tip.isEmpty() ? QVariant() : tip;
  case Qt::TextAlignmentRole:
    return static_cast<int>((section == Name || section == Reasons ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  default:
    return {};
  }
}

} // namespace jitscope::ui
