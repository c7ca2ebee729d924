// SPDX-License-Identifier: GPL-3.0-or-later
#include "manual/value_type.h"

#include "analysis/findings/finding.h"
#include "analysis/query/selection_text.h"
#include "pipeline/pipeline.h"
#include "runtime/engine_options.h"

#include <utility>

namespace jitscope::app {

namespace {

template <typename Names> std::vector<std::string> wordsOf(const Names &names, std::string_view end = "") {
  std::vector<std::string> words;
  for (const auto &name : names) {
    words.push_back(std::string(name).append(end));
  }
  return words;
}

std::vector<std::string> settings() {
  std::vector<std::string> names;
  for (const runtime::OptionDescription &option : runtime::describeOptions({})) {
    names.push_back(option.name + "=");
  }
  return names;
}

} // namespace

ValueType valueType(std::string_view name) {
  if (name == value::kFile) {
    return {Completion::Files, {}};
  }
  if (name == value::kSession || name == value::kSessions) {
    return {Completion::Files, {"jitscope"}};
  }
  if (name == value::kScript || name == value::kScripts) {
    return {Completion::Files, {"lua"}};
  }
  if (name == value::kModule) {
    return {Completion::Files, {"bc", "ll"}};
  }
  if (name == value::kFolder) {
    return {Completion::Folders, {}};
  }
  if (name == value::kPipeline || name == value::kPipelines || name == value::kSides) {
    return {name == value::kPipeline ? Completion::Words : Completion::WordList, wordsOf(pipeline::pipelineNames())};
  }
  if (name == value::kFindings) {
    std::vector<std::string> kinds;
    for (const analysis::FindingKind kind : analysis::kFindingKinds) {
      kinds.emplace_back(nameOf(kind));
    }
    return {Completion::WordList, std::move(kinds)};
  }
  if (name == value::kSetting) {
    return {Completion::Prefixes, settings()};
  }
  if (name == value::kFilter) {
    return {Completion::Prefixes, wordsOf(analysis::selectionKeys(), "=")};
  }
  return {};
}

} // namespace jitscope::app
