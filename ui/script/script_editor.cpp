// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/script/script_editor.h"

#include <QFontDatabase>
#include <QHelpEvent>
#include <QToolTip>

namespace jitscope::ui {

namespace {

constexpr int kNumberMargin = 0;
constexpr int kNoteMargin = 1;
constexpr int kErrorMargin = 2;
constexpr int kErrorMarginWidth = 16;
constexpr int kErrorMarker = 1;
constexpr int kErrorSymbol = 2;
/// Beyond the styles that the lexer uses.
constexpr int kNoteStyle = 60;

/// The words of graph scripts, coloured apart from Lua's own.
constexpr const char *kScriptWords =
    "fn sleep iota zeros ones full uniform normal tensor select min max pow exp log sqrt rsqrt abs sin "
    "cos tanh sigmoid floor concat map time compile bench study modules section stats cache options "
    "expect lt le gt ge eq ne";

/// Lua with the words of graph scripts.
class GraphLexer : public QsciLexerLua {
public:
  using QsciLexerLua::QsciLexerLua;
  const char *keywords(int set) const override { return set == 5 ? kScriptWords : QsciLexerLua::keywords(set); }
};

} // namespace

ScriptEditor::ScriptEditor(QWidget *parent) : QsciScintilla(parent), m_lexer(new GraphLexer(this)) {
  setObjectName(QStringLiteral("scriptEditor"));
  setAccessibleName(tr("Script"));
  setUtf8(true);
  setLexer(m_lexer);
  setMarginType(kNumberMargin, NumberMargin);
  setMarginLineNumbers(kNumberMargin, true);
  setMarginType(kNoteMargin, TextMarginRightJustified);
  setMarginWidth(kNoteMargin, 0);
  setMarginSensitivity(kNoteMargin, true);
  // A margin of text draws markers, too, over its text, and markers that a margin draws are no ground of the line any more.
  setMarginMarkerMask(kNumberMargin, 0);
  setMarginMarkerMask(kNoteMargin, 0);
  setMarginType(kErrorMargin, SymbolMargin);
  setMarginMarkerMask(kErrorMargin, 1 << kErrorSymbol);
  setMarginWidth(kErrorMargin, 0);
  markerDefine(Background, kErrorMarker);
  markerDefine(RightTriangle, kErrorSymbol);
  setCaretLineVisible(true);
  setAutoIndent(true);
  setIndentationsUseTabs(false);
  setIndentationWidth(2);
  setTabWidth(2);
  setBraceMatching(SloppyBraceMatch);
  setFolding(NoFoldStyle);
  setScrollWidth(1);
  setScrollWidthTracking(true);
  connect(this, &QsciScintilla::linesChanged, this,
          [this] { setMarginWidth(kNumberMargin, QStringLiteral("0") + QString::number(std::max(lines(), 100))); });
  setMarginWidth(kNumberMargin, QStringLiteral("0100"));
  setColours(charts::Palette::of(charts::Scheme::Light));
}

void ScriptEditor::setColours(const charts::Palette &palette) {
  const QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  m_lexer->setDefaultFont(font);
  m_lexer->setDefaultPaper(palette.plot);
  m_lexer->setDefaultColor(palette.text);
  for (int style = 0; style < 128; ++style) {
    m_lexer->setFont(font, style);
    m_lexer->setPaper(palette.plot, style);
    m_lexer->setColor(palette.text, style);
  }
  const auto colour = [this](const QColor &tone, std::initializer_list<int> styles) {
    for (const int style : styles) {
      m_lexer->setColor(tone, style);
    }
  };
  colour(palette.dimText, {QsciLexerLua::Comment, QsciLexerLua::LineComment});
  colour(palette.outcome(event::Outcome::Disk), {QsciLexerLua::String, QsciLexerLua::Character, QsciLexerLua::LiteralString});
  colour(palette.outcome(event::Outcome::Miss), {QsciLexerLua::Number});
  colour(palette.accent, {QsciLexerLua::Keyword});
  colour(palette.outcome(event::Outcome::Wait), {QsciLexerLua::KeywordSet5, QsciLexerLua::BasicFunctions});
  setPaper(palette.plot);
  setColor(palette.text);
  setCaretForegroundColor(palette.text);
  // See-through, so that the ground of a failed line is seen while the caret is in it.
  QColor caretLine = palette.text;
  caretLine.setAlphaF(0.06F);
  setCaretLineBackgroundColor(caretLine);
  setMarginsBackgroundColor(palette.band);
  setMarginsForegroundColor(palette.dimText);
  setMarginsFont(font);
  QColor selected = palette.accent;
  selected.setAlphaF(0.35F);
  setSelectionBackgroundColor(selected);
  QColor error = palette.outcome(event::Outcome::Miss);
  // Scintilla paints markers without transparency.
  const auto mixed = [&](int tone, int ground) { return (tone + 3 * ground) / 4; };
  setMarkerBackgroundColor(QColor(mixed(error.red(), palette.plot.red()), mixed(error.green(), palette.plot.green()),
                                  mixed(error.blue(), palette.plot.blue())),
                           kErrorMarker);
  setMarkerBackgroundColor(error, kErrorSymbol);
  setMarkerForegroundColor(error, kErrorSymbol);
  m_noteStyle = QsciStyle(kNoteStyle, tr("Notes"), error, palette.band, font);
  setNotes(QMap<int, QString>(m_notes), QMap<int, QString>(m_tips));
}

// By way of QString the editor's own `setText` and `text` drop a byte order mark.
void ScriptEditor::setBytes(const QByteArray &utf8) {
  setReadOnly(false);
  SendScintilla(SCI_SETTEXT, utf8.constData());
  SendScintilla(SCI_EMPTYUNDOBUFFER);
  setModified(false);
}

QByteArray ScriptEditor::bytes() const {
  const auto *text = static_cast<const char *>(SendScintillaPtrResult(SCI_GETCHARACTERPOINTER));
  return {text, static_cast<qsizetype>(SendScintilla(SCI_GETLENGTH))};
}

void ScriptEditor::goToLine(int line) {
  const int index = std::clamp(line - 1, 0, std::max(lines() - 1, 0));
  setCursorPosition(index, 0);
  setFirstVisibleLine(std::max(index - static_cast<int>(SendScintilla(SCI_LINESONSCREEN)) / 2, 0));
  setFocus();
}

void ScriptEditor::markError(int line) {
  markerDeleteAll(kErrorMarker);
  markerDeleteAll(kErrorSymbol);
  setMarginWidth(kErrorMargin, line > 0 ? kErrorMarginWidth : 0);
  if (line > 0) {
    markerAdd(line - 1, kErrorMarker);
    markerAdd(line - 1, kErrorSymbol);
    goToLine(line);
  }
}

void ScriptEditor::setNotes(const QMap<int, QString> &notes, const QMap<int, QString> &tips) {
  m_notes = notes;
  m_tips = tips;
  clearMarginText();
  QString widest;
  for (auto note = notes.begin(); note != notes.end(); ++note) {
    if (note.key() <= lines()) {
      setMarginText(note.key() - 1, QsciStyledText(note.value() + QLatin1Char(' '), m_noteStyle));
      widest = note.value().size() > widest.size() ? note.value() : widest;
    }
  }
  setMarginWidth(kNoteMargin, widest.isEmpty() ? QString() : widest + QStringLiteral("00"));
  if (widest.isEmpty()) {
    setMarginWidth(kNoteMargin, 0);
  }
}

void ScriptEditor::keyPressEvent(QKeyEvent *event) {
  const bool endsNothing = !isListActive() && !isCallTipActive();
  if (event->key() == Qt::Key_Escape && event->modifiers() == Qt::NoModifier && endsNothing) {
    Q_EMIT leaveWanted();
    return;
  }
  // Of several lines it takes back what Tab does to them.
  const bool isBlock = SendScintilla(SCI_LINEFROMPOSITION, SendScintilla(SCI_GETSELECTIONSTART)) !=
                       SendScintilla(SCI_LINEFROMPOSITION, SendScintilla(SCI_GETSELECTIONEND));
  if (event->key() == Qt::Key_Backtab && !isBlock) {
    QAbstractScrollArea::focusNextPrevChild(false); // Scintilla's own stays
    return;
  }
  QsciScintilla::keyPressEvent(event);
}

bool ScriptEditor::event(QEvent *event) {
  if (event->type() == QEvent::ToolTip) {
    const auto *help = static_cast<QHelpEvent *>(event);
    const int line = static_cast<int>(
        SendScintilla(SCI_LINEFROMPOSITION, SendScintilla(SCI_POSITIONFROMPOINT, 0UL, static_cast<long>(help->y()))));
    const QString tip = help->x() < marginWidth(kNumberMargin) + marginWidth(kNoteMargin) ? m_tips.value(line + 1) : QString();
    if (!tip.isEmpty()) {
      QToolTip::showText(help->globalPos(), tip, this);
      return true;
    }
    QToolTip::hideText();
  }
  return QsciScintilla::event(event);
}

} // namespace jitscope::ui
