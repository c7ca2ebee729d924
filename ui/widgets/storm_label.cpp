// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/storm_label.h"

#include "report/document/storm_text.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

namespace jitscope::ui {

namespace {

QString stormWords(const char *text) { return QCoreApplication::translate("storm", text); }

/// A text on one line as HTML, whose quotes stay as they are: it is no attribute.
QString asHtml(const std::string &text) {
  return lineText(text, 2000).toHtmlEscaped().replace(QStringLiteral("&quot;"), QStringLiteral("\""));
}

} // namespace

StormLabel::StormLabel(Advice advice, QWidget *parent) : LinkLabel(parent), m_advice(advice) {
  setObjectName(QStringLiteral("storms"));
  setContentsMargins(8, 6, 8, 6);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::ToolTipBase);
  setForegroundRole(QPalette::ToolTipText);
  hide();
}

void StormLabel::setStorms(const std::vector<analysis::RecompileStorm> &storms) {
  setVisible(!storms.empty());
  if (storms.empty()) {
    clear();
    return;
  }
  QStringList sentences{stormSentence(storms.front())};
  if (m_advice == Advice::Given) {
    sentences << ui::stormAdvice(storms.front());
  }
  if (const std::string more = report::stormsLeftOut(storms, 1); !more.empty()) {
    sentences << QStringLiteral("(%1)").arg(asHtml(more));
  }
  if (m_advice == Advice::Linked) {
    sentences << QStringLiteral("<a href=\"page:templates\">%1</a>").arg(stormWords("Show the templates and remedies"));
  }
  sentences.removeAll(QString());
  setText(sentences.join(QLatin1Char(' ')));
}

QString stormSentence(const analysis::RecompileStorm &storm) {
  return stormWords("<b>Recompile storm:</b> %1").arg(asHtml(report::stormText(storm)));
}

QString stormAdvice(const analysis::RecompileStorm &storm) { return asHtml(report::stormAdvice(storm)); }

} // namespace jitscope::ui
