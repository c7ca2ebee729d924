// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/call_text.h"

#include "analysis/compiles/compile_list.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <array>
#include <utility>

namespace jitscope::ui {

namespace {

QString words(const char *text) { return QCoreApplication::translate("call", text); }

QString link(const QString &target, const QString &text) {
  return QStringLiteral("<a href=\"%1\">%2</a>").arg(target, text.toHtmlEscaped());
}

/// Rows of a name and what belongs to it.
class Rows {
public:
  explicit Rows(const charts::Palette &palette) : m_dim(palette.dimText.name()) {}
  void add(const QString &name, const QString &html) {
    m_html += QStringLiteral("<tr><td style=\"color:%1; padding-right:14px\">%2</td><td>%3</td></tr>")
                  .arg(m_dim, name.toHtmlEscaped(), html);
  }
  /// Puts the rows of another above its own.
  void prepend(const Rows &other) { m_html.prepend(other.m_html); }
  [[nodiscard]] bool isEmpty() const { return m_html.isEmpty(); }
  [[nodiscard]] QString html() const { return QStringLiteral("<table cellspacing=\"0\" cellpadding=\"1\">%1</table>").arg(m_html); }

private:
  QString m_dim;
  QString m_html;
};

QString duration(std::uint64_t ns) { return durationText(static_cast<double>(ns)); }

/// "trace 1.00 s, lower 240 µs, …", without what took no time.
QString phasesText(const std::vector<std::pair<const char *, std::uint64_t>> &phases) {
  QStringList parts;
  for (const auto &[name, ns] : phases) {
    if (ns > 0) {
      parts << words(name) + QLatin1Char(' ') + duration(ns);
    }
  }
  return parts.join(QStringLiteral(", "));
}

void addReason(Rows &rows, event::MissReason reason, std::uint16_t process, const std::string &difference,
               const std::string &nearest) {
  rows.add(words("Why"), QStringLiteral("<b>%1</b>").arg(reasonText(reason, process).toHtmlEscaped()));
  if (!nearest.empty()) {
    rows.add(words("Nearest template"), link(QStringLiteral("nearest"), signatureText(nearest)));
  }
  const QStringList differing = differenceInWords(difference);
  if (!differing.isEmpty()) {
    rows.add(words("What differs"),
             differing.join(QLatin1Char('\n')).toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")));
  }
}

QString studyText(const analysis::CallDetails &details) {
  const QString study = words("study %1; no call waited for it").arg(details.studyId.value);
  return details.section.empty() ? study
                                 : words("section %1").arg(link(QStringLiteral("filter:section"), lineText(details.section))) +
                                       QStringLiteral(", ") + study;
}

QString placeText(const analysis::CallDetails &details) {
  QStringList place;
  const event::CallEvent &call = details.call;
  if (!details.section.empty()) {
    place << words("section %1").arg(link(QStringLiteral("filter:section"), lineText(details.section)));
  }
  if (call.caseId.isValid()) {
    const QString leg = toText(nameOf(call.leg));
    place << words("case %1, %2 leg, %3")
                 .arg(link(QStringLiteral("filter:case"), caseText(details.caseName, details.caseInput)), leg,
                      toText(nameOf(call.phase)));
  }
  place << (call.process == 0 ? words("thread %1").arg(call.thread)
                              : words("thread %1 of process %2").arg(call.thread).arg(call.process));
  return place.join(QStringLiteral(", "));
}

} // namespace

QString callHtml(const analysis::CallDetails &details, const charts::Palette &palette, bool isNarrow) {
  const event::CallEvent &call = details.call;
  const QString function = functionText(details.functionName, details.functionLine, details.eager);
  const bool isCall = call.id.isValid();
  const std::uint64_t took = isCall || !details.compile ? call.totalNs() : details.compile->totalNs;
  // The outcome is a filter, as are the other links on what calls have in common.
  const QString head = isCall ? QStringLiteral("<a href=\"filter:outcome\" style=\"color:%1\">%2</a>")
                                    .arg(palette.outcome(call.outcome).name(), toText(nameOf(call.outcome)).toUpper())
                              : words("COMPILE");
  QString html =
      QStringLiteral("<p style=\"margin:2px 0 6px 0\"><b>%1 &nbsp;%2</b> %3 %4</p>")
          .arg(head, function.toHtmlEscaped(), words("took %1").arg(duration(took)), words("at %1").arg(duration(call.startNs)));
  Rows rows(palette);
  Rows why(palette);
  if (call.templateId.isValid()) {
    rows.add(words("Template"), link(QStringLiteral("filter:template"), signatureText(details.signature)));
  }
  if (isCall) {
    rows.add(
        words("Time"),
        phasesText({{"lookup", call.lookupNs}, {"wait", call.waitNs}, {"compile", call.compileNs}, {"execute", call.executeNs}})
            .toHtmlEscaped());
  }
  if (details.compile) {
    const event::CompileEvent &compile = *details.compile;
    addReason(why, compile.reason, compile.process, compile.difference, details.nearestSignature);
    rows.add(words("Compile"), words("%1 by pipeline %2: %3; %4 of code")
                                   .arg(duration(compile.totalNs), toText(compile.pipeline).toHtmlEscaped(),
                                        phasesText({{"trace", compile.traceNs},
                                                    {"lower", compile.lowerNs},
                                                    {"optimize", compile.optimizeNs},
                                                    {"codegen", compile.codegenNs},
                                                    {"link", compile.linkNs}})
                                            .toHtmlEscaped(),
                                        bytesText(compile.codeBytes)));
  } else if (details.retrieval) {
    const event::RetrievalEvent &retrieval = *details.retrieval;
    addReason(why, retrieval.reason, retrieval.process, retrieval.difference, details.nearestSignature);
    rows.add(words("Retrieval"), phasesText({{"trace", retrieval.traceNs}, {"load", retrieval.loadNs}}).toHtmlEscaped() +
                                     words("; %1 of code").arg(bytesText(retrieval.codeBytes)));
  }
  rows.add(words("Where"), isCall                      ? placeText(details)
                           : details.studyId.isValid() ? studyText(details)
                                                       : words("no call waited for it: it was compiled ahead of time"));
  QStringList links;
  links << link(QStringLiteral("filter:function"), words("Only this function"));
  if (details.functionLine > 0) {
    links << link(QStringLiteral("line:%1").arg(details.functionLine), words("Line %1 of the script").arg(details.functionLine));
  }
  if (details.compile) {
    links << link(QStringLiteral("page:compiles"), words("Compile and passes"))
          << link(QStringLiteral("page:remarks"), words("Remarks"))
          << link(QStringLiteral("page:diff"), details.studyId.isValid() ? words("IR beside another pipeline's") : words("IR"));
  }
  rows.add(words("More"), links.join(QStringLiteral(" &nbsp;·&nbsp; ")));
  if (isNarrow) {
    rows.prepend(why);
  }
  if (isNarrow || why.isEmpty()) {
    return html + rows.html();
  }
  // Beside each other, so that the reason is seen without scrolling.
  return html +
         QStringLiteral(
             "<table cellspacing=\"0\" cellpadding=\"0\"><tr><td style=\"padding-right:36px\">%1</td><td>%2</td></tr></table>")
             .arg(why.html(), rows.html());
}

QStringList compileLines(std::string_view pipeline, std::uint64_t totalNs, std::span<const std::uint64_t> phasesNs) {
  QStringList lines{words("compile under %1, %2").arg(lineText(pipeline), duration(totalNs))};
  for (std::size_t phase = 0; phase < phasesNs.size(); ++phase) {
    if (phasesNs[phase] > 0) {
      lines << phaseText(phase, phasesNs[phase]);
    }
  }
  return lines;
}

QString phaseText(std::size_t phase, std::uint64_t ns) {
  return QStringLiteral("%1  %2").arg(words(phase < analysis::kPhaseNames.size() ? analysis::kPhaseNames[phase] : "between"),
                                      duration(ns));
}

QString callTip(const analysis::CallDetails &details) {
  QStringList lines;
  lines << QStringLiteral("%1  %2").arg(toText(nameOf(details.call.outcome)), duration(details.call.totalNs()))
        << functionText(details.functionName, details.functionLine, details.eager) << signatureText(details.signature);
  if (details.compile) {
    lines << reasonText(details.compile->reason, details.compile->process)
          << differenceInWords(details.compile->difference).mid(0, 3);
  }
  return lines.join(QLatin1Char('\n'));
}

} // namespace jitscope::ui
