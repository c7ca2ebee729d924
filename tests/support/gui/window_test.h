// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/gui/gui_fixture.h"
#include "support/result_checks.h"
#include "support/sessions/session_samples.h"

#include <QFile>

#include <memory>

namespace jitscope::test {

/// Base of tests of the window: each test function gets a new window, which may have a session open and show a page. A test calls
/// `begin` from its slot `init` and `end` from `cleanup`.
class WindowTest : public QObject {
protected:
  using Sample = Recording (*)();

  /// `sample` makes the session to open, `page` names the page to show; both may be missing.
  explicit WindowTest(Sample sample = nullptr, const char *page = "") : m_sample(sample), m_page(QString::fromLatin1(page)) {}

  void begin() {
    m_window = showWindow();
    if (m_sample != nullptr) {
      m_path = m_sandbox.file(QStringLiteral("sample.jitscope"));
      if (!QFile::exists(m_path)) {
        JS_VERIFY_RESULT(writeSession(m_path.toStdString(), m_sample()));
      }
      QVERIFY(openAndSettle(*m_window, m_path));
    }
    QVERIFY(m_page.isEmpty() || showAndSettle(*m_window, m_page));
  }
  void end() { m_window.reset(); }

  GuiSandbox m_sandbox;
  QString m_path; ///< of the session that `begin` opens
  std::unique_ptr<ui::MainWindow> m_window;

private:
  Sample m_sample;
  QString m_page;
};

} // namespace jitscope::test
