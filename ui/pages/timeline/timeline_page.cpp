// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/timeline/timeline_page.h"
#include "base/try.h"

#include "ui/pages/timeline/timeline_base.h"
#include "ui/pages/timeline/timeline_tips.h"
#include "ui/pages/timeline/timeline_view.h"
#include "ui/widgets/call_text.h"
#include "ui/widgets/layout/splitter.h"
#include "ui/widgets/storm_label.h"
#include "ui/widgets/text.h"

#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace jitscope::ui {

namespace {

using analysis::TimeRange;
using Lane = SessionStore::Lane;

/// The calls of the selection outside of its range stay visible: the range is marked instead.
analysis::Selection withoutRange(analysis::Selection selection) {
  selection.range.reset();
  return selection;
}

} // namespace

TimelinePage::TimelinePage(Workspace workspace, QWidget *parent)
    : Page(workspace, tr("Timeline"), parent), m_storms(new StormLabel(StormLabel::Advice::Linked, this)),
      m_progress(new LinkLabel(this)), m_view(new TimelineView(palette(), this)), m_details(new QTextBrowser(this)) {
  setObjectName(QStringLiteral("timeline"));
  m_progress->setObjectName(QStringLiteral("benchProgress"));
  m_progress->setContentsMargins(8, 6, 8, 6);
  m_progress->hide();
  m_details->setObjectName(QStringLiteral("callDetails"));
  m_details->setAccessibleName(tr("Details of the call"));
  m_details->setOpenLinks(false);
  m_details->setFrameShape(QFrame::NoFrame);
  auto *splitter = new Splitter(QStringLiteral("timeline"), Qt::Vertical, this);
  splitter->addWidget(m_view);
  splitter->addWidget(m_details);
  splitter->setStretchFactor(0, 1);
  splitter->restore({520, 170});
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_storms);
  layout->addWidget(m_progress);
  layout->addWidget(splitter, 1);
  setFocusProxy(m_view);

  new TimelineTips(store(), *m_view);
  connect(m_view, &TimelineView::rangeWanted, this, &TimelinePage::readView);
  connect(m_view, &TimelineView::resized, this, [this, wasNarrow = false]() mutable {
    if (std::exchange(wasNarrow, isNarrow()) != isNarrow()) {
      showDetails();
    }
    if (m_index) {
      readView(m_view->timeline().range());
    }
  });
  connect(m_view, &TimelineView::rangeSelected, this, [this](const TimeRange &range) { filter().setRange(range); });
  connect(m_view, &TimelineView::markChosen, this, &TimelinePage::choose);
  connect(m_view, &TimelineView::compileChosen, this, &TimelinePage::showCompile);
  connect(m_storms, &QLabel::linkActivated, this, [this](const QString &link) { Q_EMIT pageWanted(QUrl(link).path()); });
  connect(m_details, &QTextBrowser::anchorClicked, this, &TimelinePage::follow);
  connect(&focus(), &Focus::callChanged, this, [this](base::CallId id) {
    const bool isShown = isChosen() && m_call->call.id == id;
    if (id.isValid() && !isShown) {
      showCall(id, std::nullopt);
    }
  });
  clear();
}

TimelinePage::~TimelinePage() = default;

QString TimelinePage::hint() const { return tr("Every call by start and duration, with its compiles"); }

void TimelinePage::setHint(const QString &text) {
  m_details->setHtml(QStringLiteral("<p style=\"color:%1\">%2</p>").arg(palette().dimText.name(), text.toHtmlEscaped()));
}

