// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/diff_view.h"

#include "ui/widgets/text.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontDatabase>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace jitscope::ui {

namespace {

using analysis::DiffRow;
using analysis::RowKind;

constexpr std::size_t kContext = 4;
/// Of a line nobody reads more.
constexpr std::size_t kMaxCharacters = 20'000;

} // namespace

DiffView::DiffView(QWidget *parent) : QAbstractScrollArea(parent) {
  setObjectName(QStringLiteral("diffView"));
  setAccessibleName(tr("IR side by side"));
  setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(NoFrame);
  verticalScrollBar()->setSingleStep(1);
}

int DiffView::rowHeight() const { return fontMetrics().height() + 1; }

int DiffView::headHeight() const { return rowHeight() + 8; }

int DiffView::lineNumberWidth() const {
  const auto digits = QString::number(m_diff.rows.size()).size();
  return fontMetrics().horizontalAdvance(QLatin1Char('9')) * static_cast<int>(std::max<qsizetype>(digits, 3)) + 12;
}

void DiffView::setColours(const charts::Palette &palette) {
  m_palette = palette;
  viewport()->update();
}

void DiffView::setDiff(analysis::TextDiff diff, const QString &leftTitle, const QString &rightTitle) {
  m_diff = std::move(diff);
  m_leftTitle = leftTitle;
  m_rightTitle = rightTitle;
  m_message.clear();
  m_changes = changeStarts(m_diff);
  m_change.reset();
  m_unfolded.clear();
  m_longest = 0;
  for (const DiffRow &row : m_diff.rows) {
    m_longest = std::max({m_longest, row.left.size(), row.right.size()});
  }
  refold();
  verticalScrollBar()->setValue(0);
  horizontalScrollBar()->setValue(0);
}

void DiffView::setMessage(const QString &message) {
  setDiff({}, {}, {});
  m_message = message;
  viewport()->update();
}

void DiffView::setFolding(bool folds) {
  m_folds = folds;
  m_unfolded.clear();
  refold();
}

void DiffView::refold() {
  m_shown.clear();
  if (m_folds) {
    m_shown = foldRows(m_diff, kContext, m_unfolded);
  } else {
    for (std::size_t row = 0; row < m_diff.rows.size(); ++row) {
      m_shown.push_back({row, 1});
    }
  }
  m_selection.reset();
  updateBars();
  viewport()->update();
}

void DiffView::updateBars() {
  const int page = std::max((viewport()->height() - headHeight()) / rowHeight(), 1);
  verticalScrollBar()->setPageStep(page);
  verticalScrollBar()->setRange(0, std::max(static_cast<int>(m_shown.size()) - page, 0));
  const int letter = fontMetrics().horizontalAdvance(QLatin1Char('x'));
  const int room = viewport()->width() / 2 - lineNumberWidth();
  const int width = static_cast<int>(std::min(m_longest, kMaxCharacters)) * letter + 20;
  horizontalScrollBar()->setPageStep(std::max(room, 1));
  horizontalScrollBar()->setSingleStep(letter * 4);
  horizontalScrollBar()->setRange(0, std::max(width - room, 0));
}

void DiffView::resizeEvent(QResizeEvent *event) {
  QAbstractScrollArea::resizeEvent(event);
  updateBars();
}

std::size_t DiffView::shownAt(int y) const {
  const int row = verticalScrollBar()->value() + (y - headHeight()) / rowHeight();
  return static_cast<std::size_t>(std::clamp(row, 0, std::max(static_cast<int>(m_shown.size()) - 1, 0)));
}

void DiffView::paintFold(QPainter &painter, const ShownRow &shown, int y) const {
  painter.fillRect(QRect(0, y, viewport()->width(), rowHeight()), m_palette.band);
  painter.setPen(m_palette.dimText);
  painter.drawText(QRect(lineNumberWidth() + 4, y, viewport()->width(), rowHeight()), Qt::AlignVCenter,
                   tr("⋯ %1 equal lines: click to show").arg(countText(shown.count)));
}

