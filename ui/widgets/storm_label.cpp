// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/storm_label.h"

#include "ui/widgets/text.h"

#include <QCoreApplication>

namespace jitscope::ui {

namespace {

QString stormWords(const char *text) { return QCoreApplication::translate("storm", text); }

QString shapeAdvice(const analysis::RecompileStorm &storm) {
  if (storm.isForAllSizes) {
    return {};
  }
  if (storm.otherCompiles > 0) {
    return stormWords("With options{template=\"rank\"}, as elsewhere in this script, %1 served %2 calls.")
        .arg(storm.otherCompiles == 1 ? stormWords("one compile") : stormWords("%1 compiles").arg(countText(storm.otherCompiles)),
             countText(storm.otherCalls));
  }
  return stormWords("With options{template=\"rank\"} one executable serves all sizes; padding to few sizes helps as well.");
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
    sentences << stormAdvice(storms.front());
  }
  if (storms.size() > 1) {
    sentences << (storms.size() == 2 ? stormWords("There is one more storm.")
                                     : stormWords("There are %1 more storms.").arg(countText(storms.size() - 1)));
  }
  if (m_advice == Advice::Linked) {
    sentences << QStringLiteral("<a href=\"page:templates\">%1</a>").arg(stormWords("Which templates, and what helps"));
  }
  sentences.removeAll(QString());
  setText(sentences.join(QLatin1Char(' ')));
}

QString stormSentence(const analysis::RecompileStorm &storm) {
  return stormWords("<b>Recompile storm:</b> %1 was compiled %2 times for %3 calls; compiling took %4. Reason: %5.")
      .arg(lineText(storm.functionName, 60).toHtmlEscaped(), countText(storm.compiles), countText(storm.calls),
           durationText(static_cast<double>(storm.compileNs)), toText(nameOf(storm.reason)));
}

QString stormAdvice(const analysis::RecompileStorm &storm) {
  switch (storm.reason) {
  case event::MissReason::NewShape:
    return shapeAdvice(storm);
  case event::MissReason::StaticValue:
    return stormWords("What changes from call to call had better be a tensor or a number than a static argument.");
  case event::MissReason::Evicted:
    return stormWords("The cache is too small for what takes turns in it: see capacity_entries and capacity_bytes.");
  default:
    return {};
  }
}

} // namespace jitscope::ui
