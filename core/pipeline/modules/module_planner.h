// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "pipeline/modules/module_graph.h"
#include "pipeline/modules/module_program.h"
#include "pipeline/modules/module_reach.h"

#include <cstddef>
#include <string>
#include <vector>

namespace jitscope::pipeline {

/// Puts modules in order for `ModuleProgram`: reads each once and keeps what its symbols say.
class ModulePlanner {
public:
  ModulePlanner(const ModuleProgram::Options &options, const ModuleProgram::Announce &announce)
      : m_options(options), m_announce(announce) {}

  base::Result<ModuleProgram> plan(const std::vector<std::string> &paths);

private:
  base::Result<std::vector<ModuleSymbols>> readAll(const std::vector<std::string> &paths);
  base::Result<std::string> chooseTriple(const std::vector<ModuleSymbols> &modules);
  base::Result<void> chooseCpus(const ModuleGraph &graph, const std::string &triple);
  base::Result<void> checkLayouts(const ModuleGraph &graph);
  void planModules(const ModuleGraph &graph);
  void nameApart(const ModuleGraph &graph);
  void orderGroups(const ModuleGraph &graph);
  void announceFunctions(const ModuleGraph &graph);
  void noteReach(const ModuleGraph &graph);
  void noteAssumptions(const ModuleGraph &graph);
  void noteWeaknesses(const ModuleGraph &graph);
  void note(std::string text) { m_program.m_notes.push_back(std::move(text)); }
  [[nodiscard]] std::vector<std::string> namesOf(const ModuleGraph &graph, const std::vector<ModuleGraph::Node> &nodes) const;
  [[nodiscard]] const std::string &symbolOf(const ModuleGraph &graph, ModuleGraph::Node node) const;

  const ModuleProgram::Options &m_options;
  const ModuleProgram::Announce &m_announce;
  ModuleProgram m_program;
  std::vector<std::string> m_paths;
  ModuleGraph::Node m_root = ModuleGraph::kNone;
  ModuleReach m_reach;
};

} // namespace jitscope::pipeline
