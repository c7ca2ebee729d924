// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/script/encoding_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace jitscope::ui {

EncodingBar::EncodingBar(QWidget *parent)
    : QFrame(parent), m_label(new QLabel(this)), m_conversion(new QWidget(this)), m_encoding(new QComboBox(m_conversion)) {
  setObjectName(QStringLiteral("encodingBar"));
  setFrameShape(StyledPanel);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::ToolTipBase);
  m_label->setTextFormat(Qt::PlainText);
  m_label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_label->setWordWrap(true);
  m_label->setMinimumWidth(1);
  m_encoding->setObjectName(QStringLiteral("encoding"));
  m_encoding->setAccessibleName(tr("Encoding"));
  auto *convert = new QPushButton(tr("&Convert from"), m_conversion);
  convert->setObjectName(QStringLiteral("convert"));
  convert->setAutoDefault(true); // Enter does nothing otherwise
  convert->setToolTip(tr("Read the text in this encoding. You can edit it then, and saving writes UTF-8."));
  connect(convert, &QPushButton::clicked, this, [this] {
    if (const int chosen = m_encoding->currentIndex(); chosen >= 0) {
      // A copy, since the bar is given another text meanwhile.
      Q_EMIT convertWanted(TextEncoding(m_encodings.at(static_cast<std::size_t>(chosen))));
    }
  });
  auto *choice = new QHBoxLayout(m_conversion);
  choice->setContentsMargins(0, 0, 0, 0);
  choice->addWidget(convert);
  choice->addWidget(m_encoding);
  auto *row = new QHBoxLayout(this);
  row->setContentsMargins(8, 4, 8, 4);
  row->addWidget(m_label, 1);
  row->addWidget(m_conversion);
  hide();
}

void EncodingBar::setText(const ScriptText &text) {
  m_label->setText(text.problem);
  m_encodings = text.encodings;
  m_encoding->clear();
  for (const TextEncoding &encoding : m_encodings) {
    m_encoding->addItem(encoding.label);
  }
  m_conversion->setVisible(!m_encodings.empty());
  setVisible(!text.isEditable());
}

QString EncodingBar::message() const { return m_label->text(); }

} // namespace jitscope::ui
