// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/timeline/timeline_tips.h"

#include "analysis/calls/call_details.h"
#include "analysis/query/process_name.h"
#include "ui/pages/timeline/timeline_view.h"
#include "ui/store/session_store.h"
#include "ui/widgets/call_text.h"
#include "ui/widgets/text.h"

#include <QToolTip>

#include <algorithm>

namespace jitscope::ui {

namespace {

constexpr std::size_t kMaxSections = 12;

QString spanText(std::uint64_t fromNs, std::uint64_t toNs) {
  return TimelineTips::tr("%1 to %2").arg(durationText(static_cast<double>(fromNs)), durationText(static_cast<double>(toNs)));
}

} // namespace

TimelineTips::TimelineTips(SessionStore &store, TimelineView &view) : QObject(&view), m_store(store), m_view(view) {
  m_timer.setSingleShot(true);
  m_timer.setInterval(120);
  connect(&m_timer, &QTimer::timeout, this, &TimelineTips::showMark);
  connect(&view, &TimelineView::markHovered, this, &TimelineTips::hoverMark);
  connect(&view, &TimelineView::compileHovered, this, [this](const analysis::CompileSpan *compile, const QPoint &place) {
    QStringList lines = compileLines(compile->pipeline, compile->totalNs, compile->phasesNs);
    if (!compile->functionName.empty()) {
      lines.prepend(lineText(compile->functionName, 60));
    }
    show(lines.join(QLatin1Char('\n')), place);
  });
  connect(&view, &TimelineView::startHovered, this,
          [this](const analysis::ProcessStart *start, const QPoint &place) { hoverStart(*start, place); });
  connect(&view, &TimelineView::threadHovered, this, &TimelineTips::hoverThread);
  connect(&view, &TimelineView::sectionsHovered, this, &TimelineTips::hoverSections);
}

void TimelineTips::show(const QString &text, const QPoint &place) {
  hoverMark(nullptr, {});
  QToolTip::showText(m_view.viewport()->mapToGlobal(place), text, &m_view);
}

void TimelineTips::hoverMark(const analysis::TimelineMark *mark, const QPoint &place) {
  m_timer.stop();
  m_store.cancel(QStringLiteral("hover"));
  if (mark == nullptr) {
    QToolTip::hideText();
    return;
  }
  m_mark = *mark;
  m_place = place;
  m_timer.start();
}

void TimelineTips::hoverStart(const analysis::ProcessStart &start, const QPoint &place) {
  show(tr("%1: a cold leg in a process of its own.\nFrom %2 that process started and ran the script again up to its case,\nto "
          "create the inputs. This is not recorded and not part of any sample.")
           .arg(charts::threadLabel({start.process, 0}, m_view.timeline().data().parts),
                spanText(start.unrecorded.fromNs, start.unrecorded.toNs)),
       place);
}

void TimelineTips::hoverThread(const analysis::ThreadName &thread, const QPoint &place) {
  const charts::TimelineData &data = m_view.timeline().data();
  const analysis::ProcessName process = analysis::nameOfProcess(thread.process, data.parts);
  QStringList lines{charts::threadLabel(thread, data.parts)};
  lines << (process.coldLeg > 0 ? tr("thread %1 of a cold leg in a process of its own").arg(thread.thread)
                                : tr("thread %1 of the process that ran the script").arg(thread.thread));
  if (process.part > 0) {
    lines << tr("run %1 of the %2 that this session was merged from: %3")
                 .arg(process.part)
                 .arg(data.parts.size())
                 .arg(lineText(process.scriptPath));
  }
  show(lines.join(QLatin1Char('\n')), place);
}

void TimelineTips::hoverSections(const std::vector<charts::SectionBand> &sections, const QPoint &place) {
  QStringList lines;
  for (const charts::SectionBand &section : sections) {
    lines << tr("section %1: %2")
                 .arg(section.name.isEmpty() ? tr("without a name") : section.name, spanText(section.startNs, section.endNs));
  }
  if (sections.size() > kMaxSections) {
    lines = lines.mid(0, kMaxSections) << tr("… and %1 more: zoom in").arg(sections.size() - kMaxSections);
  }
  show(lines.join(QLatin1Char('\n')), place);
}

void TimelineTips::showMark() {
  const QPoint place = m_view.viewport()->mapToGlobal(m_place);
  if (m_mark.calls > 1) {
    const QString text =
        m_mark.minNs == m_mark.maxNs ? durationText(static_cast<double>(m_mark.maxNs)) : spanText(m_mark.minNs, m_mark.maxNs);
    QToolTip::showText(place,
                       tr("%1 calls: %2, %3\nClick for the longest; zoom in to see each")
                           .arg(countText(m_mark.calls), toText(nameOf(m_mark.outcome)), text),
                       &m_view);
    return;
  }
  m_store.ask(
      SessionStore::Lane::Quick, QStringLiteral("hover"), this,
      [id = m_mark.firstId](session::SessionReader &reader) { return analysis::readCallDetails(reader.database(), id); },
      [this, place](const std::optional<analysis::CallDetails> &details) {
        if (details && m_view.underMouse()) {
          QToolTip::showText(place, callTip(*details), &m_view);
        }
      });
}

} // namespace jitscope::ui
