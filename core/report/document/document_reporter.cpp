// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/document_reporter.h"

#include "report/document/session_document.h"

namespace jitscope::report {

std::string MarkdownReporter::render(const analysis::Summary &summary) const {
  // Pages of a CI bound what they take, GitHub's at 1 MiB; the script is at hand there.
  SessionDocumentOptions options;
  options.rows = 50;
  options.scriptBytes = std::size_t{16} * 1024;
  return renderMarkdown(sessionDocument(summary, options));
}

std::string HtmlReporter::render(const analysis::Summary &summary) const {
  SessionDocumentOptions options;
  options.charts = m_charts;
  return renderHtml(sessionDocument(summary, options));
}

} // namespace jitscope::report
