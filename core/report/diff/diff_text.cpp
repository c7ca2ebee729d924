// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/diff/diff_text.h"

#include "analysis/code/code_comparison.h"
#include "analysis/code/divergence_text.h"
#include "report/diff/diff_layout.h"
#include "report/diff/diff_lines.h"
#include "report/render/display_text.h"
#include "report/render/text_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace jitscope::report {

namespace {

using analysis::CodeComparison;
using analysis::CodeSide;
using analysis::DiffRow;
using analysis::RowKind;

constexpr LineLook kEqualLook{Tone::Dim, Tone::Dim};
constexpr LineLook kLeftLook{Tone::Bad, Tone::Bad};
constexpr LineLook kRightLook{Tone::Good, Tone::Good};
// Within a line that both sides have, only what differs stands out.
constexpr LineLook kChangedLeftLook{Tone::Plain, Tone::Bad};
constexpr LineLook kChangedRightLook{Tone::Plain, Tone::Good};

std::string plural(std::size_t count, std::string_view what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }

class DiffText {
public:
  DiffText(const CodeComparison &comparison, const DiffTextOptions &options)
      : m_comparison(comparison), m_options(options), m_style(options.colour) {}

  std::string render() {
    header();
    divergence();
    code();
    remarks();
    return std::move(m_text);
  }

private:
  void line(std::string_view text, Tone tone = Tone::Plain) { m_text += m_style.apply(text, tone) + '\n'; }

  /// Wrapped to the width, with the following lines indented as well.
  void paragraph(std::string_view lead, std::string_view text, Tone tone = Tone::Plain) {
    const std::string indentation(displayWidth(lead), ' ');
    bool isFirst = true;
    constexpr std::size_t kMaxLines = 12;
    for (const std::string &part : wrap(printable(text), m_options.width - std::min(m_options.width / 2, lead.size()), kMaxLines)) {
      m_text += (isFirst ? std::string(lead) : indentation) + m_style.apply(part, tone) + '\n';
      isFirst = false;
    }
  }

  [[nodiscard]] bool isOneCompile() const { return m_comparison.left.compileId == m_comparison.right.compileId; }

  [[nodiscard]] std::string nameOf(const CodeSide &side) const { return isOneCompile() ? side.point.describe() : side.pipeline; }

  [[nodiscard]] std::string sideText(const CodeSide &side) const {
    std::string text = fmt::format("{}, {}, compile {}", side.pipeline, side.point.describe(), side.compileId.value);
    if (m_comparison.studyId.isValid()) {
      text += fmt::format(" of study {}", m_comparison.studyId.value);
    }
    return text;
  }

  void header() {
    const event::FunctionEvent &function = m_comparison.function;
    std::string name = event::functionLabel(function.name, function.line);
    if (!m_comparison.signature.empty()) {
      name += fmt::format("({})", m_comparison.signature);
    }
    line(elide(printable(name), m_options.width), Tone::Heading);
    paragraph("- ", sideText(m_comparison.left), Tone::Bad);
    paragraph("+ ", sideText(m_comparison.right), Tone::Good);
    for (const CodeSide *side : {&m_comparison.left, &m_comparison.right}) {
      if (!side->point.note.empty()) {
        paragraph("  ", side->point.note, Tone::Notable);
      }
    }
  }

  void divergence() {
    if (!m_comparison.divergence) {
      return;
    }
    line("");
    line("Where they diverge", Tone::Heading);
    for (const std::string &sentence : m_comparison.divergence->sentences) {
      paragraph("  ", sentence);
    }
  }

  void code() {
    const analysis::TextDiff &diff = m_comparison.diff;
    line("");
    if (diff.isEqual()) {
      line(fmt::format("The code is equal: {}", plural(diff.rows.size(), "line")), Tone::Heading);
      return;
    }
    paragraph("",
              fmt::format("Code: {} changed, {} only in {}, {} only in {}", plural(diff.changed, "line"), diff.leftOnly,
                          nameOf(m_comparison.left), diff.rightOnly, nameOf(m_comparison.right)),
              Tone::Heading);
    if (diff.isCoarse) {
      paragraph("  ", "The texts are long and were compared in parts, so some equal lines may be shown as different.",
                Tone::Notable);
    }
    bool hasFolds = false;
    for (const ShownRow &shown : layOut(diff, {m_options.context, m_options.isFull})) {
      if (shown.row == nullptr) {
        hasFolds = hasFolds || shown.hiddenKind != RowKind::Equal;
        fold(shown);
      } else if (m_options.isSideBySide) {
        besides(*shown.row);
      } else {
        unified(*shown.row);
      }
    }
    if (hasFolds) {
      line("  (--full shows what is folded)", Tone::Dim);
    }
  }

