// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/modules/module_cpus.h"

#include "base/counted.h"
#include "base/try.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>

namespace jitscope::pipeline {

using base::Result;

namespace {

std::set<std::string> featureSet(std::string_view features) {
  std::set<std::string> all;
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(features).split(parts, ',', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef part : parts) {
    all.insert(part.trim().str());
  }
  return all;
}

/// The features that all of these ask for.
std::string commonFeatures(const std::vector<const FunctionCpu *> &functions) {
  std::optional<std::set<std::string>> common;
  for (const FunctionCpu *function : functions) {
    std::set<std::string> own = featureSet(function->own.features.value_or(""));
    if (!common) {
      common = std::move(own);
    } else {
      std::erase_if(*common, [&own](const std::string &feature) { return !own.contains(feature); });
    }
  }
  return common ? fmt::format("{}", fmt::join(*common, ",")) : "";
}

std::string inWords(const std::string &cpu, const std::string &features) {
  const std::string name = cpu.empty() ? "no particular CPU" : cpu;
  return features.empty() ? name : name + " with " + features;
}

std::string_view nameOrNames(std::size_t count) { return count == 1 ? "names" : "name"; }

std::vector<std::string> namesOf(const std::vector<const FunctionCpu *> &functions) {
  std::vector<std::string> names;
  for (const FunctionCpu *function : functions) {
    names.push_back(function->name);
  }
  std::ranges::sort(names);
  return names;
}

} // namespace

Result<ModuleCpus> ModuleCpus::choose(const std::string &triple, const std::string &asked,
                                      const std::vector<FunctionCpu> &functions) {
  ModuleCpus chosen;
  std::map<std::string, std::vector<const FunctionCpu *>> byCpu;
  std::vector<const FunctionCpu *> naming;
  for (const FunctionCpu &function : functions) {
    if (function.own.cpu) {
      byCpu[*function.own.cpu].push_back(&function);
      naming.push_back(&function);
    }
  }
  const std::size_t silent = functions.size() - naming.size();
  JITSCOPE_TRY(chosen.m_target, lower::targetFor(triple, asked));
  chosen.m_overrides = asked != "native";
  const std::string fallback = inWords(chosen.m_target.cpu, "");
  if (chosen.m_overrides) {
    if (!naming.empty()) {
      chosen.m_notes.push_back(fmt::format("{} of {} {} a CPU of their own, which --cpu {} overrides", naming.size(),
                                           base::counted(functions.size(), "function"), nameOrNames(naming.size()), asked));
    }
  } else if (byCpu.size() == 1) {
    const std::string &cpu = byCpu.begin()->first;
    if (Result<lower::TargetSpec> named = lower::targetFor(triple, cpu)) {
      chosen.m_target = *std::move(named);
      chosen.m_target.features = commonFeatures(naming);
      const std::optional<std::string> &tune = naming.front()->own.tune;
      const bool isOneTune = std::ranges::all_of(naming, [&](const FunctionCpu *function) { return function->own.tune == tune; });
      chosen.m_tune = isOneTune ? tune : std::nullopt;
      if (silent > 0) {
        chosen.m_notes.push_back(fmt::format("{} of {} {} the CPU {}; the {} that {} none {} compiled for it, too; --cpu decides "
                                             "for all",
                                             naming.size(), base::counted(functions.size(), "function"), nameOrNames(naming.size()),
                                             cpu, base::formatCount(silent), nameOrNames(silent), base::isOrAre(silent)));
      }
    } else {
      chosen.m_notes.push_back(fmt::format("{}: LLVM treats it as no particular CPU; functions that name none are compiled for {}",
                                           named.error().message, fallback));
    }
  } else if (byCpu.size() > 1) {
    std::vector<std::string> groups;
    for (const auto &[cpu, users] : byCpu) {
      groups.push_back(fmt::format("{} ({})", cpu, base::listed(namesOf(users))));
    }
    std::string note = fmt::format("the functions name different CPUs, which they keep: {}", base::listed(groups, groups.size()));
    if (silent > 0) {
      note += fmt::format("; the {} that {} none {} compiled for {}", base::formatCount(silent), nameOrNames(silent),
                          base::isOrAre(silent), fallback);
    }
    chosen.m_notes.push_back(note + "; --cpu decides for all");
    for (const auto &[cpu, users] : byCpu) {
      if (const Result<lower::TargetSpec> named = lower::targetFor(triple, cpu); !named) {
        chosen.m_notes.push_back(named.error().message + ": LLVM treats it as no particular CPU");
      }
    }
  }
  chosen.describe(functions);
  return chosen;
}

lower::TargetSpec ModuleCpus::targetOf(const OwnCpu &own) const {
  if (m_overrides) {
    return m_target;
  }
  // A CPU of its own does not come with the features of another one.
  const std::string inherited = own.cpu ? "" : m_target.features;
  return {m_target.triple, own.cpu.value_or(m_target.cpu), own.features.value_or(inherited)};
}

void ModuleCpus::describe(const std::vector<FunctionCpu> &functions) {
  std::map<std::pair<std::string, std::string>, std::string> known; // of attributes, in words
  std::map<std::string, std::vector<const FunctionCpu *>> groups;
  lower::TargetSpec last = m_target;
  for (const FunctionCpu &function : functions) {
    const lower::TargetSpec spec = targetOf(function.own);
    std::string &words = known[{spec.cpu, spec.features}];
    if (words.empty()) {
      words = inWords(spec.cpu, lower::featuresBeyondCpu(spec));
    }
    groups[words].push_back(&function);
    last = spec;
  }
  if (groups.size() <= 1) {
    m_description = last.cpu;
    m_features = lower::featuresBeyondCpu(last);
    return;
  }
  std::vector<std::string> parts;
  for (const auto &[words, users] : groups) {
    parts.push_back(fmt::format("{} ({})", words, base::listed(namesOf(users))));
  }
  m_description = fmt::format("{}", fmt::join(parts, ", "));
}

void ModuleCpus::apply(llvm::Function &function) const {
  if (m_overrides) {
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
    function.removeFnAttr("tune-cpu");
    return;
  }
  const bool hasOwn = function.hasFnAttribute("target-cpu");
  if (hasOwn && !function.hasFnAttribute("target-features")) {
    // LLVM would give it the features of the target's CPU.
    function.addFnAttr("target-features", "");
  }
  if (!hasOwn && m_tune && !function.hasFnAttribute("tune-cpu")) {
    function.addFnAttr("tune-cpu", *m_tune);
  }
}

} // namespace jitscope::pipeline
