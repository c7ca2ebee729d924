// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/code/code_comparison.h"

#include "analysis/code/ir_diff.h"
#include "analysis/query/function_path.h"
#include "base/try.h"
#include "session/session_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <string_view>
#include <utility>

namespace jitscope::analysis {

namespace {

using event::CompileEvent;

std::unexpected<base::Error> wrong(std::string message) { return base::fail(base::ErrorCode::RuntimeOption, std::move(message)); }

/// The point that a side of the request names; empty where it names a pipeline.
std::string_view pointIn(std::string_view side) {
  for (const std::string_view head : {"pass:", "stage:"}) {
    if (side.starts_with(head)) {
      return side.substr(head.size());
    }
  }
  return {};
}

class Comparer {
public:
  Comparer(session::SessionReader &reader, const CodeRequest &request, RecordedCode code)
      : m_reader(reader), m_request(request), m_code(std::move(code)), m_compiles(m_code.compiles()) {
    std::erase_if(m_compiles, [&request](const CompileEvent &compile) {
      return (request.study && compile.studyId.value != *request.study) ||
             (request.compile && compile.id.value != *request.compile);
    });
  }

  base::Result<CodeComparison> run();

private:
  [[nodiscard]] std::vector<std::string> pipelines() const;
  [[nodiscard]] std::string held() const;
  [[nodiscard]] base::Result<std::pair<std::string, std::string>> chosenPipelines() const;
  [[nodiscard]] base::Result<std::pair<CompileEvent, CompileEvent>> compilesUnder(const std::string &left,
                                                                                  const std::string &right) const;
  [[nodiscard]] base::Result<CompileEvent> onlyCompile() const;
  base::Result<CodeComparison> betweenPipelines();
  base::Result<CodeComparison> betweenPoints();
  base::Result<void> fill(CodeComparison &comparison, const CompileEvent &left, std::string_view leftPoint,
                          const CompileEvent &right, std::string_view rightPoint);
  base::Result<std::string> signatureOf(const CompileEvent &compile);

