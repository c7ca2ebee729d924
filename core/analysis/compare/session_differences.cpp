// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compare/session_differences.h"

#include "analysis/compare/comparison.h"
#include "session/file/session_info.h"
#include "session/file/session_open.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <sstream>

namespace jitscope::analysis {

namespace {

using record::SessionStatus;

std::set<std::string> wordsOf(const std::string &text) {
  std::istringstream stream(text);
  std::set<std::string> words;
  for (std::string word; stream >> word;) {
    words.insert(word);
  }
  return words;
}

/// Features that only one side has; CPUs of one name differ in them when a hypervisor hides some.
std::string featureDifference(const std::string &base, const std::string &contender) {
  const std::set<std::string> left = wordsOf(base);
  const std::set<std::string> right = wordsOf(contender);
  std::string text;
  const auto addMissing = [&text](const std::set<std::string> &has, const std::set<std::string> &lacks, const char *who) {
    constexpr int kMaximum = 8;
    int told = 0;
    for (const std::string &word : has) {
      if (!lacks.contains(word) && told++ < kMaximum) {
        text += fmt::format("{}{}", told == 1 ? fmt::format("{}{} has ", text.empty() ? "" : "; ", who) : std::string(", "), word);
      }
    }
    if (told > kMaximum) {
      text += fmt::format(" and {} more", told - kMaximum);
    }
  };
  addMissing(left, right, "only the base");
  addMissing(right, left, "only the contender");
  return text;
}

/// "name: old -> new" for each option that differs.
std::vector<std::string> optionDifferences(const std::string &base, const std::string &contender) {
  const nlohmann::json left = nlohmann::json::parse(base, nullptr, false);
  const nlohmann::json right = nlohmann::json::parse(contender, nullptr, false);
  std::vector<std::string> differences;
  if (!left.is_object() || !right.is_object()) {
    if (base != contender) {
      differences.emplace_back("they were given in different forms");
    }
    return differences;
  }
  std::set<std::string> names;
  for (const nlohmann::json &side : {left, right}) {
    for (const auto &entry : side.items()) {
      names.insert(entry.key());
    }
  }
  const auto shown = [](const nlohmann::json &options, const std::string &name) {
    const auto found = options.find(name);
    if (found == options.end()) {
      return std::string("(none)");
    }
    return found->is_string() ? found->get<std::string>() : found->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  for (const std::string &name : names) {
    const std::string before = shown(left, name);
    const std::string after = shown(right, name);
    if (before != after) {
      differences.push_back(fmt::format("{}: {} -> {}", name, before, after));
    }
  }
  return differences;
}

std::string stateOf(const char *which, const session::SessionRow &row) {
  switch (row.status) {
  case SessionStatus::Finished:
    return {};
  case SessionStatus::Running:
    return fmt::format("the {} is still being written: wait for its end", which);
  case SessionStatus::Failed:
    return fmt::format("the run of the {} failed, so its data may be incomplete", which);
  case SessionStatus::Interrupted:
    break;
  }
  return fmt::format("the run of the {} was interrupted, so its data may be incomplete", which);
}

} // namespace

bool haveSameCpu(const session::SessionInfo &base, const session::SessionInfo &contender) {
  return base.cpu == contender.cpu && wordsOf(base.cpuFeatures) == wordsOf(contender.cpuFeatures);
}

bool areSameSession(const session::SessionInfo &base, const session::SessionInfo &contender) {
  return !base.uuid.empty() && base.uuid == contender.uuid;
}

std::vector<std::string> differencesOf(const session::SessionRow &base, const session::SessionRow &contender) {
  std::vector<std::string> result;
  const session::SessionInfo &left = base.info;
  const session::SessionInfo &right = contender.info;
  const auto compare = [&result](const char *what, const std::string &before, const std::string &after) {
    if (before != after) {
      result.push_back(fmt::format("{}: {} -> {}", what, before.empty() ? "(none)" : before, after.empty() ? "(none)" : after));
    }
  };
  if (areSameSession(left, right)) {
    result.emplace_back("both are the same session");
  }
  compare("different CPU", left.cpu, right.cpu);
  if (const std::string features = featureDifference(left.cpuFeatures, right.cpuFeatures); !features.empty()) {
    result.push_back("different CPU features: " + features);
  }
  compare("different LLVM", left.llvmVersion, right.llvmVersion);
  compare("different Jitscope", left.jitscopeVersion, right.jitscopeVersion);
  compare("different system", left.os, right.os);
  for (const std::string &option : optionDifferences(left.options, right.options)) {
    result.push_back("different option " + option);
  }
  if (left.scriptSha256 != right.scriptSha256) {
    result.emplace_back("the script is not the same");
  }
  return result;
}

std::vector<std::string> insufficiencies(const Comparison &comparison, bool sameCpu) {
  std::vector<std::string> result;
  const bool isRecording =
      comparison.base.session.status == SessionStatus::Running || comparison.contender.session.status == SessionStatus::Running;
  if (comparison.isCopy && !isRecording) {
    return result;
  }
  for (const std::string &state : {stateOf("base", comparison.base.session), stateOf("contender", comparison.contender.session)}) {
    if (!state.empty()) {
      result.push_back(state);
    }
  }
  if (comparison.legs.empty()) {
    result.emplace_back(comparison.hasOnlyCounts ? "neither session has a benchmark case: only counts were compared"
                                                 : "the sessions have no benchmark case in common");
  }
  for (const LegComparison &leg : comparison.legs) {
    if (leg.doubt == Doubt::TooFewSamples) {
      result.push_back(
          fmt::format("{}, {}: {}", event::caseName(leg.name, leg.input), nameOf(leg.leg), doubtText(leg, comparison.options)));
    }
  }
  if (!sameCpu && !comparison.legs.empty() && !comparison.options.acrossMachines) {
    result.emplace_back("times of different CPUs are not judged; record a base on this one, or use --across-machines");
  }
  return result;
}

} // namespace jitscope::analysis