void TimelinePage::clear() {
  m_index.reset();
  m_compiles.reset();
  m_sections.clear();
  m_starts.clear();
  m_parts.clear();
  m_progress->hide();
  letGo();
  m_storms->setStorms({});
  m_view->timeline().setData({});
  m_view->setFilterRange(std::nullopt);
  m_view->setLimits({0, 1'000'000'000});
  m_view->showAll();
  setHint(tr("No session is open."));
}

void TimelinePage::recolour() {
  m_view->timeline().setPalette(palette());
  showDetails();
}

void TimelinePage::refresh() {
  m_view->setFilterRange(filter().selection().range);
  const analysis::Selection selection = withoutRange(filter().selection());
  if (!m_index || m_index->selection() != selection) {
    m_index = std::make_shared<analysis::CallSpanIndex>(selection);
  }
  if (m_call && !isChosen() && !hiding().empty()) {
    letGo();
  }
  ring();
  showDetails();
  readBase();
  store().ask(
      Lane::Bulk, QStringLiteral("timeline-storms"), this,
      // As on the templates page: of the range as well, which the picture only marks.
      [all = filter().selection()](session::SessionReader &reader) { return analysis::readStorms(reader, all); },
      [this](const std::vector<analysis::RecompileStorm> &storms) { m_storms->setStorms(storms); });
}

void TimelinePage::readBase() {
  store().ask(
      Lane::Quick, QStringLiteral("timeline"), this,
      [index = m_index](session::SessionReader &reader) { return readTimelineBase(reader, *index); },
      [this](TimelineBase base) {
        m_compiles = std::make_shared<const std::vector<analysis::CompileSpan>>(std::move(base.compiles));
        m_sections = std::move(base.sections);
        m_starts = std::move(base.starts);
        m_parts = std::move(base.parts);
        m_progress->setVisible(!base.progress.isDone());
        m_progress->setText(base.progress.isDone() ? QString() : progressText(base.progress));
        const bool limitsChanged = base.limits != m_view->limits();
        m_view->setLimits(base.limits);
        if (!m_view->showsAll() || !limitsChanged) {
          readView(m_view->timeline().range());
        }
        if (!m_call) {
          setHint(base.calls == 0
                      ? tr("No calls here. %1 compiles: click one in the rows below the plot to see its cost and its IR.")
                            .arg(countText(m_compiles->size()))
                      : tr("%1 calls. Click one to see its cost and reason; drag to select a time range; wheel or W A S D to zoom "
                           "and move, Home for all.")
                            .arg(countText(base.calls)));
        }
      });
}

void TimelinePage::readView(const TimeRange &range) {
  if (!m_index || !m_compiles) {
    return;
  }
  store().ask(
      Lane::Quick, QStringLiteral("timeline-view"), this,
      [index = m_index, compiles = m_compiles, range,
       columns = m_view->timeline().columns()](session::SessionReader &reader) -> base::Result<charts::TimelineData> {
        JITSCOPE_TRY(analysis::TimelineView view, index->view(reader.database(), range, columns));
        charts::TimelineData timeline;
        timeline.view = std::move(view);
        analysis::addThreadsOf(*compiles, timeline.view);
        std::ranges::copy_if(*compiles, std::back_inserter(timeline.compiles), [&range](const analysis::CompileSpan &compile) {
          return compile.startNs < range.toNs && compile.startNs + compile.totalNs >= range.fromNs;
        });
        return timeline;
      },
      [this](charts::TimelineData timeline) {
        timeline.sections = m_sections;
        timeline.starts = m_starts;
        timeline.parts = m_parts;
        timeline.message = timeline.compiles.empty()
                               ? store().isRecording() ? tr("No calls and no compiles yet.") : tr("No calls and no compiles here.")
                               : tr("No calls here: everything was compiled ahead of time or for a study.\nThe compiles are below, "
                                    "split by phase; click one to see its cost and its IR.");
        m_view->timeline().setData(std::move(timeline));
        if (m_view->showsAll()) {
          suggest();
        }
      });
}

bool TimelinePage::isNarrow() const { return width() < 640; }

bool TimelinePage::isChosen() const { return m_call && !m_suggested.isValid(); }

void TimelinePage::suggest() {
  const auto &marks = m_view->timeline().data().view.marks;
  const auto longest = std::ranges::max_element(marks, {}, &analysis::TimelineMark::maxNs);
  if (longest == marks.end() || isChosen() || (m_call && m_call->call.totalNs() == longest->maxNs)) {
    return;
  }
  withCallOf(QStringLiteral("suggest"), *longest, [this, mark = *longest](base::CallId id) {
    store().ask(
        Lane::Quick, QStringLiteral("suggest"), this,
        [id](session::SessionReader &reader) { return analysis::readCallDetails(reader.database(), id); },
        [this, mark](std::optional<analysis::CallDetails> details) {
          if (details && !isChosen()) {
            m_suggested = details->call.id;
            m_call = std::move(details);
            m_mark = mark;
            m_view->setSuggested(true);
            ring();
            showDetails();
          }
        });
  });
}

void TimelinePage::choose(const analysis::TimelineMark &mark) {
  withCallOf(QStringLiteral("choose"), mark, [this, mark](base::CallId id) { showCall(id, mark); });
}

void TimelinePage::withCallOf(const QString &topic, const analysis::TimelineMark &mark, std::function<void(base::CallId)> use) {
  if (mark.calls == 1) {
    use(mark.firstId);
    return;
  }
  // Of several calls in one place, the longest is the one to ask about.
  const TimeRange range = m_view->timeline().range();
  const double columnNs = static_cast<double>(range.lengthNs()) / m_view->timeline().columns();
  analysis::Selection selection = withoutRange(filter().selection());
  selection.outcome = mark.outcome;
  const bool exact = m_view->timeline().data().view.exact;
  const double from = exact ? mark.startNs : mark.startNs - columnNs / 2;
  selection.range = TimeRange{static_cast<std::uint64_t>(std::max(from, 0.0)), static_cast<std::uint64_t>(from + columnNs) + 1};
  store().ask(
      Lane::Quick, topic, this,
      [index = m_index, selection](session::SessionReader &reader) {
        return analysis::longestCall(reader.database(), selection, index->idsIn(*selection.range));
      },
      [first = mark.firstId, use = std::move(use)](base::CallId id) { use(id.isValid() ? id : first); });
}

void TimelinePage::showCall(base::CallId id, std::optional<analysis::TimelineMark> mark) {
  store().ask(
      Lane::Quick, QStringLiteral("details"), this,
      [id](session::SessionReader &reader) { return analysis::readCallDetails(reader.database(), id); },
      [this, mark](std::optional<analysis::CallDetails> details) mutable {
        if (!details) {
          return;
        }
        m_call = std::move(details);
        const event::CallEvent &call = m_call->call;
        if (!mark) {
          mark =
              analysis::TimelineMark{static_cast<double>(call.startNs), call.totalNs(), call.totalNs(), 1, call.outcome, call.id};
        }
        m_mark = mark;
        m_suggested = {};
        m_view->setSuggested(false);
        ring();
        showDetails();
        chooseShown();
      });
}

void TimelinePage::chooseShown() {
  const event::CallEvent &call = m_call->call;
  if (std::exchange(m_suggested, base::CallId()).isValid()) {
    m_view->setSuggested(false);
    showDetails();
  }
  if (m_call->compile) {
    focus().setCompile(m_call->compile->id, call.templateId);
  }
  if (call.id.isValid()) {
    focus().setCall(call.id, call.templateId);
  }
}

void TimelinePage::showCompile(const analysis::CompileSpan &compile) {
  focus().setCompile(compile.id, compile.templateId);
  if (compile.callId.isValid()) {
    showCall(compile.callId, std::nullopt);
  } else {
    store().ask(
        Lane::Quick, QStringLiteral("details"), this,
        [id = compile.id](session::SessionReader &reader) { return analysis::readCompileDetails(reader.database(), id); },
        [this](std::optional<analysis::CallDetails> details) {
          m_call = std::move(details);
          m_suggested = {};
          m_mark.reset();
          ring();
          showDetails();
        });
  }
}

std::vector<Filter::Part> TimelinePage::hiding() const { return m_call ? filter().hiding(*m_call) : std::vector<Filter::Part>(); }

void TimelinePage::letGo() {
  m_call.reset();
  m_suggested = {};
  m_mark.reset();
  ring();
}

void TimelinePage::ring() {
  // Calls outside of the filter's range are seen all the same.
  const bool isSeen = std::ranges::all_of(hiding(), [](Filter::Part part) { return part == Filter::Part::Range; });
  m_view->timeline().setCurrent(isSeen ? m_mark : std::nullopt);
  m_view->timeline().setCurrentCompile(isSeen && m_call && m_call->compile ? m_call->compile->id : base::CompileId());
}

void TimelinePage::showDetails() {
  if (!m_call) {
    return;
  }
  QString html = callHtml(*m_call, palette(), isNarrow());
  if (!hiding().empty()) {
    html = QStringLiteral("<p style=\"margin:0 0 4px 0\">%1</p>").arg(hiddenText()) + html;
  } else if (!isChosen()) {
    const QString hint = tr("The longest call. Click another one to see its cost and reason; drag to select a time range; wheel or "
                            "W A S D to zoom and move, Home for all.");
    html = QStringLiteral("<p style=\"color:%1; margin:0\">%2</p>").arg(palette().dimText.name(), hint.toHtmlEscaped()) + html;
  }
  m_details->setHtml(html);
}

QString TimelinePage::hiddenText() const {
  const std::vector<Filter::Part> parts = hiding();
  QStringList names;
  for (const Filter::Chip &chip : filter().chips()) {
    if (std::ranges::find(parts, chip.part) != parts.end()) {
      names << chip.text.toHtmlEscaped();
    }
  }
  return tr("<b>The filter hides this one</b> (%1). <a href=\"unfilter\">Show it again</a>").arg(names.join(QStringLiteral(", ")));
}

void TimelinePage::follow(const QUrl &link) {
  if (!m_call) {
    return;
  }
  const QString target = link.toString();
  const event::CallEvent &call = m_call->call;
  if (link.scheme() == QLatin1String("line")) {
    Q_EMIT lineWanted(m_call->functionLine);
  } else if (link.scheme() == QLatin1String("page")) {
    chooseShown();
    Q_EMIT pageWanted(link.path());
  } else if (target == QLatin1String("unfilter")) {
    for (const Filter::Part part : hiding()) {
      filter().remove(part);
    }
  } else if (target == QLatin1String("nearest")) {
    const base::TemplateId nearest = m_call->compile ? m_call->compile->nearestTemplateId : m_call->retrieval->nearestTemplateId;
    focus().setTemplate(nearest);
    Q_EMIT pageWanted(QStringLiteral("templates"));
  } else if (target == QLatin1String("filter:function")) {
    filter().setFunction(m_call->functionId, lineText(m_call->functionName));
  } else if (target == QLatin1String("filter:template")) {
    filter().setTemplate(call.templateId, signatureText(m_call->signature));
  } else if (target == QLatin1String("filter:section")) {
    filter().setSection(call.sectionId, lineText(m_call->section));
  } else if (target == QLatin1String("filter:outcome")) {
    filter().setOutcome(call.outcome);
  } else if (target == QLatin1String("filter:case")) {
    filter().setCase(call.caseId, caseText(m_call->caseName, m_call->caseInput));
  }
}

} // namespace jitscope::ui