  session::SessionReader &m_reader;
  const CodeRequest &m_request;
  RecordedCode m_code;
  std::vector<CompileEvent> m_compiles; ///< that hold code of the function and may be compared
};

std::vector<std::string> Comparer::pipelines() const {
  std::vector<std::string> names;
  for (const CompileEvent &compile : m_compiles) {
    if (std::ranges::find(names, compile.pipeline) == names.end()) {
      names.push_back(compile.pipeline);
    }
  }
  return names;
}

/// What there is to choose from, for messages.
std::string Comparer::held() const {
  std::vector<std::string> parts;
  for (const CompileEvent &compile : m_code.compiles()) {
    std::string place = fmt::format("compile {} under {}", compile.id.value, compile.pipeline);
    place += compile.studyId.isValid() ? fmt::format(" in study {}", compile.studyId.value) : "";
    parts.push_back(std::move(place));
  }
  constexpr std::size_t kMaximum = 12;
  const std::size_t hidden = parts.size() > kMaximum ? parts.size() - kMaximum : 0;
  parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(hidden));
  return fmt::format("{}{}", hidden > 0 ? fmt::format("{} others, ", hidden) : std::string(), fmt::join(parts, ", "));
}

base::Result<std::pair<std::string, std::string>> Comparer::chosenPipelines() const {
  if (!m_request.left.empty()) {
    return std::pair(m_request.left, m_request.right);
  }
  const std::vector<std::string> names = pipelines();
  const auto has = [&names](std::string_view name) { return std::ranges::find(names, name) != names.end(); };
  if (has("per-function") && has("deferred")) {
    return std::pair<std::string, std::string>("per-function", "deferred");
  }
  if (names.size() < 2) {
    return wrong(
        fmt::format("\"{}\" was compiled under {}, and two are needed; compile it under another one in a study, or compare "
                    "two points of it, e.g. --between stage:before,stage:final. The session has {}",
                    m_code.function().name, names.empty() ? std::string("no pipeline of those asked for") : names.front(), held()));
  }
  return std::pair(names[0], names[1]);
}

base::Result<std::pair<CompileEvent, CompileEvent>> Comparer::compilesUnder(const std::string &left,
                                                                            const std::string &right) const {
  // Of studies the compiles of one; latest first.
  std::map<base::StudyId, std::pair<const CompileEvent *, const CompileEvent *>> byStudy;
  std::pair<const CompileEvent *, const CompileEvent *> latest{nullptr, nullptr};
  for (const CompileEvent &compile : m_compiles) {
    auto &study = byStudy[compile.studyId];
    for (auto *pair : {&study, &latest}) {
      pair->first = compile.pipeline == left ? &compile : pair->first;
      pair->second = compile.pipeline == right ? &compile : pair->second;
    }
  }
  for (const auto &[study, pair] : std::views::reverse(byStudy)) {
    if (study.isValid() && pair.first != nullptr && pair.second != nullptr) {
      return std::pair(*pair.first, *pair.second);
    }
  }
  for (const auto &[compile, pipeline] : {std::pair(latest.first, left), std::pair(latest.second, right)}) {
    if (compile == nullptr) {
      return wrong(fmt::format("the session holds no code of \"{}\" under \"{}\"{}; it has {}", m_code.function().name, pipeline,
                               m_request.study ? fmt::format(" in study {}", *m_request.study) : std::string(), held()));
    }
  }
  return std::pair(*latest.first, *latest.second);
}

base::Result<CompileEvent> Comparer::onlyCompile() const {
  const CompileEvent *latest = nullptr;
  for (const CompileEvent &compile : m_compiles) {
    if (m_request.pipeline.empty() || compile.pipeline == m_request.pipeline) {
      latest = &compile;
    }
  }
  if (latest == nullptr) {
    return wrong(fmt::format("the session holds no such code of \"{}\"; it has {}", m_code.function().name, held()));
  }
  if (m_request.pipeline.empty() && pipelines().size() > 1) {
    return wrong(fmt::format("\"{}\" was compiled under {}; choose one with --pipeline", m_code.function().name,
                             fmt::join(pipelines(), ", ")));
  }
  return *latest;
}

base::Result<std::string> Comparer::signatureOf(const CompileEvent &compile) {
  JITSCOPE_TRY(std::vector<event::TemplateEvent> templates, m_reader.templates());
  const auto found = std::ranges::find(templates, compile.templateId, &event::TemplateEvent::id);
  const bool isItsOwn = found != templates.end() && found->functionId == m_code.function().id;
  return isItsOwn ? std::move(found->signature) : std::string();
}

base::Result<void> Comparer::fill(CodeComparison &comparison, const CompileEvent &left, std::string_view leftPoint,
                                  const CompileEvent &right, std::string_view rightPoint) {
  comparison.function = m_code.function();
  comparison.studyId = left.studyId == right.studyId ? left.studyId : base::StudyId();
  base::Result<std::string> signature = signatureOf(left);
  base::Result<CodePoint> atLeft = m_code.at(left, leftPoint, left.passes);
  base::Result<CodePoint> atRight = m_code.at(right, rightPoint, right.passes);
  if (!signature || !atLeft || !atRight) {
    return std::unexpected(std::move(!signature ? signature.error() : !atLeft ? atLeft.error() : atRight.error()));
  }
  comparison.signature = *std::move(signature);
  comparison.left = {left.pipeline, left.id, *std::move(atLeft)};
  comparison.right = {right.pipeline, right.id, *std::move(atRight)};
  session::OptimizerReader optimizer(m_reader);
  const base::Result<std::string> leftText = optimizer.irText(comparison.left.point.irId);
  const base::Result<std::string> rightText = optimizer.irText(comparison.right.point.irId);
  if (!leftText || !rightText) {
    return std::unexpected(!leftText ? leftText.error() : rightText.error());
  }
  IrTextOptions options = m_request.text;
  for (const event::FunctionEvent &function : m_code.allFunctions()) {
    if (!function.symbol.empty()) {
      options.symbolNames.emplace(function.symbol, function.name);
    }
  }
  comparison.diff = diffIr(*leftText, *rightText, options);
  return {};
}

base::Result<CodeComparison> Comparer::betweenPipelines() {
  JITSCOPE_TRY(const auto names, chosenPipelines());
  JITSCOPE_TRY(auto compiles, compilesUnder(names.first, names.second));
  auto &[left, right] = compiles;
  session::OptimizerReader optimizer(m_reader);
  base::Result<void> done = optimizer.attachFindings(left);
  done = done ? optimizer.attachFindings(right) : done;
  CodeComparison comparison;
  const std::string_view point = m_request.point;
  const std::size_t comma = point.find(',');
  const std::string_view rightPoint = comma == std::string_view::npos ? point : point.substr(comma + 1);
  done = done ? fill(comparison, left, point.substr(0, comma), right, rightPoint) : done;
  if (!done) {
    return std::unexpected(std::move(done.error()));
  }
  const base::FunctionId function = m_code.function().id;
  comparison.remarks = compareRemarks(remarksOf(left, function), remarksOf(right, function));
  comparison.divergence = divergenceOf(function, left, right, m_code.allFunctions());
  return comparison;
}

base::Result<CodeComparison> Comparer::betweenPoints() {
  JITSCOPE_TRY(CompileEvent compile, onlyCompile());
  base::Result<void> done = session::OptimizerReader(m_reader).attachFindings(compile);
  CodeComparison comparison;
  done = done ? fill(comparison, compile, pointIn(m_request.left), compile, pointIn(m_request.right)) : done;
  if (!done) {
    return std::unexpected(std::move(done.error()));
  }
  // Between two passes what was said is known by the pass that was running.
  const std::uint32_t first = std::min(comparison.left.point.passSeq, comparison.right.point.passSeq);
  const std::uint32_t last = std::max(comparison.left.point.passSeq, comparison.right.point.passSeq);
  std::vector<event::Remark> said = remarksOf(compile, m_code.function().id);
  if (last > 0) {
    std::erase_if(said, [first, last](const event::Remark &remark) { return remark.passSeq <= first || remark.passSeq > last; });
  }
  comparison.remarks = compareRemarks({}, said);
  return comparison;
}

base::Result<CodeComparison> Comparer::run() {
  if (m_compiles.empty()) {
    return wrong(fmt::format("the session holds no such code of \"{}\"; it has {}", m_code.function().name, held()));
  }
  const bool hasLeft = !pointIn(m_request.left).empty();
  const bool hasRight = !pointIn(m_request.right).empty();
  if (hasLeft != hasRight) {
    return wrong(
        fmt::format("\"{}\" and \"{}\" are of different kinds: compare two pipelines, or two points (pass:N, stage:NAME) of one",
                    m_request.left, m_request.right));
  }
  return hasLeft ? betweenPoints() : betweenPipelines();
}

} // namespace

base::Result<CodeComparison> compareCode(session::SessionReader &reader, const CodeRequest &request) {
  JITSCOPE_TRY(const session::ReadSnapshot held, reader.snapshot());
  JITSCOPE_TRY(RecordedCode code, RecordedCode::find(reader, request.function));
  return Comparer(reader, request, std::move(code)).run();
}

} // namespace jitscope::analysis
