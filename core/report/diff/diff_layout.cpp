// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/diff/diff_layout.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace jitscope::report {

namespace {

using analysis::DiffRow;
using analysis::RowKind;
using Rows = std::span<const DiffRow>;

/// A stretch this long on one side is read in full.
constexpr std::size_t kShortRun = 10;
/// So is a block of a longer stretch that has at most as many rows.
constexpr std::size_t kShortBlock = 4;

bool isOneSided(const DiffRow &row) { return row.kind == RowKind::LeftOnly || row.kind == RowKind::RightOnly; }

/// "<4 x double>", "<vscale x 2 x i64>".
bool hasVector(const DiffRow &row) {
  const std::string_view text = row.kind == RowKind::LeftOnly ? row.left : row.right;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::string_view rest = text.substr(at + 1);
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (rest.starts_with("vscale x ") || (digits > 0 && rest.substr(digits).starts_with(" x "))) {
      return true;
    }
  }
  return false;
}

class Layout {
public:
  explicit Layout(const DiffLayoutOptions &options) : m_options(options) {}

  void hide(std::size_t count, RowKind kind) {
    if (count > 0) {
      m_shown.push_back({nullptr, count, kind});
    }
  }

  void show(Rows rows) {
    for (const DiffRow &row : rows) {
      m_shown.push_back({&row, 0, row.kind});
    }
  }

  /// Equal rows that are not shown; a single one takes no more room than the word that it is there.
  void skip(Rows rows) {
    if (rows.size() == 1) {
      show(rows);
    } else {
      hide(rows.size(), RowKind::Equal);
    }
  }

  /// The rows of a hunk.
  void add(Rows rows) {
    while (!rows.empty()) {
      std::size_t count = 1;
      if (isOneSided(rows.front())) {
        const RowKind kind = rows.front().kind;
        const auto end = std::ranges::find_if(rows, [kind](const DiffRow &row) { return row.kind != kind; });
        count = static_cast<std::size_t>(end - rows.begin());
      }
      addRun(rows.first(count));
      rows = rows.subspan(count);
    }
  }

  [[nodiscard]] std::vector<ShownRow> take() { return std::move(m_shown); }

private:
  /// Rows that one side has, or a single row of another kind.
  void addRun(Rows run) {
    if (m_options.isFull || run.size() <= kShortRun) {
      show(run);
      return;
    }
    while (!run.empty()) {
      const auto end = std::find_if(run.begin() + 1, run.end(), [](const DiffRow &row) { return row.isLabel; });
      const Rows block = run.first(static_cast<std::size_t>(end - run.begin()));
      if (block.size() <= kShortBlock || std::ranges::any_of(block, hasVector)) {
        show(block);
      } else {
        show(block.first(1));
        hide(block.size() - 1, block.front().kind);
      }
      run = run.subspan(block.size());
    }
  }

  const DiffLayoutOptions &m_options;
  std::vector<ShownRow> m_shown;
};

} // namespace

std::vector<ShownRow> layOut(const analysis::TextDiff &diff, const DiffLayoutOptions &options) {
  Layout layout(options);
  std::size_t end = 0;
  const std::vector<analysis::Hunk> hunks = analysis::hunksOf(diff, options.context);
  for (const analysis::Hunk &hunk : hunks) {
    layout.skip(Rows(diff.rows).subspan(end, hunk.firstRow - end));
    layout.add(Rows(diff.rows).subspan(hunk.firstRow, hunk.rowCount));
    end = hunk.firstRow + hunk.rowCount;
  }
  if (!hunks.empty()) {
    layout.skip(Rows(diff.rows).subspan(end));
  }
  return layout.take();
}

} // namespace jitscope::report
