// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/storm_label.h"

#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>

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

QString varyingText(const analysis::VaryingPart &part) {
  using Kind = analysis::VaryingPart::Kind;
  const QString argument = stormWords("argument %1").arg(part.argument);
  const QString count = countText(part.count);
  const QString first = lineText(part.first, 40);
  const QString last = lineText(part.last, 40);
  switch (part.kind) {
  case Kind::Size:
    return stormWords("dimension %1 of %2 took %3 sizes, %4 to %5")
        .arg(part.dimension.value_or(0))
        .arg(argument, count, first, last);
  case Kind::Rank:
    return stormWords("%1 had %2 to %3 dimensions").arg(argument, first, last);
  case Kind::ElementType:
    return stormWords("%1 had %2 element types").arg(argument, count);
  case Kind::Value:
    return stormWords("%1 took %2 values, %3 to %4").arg(argument, count, first, last);
  }
  return {};
}

/// "What varies: dimension 0 of argument 0 took 12 sizes, 3 to 47."; empty where nothing does.
QString varyingSentence(const std::vector<analysis::VaryingPart> &varying) {
  constexpr std::size_t kMost = 2;
  QStringList parts;
  for (std::size_t i = 0; i < std::min(varying.size(), kMost); ++i) {
    parts << varyingText(varying[i]).toHtmlEscaped();
  }
  if (varying.size() > kMost) {
    parts << stormWords("and %1 more").arg(varying.size() - kMost);
  }
  return parts.isEmpty() ? QString() : stormWords("What varies: %1.").arg(parts.join(QStringLiteral("; ")));
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
  QString scope;
  if (storm.otherCalls > 0 || storm.otherCompiles > 0) {
    scope = storm.isForAllSizes ? stormWords(" (only templates for all sizes counted)")
                                : stormWords(" (only templates of certain sizes counted)");
  }
  const QString name = toText(nameOf(storm.reason));
  const QString reason =
      storm.reasonCompiles < storm.againCompiles
          ? stormWords("mostly %1 (%2 of %3)").arg(name, countText(storm.reasonCompiles), countText(storm.againCompiles))
          : name;
  QString sentence = stormWords("<b>Recompile storm:</b> %1 was compiled %2 times for %3 calls%4; compiling took %5. Reason: %6.")
                         .arg(lineText(storm.functionName, 60).toHtmlEscaped(), countText(storm.compiles), countText(storm.calls),
                              scope, durationText(static_cast<double>(storm.compileNs)), reason);
  if (const QString varying = varyingSentence(storm.varying); !varying.isEmpty()) {
    sentence += QLatin1Char(' ') + varying;
  }
  return sentence;
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
