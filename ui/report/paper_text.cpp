// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/paper_text.h"

#include "report/render/display_text.h"
#include "ui/charts/palette.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QSvgRenderer>
#include <QTextFrame>
#include <QTextTable>

#include <algorithm>

namespace jitscope::charts {

namespace {

using report::Tone;

constexpr double kTextPoints = 9;
constexpr double kTablePoints = 7.5;
/// Of tables with this many columns, smaller type.
constexpr std::size_t kManyColumns = 9;
constexpr double kSmallPoints = 6.3;
constexpr double kCodePoints = 7;

/// On one line. Words that no line of a cell could hold may be broken.
QString shown(const std::string &text) {
  constexpr int kLongest = 18;
  QString result;
  int length = 0;
  for (const QChar c : QString::fromStdString(report::printable(text))) {
    length = c.isSpace() ? 0 : length + 1;
    result += c;
    const bool isBreakable = length > kLongest && !c.isHighSurrogate();
    if (isBreakable || (length > kLongest / 2 && QStringView(u",:/_").contains(c))) {
      result += QChar(0x200b);
      length = 0;
    }
  }
  return result;
}

QTextCharFormat formatOf(Tone tone, double points) {
  QTextCharFormat format;
  format.setFontPointSize(points);
  switch (tone) {
  case Tone::Heading:
    format.setFontWeight(QFont::DemiBold);
    break;
  case Tone::Dim:
    format.setForeground(QColor(0x55, 0x55, 0x55));
    break;
  case Tone::Good:
    format.setForeground(QColor(0x00, 0x50, 0x00));
    break;
  case Tone::Bad:
    format.setForeground(QColor(0x90, 0x00, 0x00));
    format.setFontWeight(QFont::DemiBold);
    break;
  case Tone::Notable:
    format.setForeground(QColor(0x60, 0x38, 0x00));
    break;
  case Tone::Plain:
    break;
  }
  return format;
}

/// How wide the columns are where rows have lines below them, which Qt would let decide; otherwise what is in them does.
QList<QTextLength> widthsOf(const report::DocumentTable &table, const std::vector<std::size_t> &columns) {
  constexpr double kTextShare = 18; // percent, of each column of text
  QList<QTextLength> widths;
  const auto isNumber = [&table](std::size_t column) { return table.columns[column].isNumber; };
  const auto numbers = static_cast<double>(std::ranges::count_if(columns, isNumber));
  const double rest = std::max(100 - kTextShare * (static_cast<double>(columns.size()) - numbers), 0.0);
  if (columns.size() == table.columns.size() || numbers == 0 || rest == 0) {
    return widths;
  }
  for (const std::size_t column : columns) {
    widths.append(QTextLength(QTextLength::PercentageLength, isNumber(column) ? rest / numbers : kTextShare));
  }
  return widths;
}

QTextTableFormat tableFormat(const report::DocumentTable &table, const std::vector<std::size_t> &columns) {
  QTextTableFormat format;
  format.setColumnWidthConstraints(widthsOf(table, columns));
  format.setBorderCollapse(true);
  format.setBorder(0);
  format.setCellSpacing(0);
  format.setCellPadding(1.5);
  format.setHeaderRowCount(1);
  format.setTopMargin(4);
  format.setBottomMargin(9);
  return format;
}

/// Qt scales fonts, cells and margins above and below to a device, and takes what is beside text for dots of it.
double beside(const QTextDocument &document, double points) {
  const QPaintDevice *device = document.documentLayout()->paintDevice();
  return device == nullptr ? points : points * device->logicalDpiX() / 72;
}

void fillCell(QTextTable &table, int row, int column, const QString &text, const QTextCharFormat &format, bool isNumber) {
  QTextTableCell cell = table.cellAt(row, column);
  // With how many columns it spans.
  QTextTableCellFormat look = cell.format().toTableCellFormat();
  look.setBottomBorder(0.5);
  look.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
  look.setBottomBorderBrush(QColor(0xbb, 0xbb, 0xbb));
  look.setLeftPadding(1);
  look.setRightPadding(7);
  look.setTopPadding(1.5);
  look.setBottomPadding(1.5);
  cell.setFormat(look);
  QTextCursor cursor = cell.firstCursorPosition();
  QTextBlockFormat block;
  block.setAlignment(isNumber ? Qt::AlignRight : Qt::AlignLeft);
  // Numbers are short, and not read where they are broken.
  block.setNonBreakableLines(isNumber);
  // Not the block's character format: that is where the cell's own format is kept.
  cursor.setBlockFormat(block);
  cursor.insertText(text, format);
}

} // namespace

QSizeF FigureObject::intrinsicSize(QTextDocument *document, int /*position*/, const QTextFormat &format) {
  const QSvgRenderer drawing(format.property(kDrawing).toByteArray());
  const qreal width = document->pageSize().width() - 2 * document->documentMargin();
  const QSizeF size = drawing.viewBoxF().size();
  return size.isEmpty() ? QSizeF() : QSizeF(width, width * size.height() / size.width());
}

void FigureObject::drawObject(QPainter *painter, const QRectF &place, QTextDocument * /*document*/, int /*position*/,
                              const QTextFormat &format) {
  QSvgRenderer drawing(format.property(kDrawing).toByteArray());
  painter->save();
  drawing.render(painter, place);
  painter->restore();
}

PaperText::PaperText(QTextDocument &target) : m_target(target), m_cursor(&target) {}

void PaperText::write(const report::Document &document) {
  // Laid out once and not with each block.
  m_cursor.beginEditBlock();
  heading(document.title, 16);
  for (const report::DocumentText &line : document.head) {
    (*this)(line);
  }
  for (const report::DocumentSection &section : document.sections) {
    if (section.blocks.empty()) {
      continue;
    }
    heading(section.title, 12);
    for (const report::DocumentBlock &block : section.blocks) {
      std::visit(*this, block);
    }
  }
  m_cursor.endEditBlock();
}

void PaperText::heading(const std::string &text, double points) {
  QTextCharFormat format;
  format.setFontPointSize(points);
  format.setFontWeight(QFont::DemiBold);
  paragraph(shown(text), format, points * 1.6);
  m_headings.push_back(m_cursor.block().position());
}

void PaperText::paragraph(const QString &text, const QTextCharFormat &format, double above, double indent) {
  QTextBlockFormat block;
  block.setTopMargin(m_target.isEmpty() ? 0 : above);
  block.setBottomMargin(1);
  block.setLeftMargin(beside(m_target, indent));
  if (m_target.isEmpty() || m_cursor.block().length() <= 1) {
    // What stands before the first block, and behind every table, is an empty one.
    m_cursor.setBlockFormat(block);
    m_cursor.setBlockCharFormat(format);
  } else {
    m_cursor.insertBlock(block, format);
  }
  m_cursor.insertText(text, format);
}

void PaperText::operator()(const report::DocumentText &text) {
  const bool isUnderHeading = !m_headings.empty() && m_headings.back() == m_cursor.block().position();
  paragraph(shown(text.text), formatOf(text.tone, kTextPoints));
  if (isUnderHeading && text.tone == Tone::Dim) {
    // It says of what follows how it came about.
    m_headings.push_back(m_cursor.block().position());
  }
}

void PaperText::operator()(const report::DocumentHeading &head) { heading(head.text, 10); }

void PaperText::operator()(const report::DocumentTable &table) {
  const std::vector<std::size_t> beside = table.columnsBeside();
  if (beside.empty()) {
    return;
  }
  std::vector<std::pair<std::size_t, const report::DocumentCell *>> notes; // with their rows
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    for (const std::size_t index : table.columnsBelow()) {
      if (const report::DocumentCell &cell = table.cell(i, index); !cell.text.empty()) {
        notes.emplace_back(i, &cell);
      }
    }
  }
  const int columns = static_cast<int>(beside.size());
  const double points = beside.size() >= kManyColumns ? kSmallPoints : kTablePoints;
  QTextTable *target =
      m_cursor.insertTable(1 + static_cast<int>(table.rows.size() + notes.size()), columns, tableFormat(table, beside));
  for (int column = 0; column < columns; ++column) {
    const report::DocumentColumn &title = table.columns[beside[static_cast<std::size_t>(column)]];
    QTextCharFormat format = formatOf(Tone::Dim, points);
    format.setFontWeight(QFont::DemiBold);
    fillCell(*target, 0, column, shown(title.title), format, title.isNumber);
  }
  int row = 0;
  auto note = notes.begin();
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    ++row;
    for (int column = 0; column < columns; ++column) {
      const std::size_t index = beside[static_cast<std::size_t>(column)];
      const report::DocumentCell &cell = table.cell(i, index);
      fillCell(*target, row, column, shown(cell.text), formatOf(cell.tone, points), table.columns[index].isNumber);
    }
    for (; note != notes.end() && note->first == i; ++note) {
      ++row;
      target->mergeCells(row, 0, 1, columns);
      fillCell(*target, row, 0, shown(note->second->text), formatOf(note->second->tone, points), false);
    }
  }
  m_cursor.movePosition(QTextCursor::End);
  if (!table.more.empty()) {
    paragraph(shown("… " + table.more), formatOf(Tone::Dim, kTablePoints));
  }
}