  void fold(const ShownRow &shown) {
    const bool isEqual = shown.hiddenKind == RowKind::Equal;
    const bool isRight = shown.hiddenKind == RowKind::RightOnly;
    const std::string indentation = isRight && m_options.isSideBySide ? std::string(cellWidth() + 1, ' ') : std::string();
    line(isEqual ? fmt::format("  ⋮ {}", plural(shown.hidden, "equal line"))
                 : fmt::format("{}{}     … {}", indentation, isRight ? (m_options.isSideBySide ? '>' : '+') : '-',
                               plural(shown.hidden, "more line")),
         Tone::Dim);
  }

  void unified(const DiffRow &row) {
    const std::size_t room = m_options.isFull ? 0 : m_options.width - 2;
    const auto one = [&](std::string_view mark, const std::string &text, const std::vector<analysis::TextSpan> &spans,
                         Tone markTone, LineLook look) {
      m_text += m_style.apply(mark, markTone) + markedLine(text, spans, room, look, m_style) + '\n';
    };
    switch (row.kind) {
    case RowKind::Equal:
      one("  ", row.left, {}, Tone::Dim, kEqualLook);
      break;
    case RowKind::LeftOnly:
      one("- ", row.left, {}, Tone::Bad, kLeftLook);
      break;
    case RowKind::RightOnly:
      one("+ ", row.right, {}, Tone::Good, kRightLook);
      break;
    case RowKind::Changed:
      one("- ", row.left, row.leftSpans, Tone::Bad, kChangedLeftLook);
      one("+ ", row.right, row.rightSpans, Tone::Good, kChangedRightLook);
      break;
    }
  }

  [[nodiscard]] std::size_t cellWidth() const { return (m_options.width - 3) / 2; }

  void besides(const DiffRow &row) {
    const bool isChanged = row.kind == RowKind::Changed;
    const bool isEqual = row.kind == RowKind::Equal;
    const LineLook left = isEqual ? kEqualLook : isChanged ? kChangedLeftLook : kLeftLook;
    const LineLook right = isEqual ? kEqualLook : isChanged ? kChangedRightLook : kRightLook;
    const std::string_view middle = isEqual ? "   " : isChanged ? " | " : row.kind == RowKind::LeftOnly ? " < " : " > ";
    std::string text = paddedLine(row.left, row.leftSpans, cellWidth(), left, m_style) + std::string(middle) +
                       markedLine(row.right, row.rightSpans, cellWidth(), right, m_style);
    if (row.kind == RowKind::LeftOnly) {
      text.erase(text.find_last_not_of(' ') + 1);
    }
    m_text += text + '\n';
  }

  void remarks() {
    if (m_comparison.remarks.empty()) {
      return;
    }
    line("");
    line(isOneCompile() ? "Remarks in between" : "Remarks that differ", Tone::Heading);
    constexpr std::size_t kMaximum = 12;
    const std::size_t shown = m_options.isFull ? m_comparison.remarks.size() : std::min(kMaximum, m_comparison.remarks.size());
    for (std::size_t i = 0; i < shown; ++i) {
      for (const event::Remark &remark : m_comparison.remarks[i].left) {
        paragraph("- ", analysis::remarkText(remark), Tone::Bad);
      }
      for (const event::Remark &remark : m_comparison.remarks[i].right) {
        paragraph("+ ", analysis::remarkText(remark), Tone::Good);
      }
    }
    if (shown < m_comparison.remarks.size()) {
      line(fmt::format("  … at {} more places (--full shows them)", m_comparison.remarks.size() - shown), Tone::Dim);
    }
  }

  const CodeComparison &m_comparison;
  const DiffTextOptions &m_options;
  TextStyle m_style;
  std::string m_text;
};

} // namespace

std::string renderDiff(const CodeComparison &comparison, const DiffTextOptions &options) {
  DiffTextOptions bounded = options;
  constexpr std::size_t kNarrowest = 60;
  constexpr std::size_t kWidest = 400;
  bounded.width = std::clamp(options.width, kNarrowest, kWidest);
  return DiffText(comparison, bounded).render();
}

} // namespace jitscope::report