void DiffView::paintSide(QPainter &painter, const DiffRow &row, bool isLeft, const QRect &area) const {
  const bool isHere = isLeft ? row.kind != RowKind::RightOnly : row.kind != RowKind::LeftOnly;
  if (!isHere) {
    painter.fillRect(area, QBrush(m_palette.grid, Qt::BDiagPattern));
    return;
  }
  const QColor tone = m_palette.outcome(isLeft ? event::Outcome::Miss : event::Outcome::Hit);
  const auto faint = [&tone](float alpha) {
    QColor colour = tone;
    colour.setAlphaF(alpha);
    return colour;
  };
  const int numbers = lineNumberWidth();
  const bool differs = row.kind != RowKind::Equal;
  if (differs) {
    painter.fillRect(area, faint(0.12F));
    // What is told by colour is told by a sign as well.
    painter.setPen(tone);
    painter.drawText(QRect(area.left() + numbers - 8, area.top(), 10, area.height()), Qt::AlignCenter,
                     row.kind == RowKind::Changed ? QStringLiteral("~")
                     : isLeft                     ? QStringLiteral("-")
                                                  : QStringLiteral("+"));
  }
  painter.setPen(m_palette.dimText);
  painter.drawText(QRect(area.left(), area.top(), numbers - 10, area.height()), Qt::AlignRight | Qt::AlignVCenter,
                   QString::number(isLeft ? row.leftLine : row.rightLine));
  painter.save();
  const QRect textArea = area.adjusted(numbers + 4, 0, 0, 0);
  painter.setClipRect(textArea, Qt::IntersectClip);
  const std::string_view bytes = std::string_view(isLeft ? row.left : row.right).substr(0, kMaxCharacters);
  QFont textFont = font();
  textFont.setBold(row.isLabel);
  painter.setFont(textFont);
  const QFontMetricsF metrics(textFont);
  const qreal x = textArea.left() - horizontalScrollBar()->value();
  for (const analysis::TextSpan &span : isLeft ? row.leftSpans : row.rightSpans) {
    if (span.begin < bytes.size()) {
      const qreal from = metrics.horizontalAdvance(toText(bytes.substr(0, span.begin)));
      const qreal width = metrics.horizontalAdvance(toText(bytes.substr(span.begin, span.length)));
      painter.fillRect(QRectF(x + from, area.top() + 1, width, area.height() - 2), faint(0.36F));
    }
  }
  painter.setPen(m_palette.text);
  painter.drawText(QPointF(x, area.top() + metrics.ascent()), toText(bytes));
  painter.restore();
}

void DiffView::paintHead(QPainter &painter) const {
  const int width = viewport()->width();
  const int half = width / 2;
  painter.fillRect(QRect(0, 0, width, headHeight()), m_palette.band);
  painter.setFont(QApplication::font());
  painter.setPen(m_palette.text);
  const QFontMetrics metrics(QApplication::font());
  const auto title = [&](const QString &text, int x) {
    painter.drawText(QRect(x, 0, half - 20, headHeight()), Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, half - 20));
  };
  title(m_leftTitle, 10);
  title(m_rightTitle, half + 10);
  painter.fillRect(QRect(half - 1, 0, 2, viewport()->height()), m_palette.grid);
}

void DiffView::paintEvent(QPaintEvent * /*event*/) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), m_palette.plot);
  if (!m_message.isEmpty()) {
    painter.setFont(QApplication::font());
    painter.setPen(m_palette.dimText);
    painter.drawText(viewport()->rect().adjusted(24, 24, -24, -24), Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap, m_message);
    return;
  }
  painter.setFont(font());
  const int width = viewport()->width();
  const int half = width / 2;
  const auto isSelected = [this](std::size_t i) {
    return m_selection && i >= std::min(m_selection->first, m_selection->second) &&
           i <= std::max(m_selection->first, m_selection->second);
  };
  const auto first = static_cast<std::size_t>(verticalScrollBar()->value());
  for (std::size_t i = first; i < m_shown.size(); ++i) {
    const int y = headHeight() + static_cast<int>(i - first) * rowHeight();
    if (y > viewport()->height()) {
      break;
    }
    const ShownRow &shown = m_shown[i];
    if (shown.isFold()) {
      paintFold(painter, shown, y);
      continue;
    }
    const QRect left(0, y, half - 1, rowHeight());
    const QRect right(half + 1, y, width - half - 1, rowHeight());
    paintSide(painter, m_diff.rows[shown.first], true, left);
    paintSide(painter, m_diff.rows[shown.first], false, right);
    if (m_change && m_changes[*m_change] == shown.first) {
      painter.fillRect(QRect(0, y, 3, rowHeight()), m_palette.accent);
      painter.fillRect(QRect(half + 1, y, 3, rowHeight()), m_palette.accent);
    }
    if (isSelected(i)) {
      QColor selected = m_palette.accent;
      selected.setAlphaF(0.2F);
      painter.fillRect(m_selectsLeft ? left : right, selected);
    }
  }
  paintHead(painter);
}