void PaperText::operator()(const report::DocumentList &list) {
  constexpr double kIndent = 12;
  for (const report::DocumentCell &item : list.items) {
    paragraph(QStringLiteral("• ") + shown(item.text), formatOf(item.tone, kTextPoints));
    for (const std::string &line : item.lines) {
      paragraph(shown(line), formatOf(Tone::Plain, kTextPoints), 0, kIndent);
    }
  }
}

void PaperText::operator()(const report::DocumentCode &code) {
  QTextCharFormat format = formatOf(Tone::Plain, kCodePoints);
  format.setFontFamilies({QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")});
  format.setFontFixedPitch(true);
  std::string_view rest = code.text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const QString line = QString::fromStdString(report::printable(rest.substr(0, end)));
    paragraph(line.isEmpty() ? QStringLiteral(" ") : line, format, 0);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void PaperText::operator()(const report::DocumentFigure &figure) {
  QTextCharFormat format;
  format.setObjectType(FigureObject::kType);
  format.setProperty(FigureObject::kDrawing, QByteArray::fromStdString(figure.svg));
  paragraph(shown(figure.caption), formatOf(Tone::Dim, kTablePoints), 6);
  m_headings.push_back(m_cursor.block().position());
  paragraph(QString(QChar::ObjectReplacementCharacter), format, 0);
}

} // namespace jitscope::charts
