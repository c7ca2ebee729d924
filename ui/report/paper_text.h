// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

#include <QTextCursor>
#include <QTextDocument>
#include <QTextObjectInterface>

#include <vector>

namespace jitscope::charts {

/// Draws SVG within a text document: an object whose format has the drawing as its property.
class FigureObject : public QObject, public QTextObjectInterface {
  Q_OBJECT
  Q_INTERFACES(QTextObjectInterface)

public:
  static constexpr int kType = QTextFormat::UserObject + 1;
  static constexpr int kDrawing = QTextFormat::UserProperty + 1; ///< QByteArray of SVG

  using QObject::QObject;
  /// As wide as the page allows, in the units of the document's device.
  QSizeF intrinsicSize(QTextDocument *document, int position, const QTextFormat &format) override;
  void drawObject(QPainter *painter, const QRectF &place, QTextDocument *document, int position,
                  const QTextFormat &format) override;
};

/// Writes a report into a text document for paper, block by block.
class PaperText {
public:
  explicit PaperText(QTextDocument &target);

  void write(const report::Document &document);
  /// Where headings begin: what must not be the last on a page.
  [[nodiscard]] const std::vector<int> &headings() const { return m_headings; }

  void operator()(const report::DocumentText &text);
  void operator()(const report::DocumentHeading &head);
  void operator()(const report::DocumentTable &table);
  void operator()(const report::DocumentList &list);
  void operator()(const report::DocumentCode &code);
  void operator()(const report::DocumentFigure &figure);

private:
  void heading(const std::string &text, double points);
  void paragraph(const QString &text, const QTextCharFormat &format, double above = 2, double indent = 0);

  QTextDocument &m_target;
  QTextCursor m_cursor;
  std::vector<int> m_headings;
};

} // namespace jitscope::charts