bool DiffView::stepChange(int direction) {
  if (m_changes.empty()) {
    return false;
  }
  if (!m_change) {
    m_change = direction > 0 ? 0 : m_changes.size() - 1;
  } else if (direction > 0 ? *m_change + 1 >= m_changes.size() : *m_change == 0) {
    return false;
  } else {
    m_change = direction > 0 ? *m_change + 1 : *m_change - 1;
  }
  const std::size_t row = m_changes[*m_change];
  const auto shown = std::ranges::upper_bound(m_shown, row, {}, &ShownRow::first) - 1;
  verticalScrollBar()->setValue(static_cast<int>(shown - m_shown.begin()) - verticalScrollBar()->pageStep() / 3);
  viewport()->update();
  return true;
}

void DiffView::mousePressEvent(QMouseEvent *event) {
  if (m_shown.empty() || event->button() != Qt::LeftButton || event->pos().y() < headHeight()) {
    return;
  }
  const std::size_t at = shownAt(event->pos().y());
  if (m_shown[at].isFold()) {
    m_unfolded.push_back(m_shown[at].first);
    std::ranges::sort(m_unfolded);
    refold();
    return;
  }
  m_selectsLeft = event->pos().x() < viewport()->width() / 2;
  m_selection = std::pair(at, at);
  viewport()->update();
}

void DiffView::mouseMoveEvent(QMouseEvent *event) {
  if (m_selection && (event->buttons() & Qt::LeftButton) != 0) {
    m_selection->second = shownAt(event->pos().y());
    viewport()->update();
  }
}

QString DiffView::selectedText() const {
  QString text;
  if (!m_selection) {
    return text;
  }
  const std::size_t last = std::max(m_selection->first, m_selection->second);
  for (std::size_t i = std::min(m_selection->first, m_selection->second); i <= last && i < m_shown.size(); ++i) {
    for (std::size_t row = m_shown[i].first; row < m_shown[i].first + m_shown[i].count; ++row) {
      const DiffRow &line = m_diff.rows[row];
      if (line.kind != (m_selectsLeft ? RowKind::RightOnly : RowKind::LeftOnly)) {
        text += toText(m_selectsLeft ? line.left : line.right) + QLatin1Char('\n');
      }
    }
  }
  return text;
}

void DiffView::copy() const {
  if (const QString text = selectedText(); !text.isEmpty()) {
    QApplication::clipboard()->setText(text);
  }
}

void DiffView::keyPressEvent(QKeyEvent *event) {
  if (event == QKeySequence::Copy) {
    copy();
  } else if (event == QKeySequence::SelectAll && !m_shown.empty()) {
    m_selection = std::pair(std::size_t{0}, m_shown.size() - 1);
    viewport()->update();
  } else if (event->key() == Qt::Key_Home) {
    verticalScrollBar()->setValue(0);
  } else if (event->key() == Qt::Key_End) {
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
  } else {
    QAbstractScrollArea::keyPressEvent(event);
  }
}

void DiffView::contextMenuEvent(QContextMenuEvent *event) {
  QMenu menu(this);
  menu.addAction(tr("&Copy Lines"), this, &DiffView::copy)->setEnabled(m_selection.has_value());
  menu.exec(event->globalPos());
}

} // namespace jitscope::ui
