// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/modules/module_planner.h"

#include "base/counted.h"
#include "base/try.h"
#include "pipeline/modules/component_order.h"
#include "pipeline/modules/root_finder.h"
#include "pipeline/observe/readable_name.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

namespace jitscope::pipeline {

using base::counted;
using base::ErrorCode;
using base::fail;
using base::isOrAre;
using base::listed;
using base::Result;
using Node = ModuleGraph::Node;

namespace {

bool saysNothing(const std::string &triple) {
  return triple.empty() || llvm::Triple(llvm::Triple::normalize(triple)).getArch() == llvm::Triple::UnknownArch;
}

/// The vendor ("pc", "unknown") says who made the machine, not which code it runs.
bool isSameTarget(const std::string &left, const std::string &right) {
  llvm::Triple one(llvm::Triple::normalize(left));
  llvm::Triple other(llvm::Triple::normalize(right));
  one.setVendorName("unknown");
  other.setVendorName("unknown");
  return one.isCompatibleWith(other);
}

} // namespace

Result<ModuleProgram> ModulePlanner::plan(const std::vector<std::string> &paths) {
  JITSCOPE_TRY(std::vector<ModuleSymbols> modules, readAll(paths));
  JITSCOPE_TRY(const std::string triple, chooseTriple(modules));
  JITSCOPE_TRY(const ModuleGraph graph, ModuleGraph::of(std::move(modules), m_paths));
  JITSCOPE_TRY(m_root, findRoot(graph, m_paths, m_options.root));
  m_reach = reachOf(graph, m_root);
  JITSCOPE_TRY_VOID(chooseCpus(graph, triple));
  JITSCOPE_TRY_VOID(checkLayouts(graph));
  noteReach(graph);
  planModules(graph);
  nameApart(graph);
  orderGroups(graph);
  announceFunctions(graph);
  noteAssumptions(graph);
  noteWeaknesses(graph);
  return std::move(m_program);
}

Result<std::vector<ModuleSymbols>> ModulePlanner::readAll(const std::vector<std::string> &paths) {
  std::vector<ModuleSymbols> modules;
  std::set<std::string> seen;
  for (const std::string &path : paths) {
    std::error_code error;
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, error);
    if (!seen.insert(error ? path : canonical.string()).second) {
      return fail(ErrorCode::CompileInput, fmt::format("{}: the file is named twice", path));
    }
    JITSCOPE_TRY(ModuleFile file, openModuleFile(path));
    llvm::LLVMContext context;
    JITSCOPE_TRY(const std::unique_ptr<llvm::Module> module, readAndVerify(file, context, m_program.m_notes));
    modules.push_back(symbolsOf(*module));
    m_paths.push_back(path);
    m_program.m_files.push_back(std::move(file));
  }
  return modules;
}

Result<std::string> ModulePlanner::chooseTriple(const std::vector<ModuleSymbols> &modules) {
  std::string triple = m_options.triple;
  std::size_t speaker = 0; // the file whose triple it is
  std::vector<std::string> silent;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const std::string &own = modules[i].triple;
    if (saysNothing(own)) {
      silent.push_back(m_paths[i]);
    } else if (triple.empty()) {
      triple = own;
      speaker = i;
    } else if (!isSameTarget(own, triple)) {
      if (m_options.triple.empty()) {
        return fail(ErrorCode::CompileInput, fmt::format("{} is for {}, but {} is for {}; --triple decides for one", m_paths[i],
                                                         own, m_paths[speaker], triple));
      }
      note(fmt::format("{} is for {} and was compiled for {}", m_paths[i], own, triple));
    }
  }
  if (triple.empty()) {
    triple = llvm::sys::getProcessTriple();
  }
  if (!silent.empty()) {
    note(fmt::format("{} without a target: compiled for {}", listed(silent), triple));
  }
  return triple;
}

Result<void> ModulePlanner::chooseCpus(const ModuleGraph &graph, const std::string &triple) {
  std::vector<FunctionCpu> functions;
  for (Node node = 0; node < graph.nodeCount(); ++node) {
    if (m_reach.isReached[node] && graph.isDefinedFunction(node)) {
      functions.push_back({readableName(graph.symbolOf(node).name), graph.symbolOf(node).cpu});
    }
  }
  Result<ModuleCpus> cpus = ModuleCpus::choose(triple, m_options.cpu, functions);
  if (!cpus) {
    cpus.error().code = ErrorCode::CompileInput;
    return std::unexpected(std::move(cpus.error()));
  }
  m_program.m_cpus = *std::move(cpus);
  std::ranges::copy(m_program.m_cpus->notes(), std::back_inserter(m_program.m_notes));
  return {};
}

Result<void> ModulePlanner::checkLayouts(const ModuleGraph &graph) {
  const std::string &triple = m_program.target().triple;
  JITSCOPE_TRY(const std::unique_ptr<llvm::TargetMachine> machine, lower::createTargetMachine(m_program.target(), 0));
  const llvm::DataLayout layout = machine->createDataLayout();
  std::vector<std::string> other;
  for (std::size_t i = 0; i < m_paths.size(); ++i) {
    const ModuleSymbols &module = graph.modules()[i];
    if (module.dataLayout.empty() || llvm::DataLayout(module.dataLayout) == layout) {
      continue;
    }
    if (module.pointerBits != layout.getPointerSizeInBits()) {
      return fail(ErrorCode::CompileInput, fmt::format("{} is laid out for pointers of {} bits, {} has {}", m_paths[i],
                                                       module.pointerBits, triple, layout.getPointerSizeInBits()));
    }
    other.push_back(m_paths[i]);
  }
  if (!other.empty()) {
    note(fmt::format("{}: its data layout differs from that of {}, which was used", listed(other), triple));
  }
  return {};
}

void ModulePlanner::planModules(const ModuleGraph &graph) {
  for (std::size_t file = 0; file < m_paths.size(); ++file) {
    ModulePlan &plan = m_program.m_plans.emplace_back();
    const Node first = graph.nodeOf(file, 0);
    const auto begin = m_reach.isReached.begin() + static_cast<std::ptrdiff_t>(first);
    plan.isReached.assign(begin, begin + static_cast<std::ptrdiff_t>(graph.modules()[file].symbols.size()));
  }
  m_program.m_plans[graph.fileOf(m_root)].root = graph.placeOf(m_root);
  for (const Node node : m_reach.sharedState) {
    m_program.m_plans[graph.fileOf(node)].sharedState.push_back(graph.placeOf(node));
  }
  for (Node node = 0; node < graph.nodeCount(); ++node) {
    if (!m_reach.isReached[node]) {
      continue;
    }
    for (const Node needed : graph.needsOf(node)) {
      if (graph.fileOf(needed) != graph.fileOf(node)) {
        m_program.m_plans[graph.fileOf(needed)].neededElsewhere.push_back(graph.placeOf(needed));
      }
    }
  }
}

/// Symbols of one module alone that are told apart by name in what is recorded, or become visible, get names of their own.
void ModulePlanner::nameApart(const ModuleGraph &graph) {
  std::map<std::string, std::size_t, std::less<>> uses;
  for (Node node = 0; node < graph.nodeCount(); ++node) {
    ++uses[graph.symbolOf(node).name];
  }
  for (Node node = 0; node < graph.nodeCount(); ++node) {
    const ModuleSymbol &symbol = graph.symbolOf(node);
    const bool isShared = std::ranges::binary_search(m_reach.sharedState, node);
    const bool isNamed = graph.isDefinedFunction(node) || isShared;
    if (symbol.isVisible || !isNamed || !m_reach.isReached[node] || (!symbol.name.empty() && uses[symbol.name] == 1)) {
      continue;
    }
    std::size_t number = graph.fileOf(node) + 1;
    std::string name;
    do {
      name = fmt::format("{}.{}", symbol.name.empty() ? "unnamed" : symbol.name, number++);
    } while (uses.contains(name));
    ++uses[name];
    m_program.m_plans[graph.fileOf(node)].names.emplace(graph.placeOf(node), name);
  }
}

const std::string &ModulePlanner::symbolOf(const ModuleGraph &graph, Node node) const {
  const std::map<std::size_t, std::string> &names = m_program.m_plans[graph.fileOf(node)].names;
  const auto name = names.find(graph.placeOf(node));
  return name == names.end() ? graph.symbolOf(node).name : name->second;
}

void ModulePlanner::orderGroups(const ModuleGraph & /*graph*/) {
  for (const std::vector<std::size_t> &component : componentsCalleesFirst(m_reach.needs)) {
    if (!m_reach.isIncluded[component.front()]) {
      continue;
    }
    if (component.size() > 1) {
      std::vector<std::string> paths;
      for (const std::size_t file : component) {
        paths.push_back(m_paths[file]);
      }
      note(fmt::format("{} need each other: taken as one module", listed(paths)));
    }
    m_program.m_groups.push_back({component, {}, {}});
  }
}

void ModulePlanner::announceFunctions(const ModuleGraph &graph) {
  std::map<Node, std::set<Node>> callers;
  for (Node node = 0; node < graph.nodeCount(); ++node) {
    for (const Node needed : graph.needsOf(node)) {
      if (m_reach.isReached[node] && needed != node && graph.isDefinedFunction(node) &&
          graph.fileOf(node) == graph.fileOf(needed)) {
        callers[needed].insert(node);
      }
    }
  }
  for (ModuleProgram::Group &group : m_program.m_groups) {
    std::size_t maxCallers = 0;
    for (const std::size_t file : group.files) {
      for (std::size_t place = 0; place < graph.modules()[file].symbols.size(); ++place) {
        const Node node = graph.nodeOf(file, place);
        if (!graph.isDefinedFunction(node) || !m_reach.isReached[node]) {
          continue;
        }
        const std::string &symbol = symbolOf(graph, node);
        const base::FunctionId id = m_announce(readableName(graph.symbolOf(node).name), symbol);
        group.functions.push_back({id, symbol});
        if (node == m_root) {
          m_program.m_root = id;
          m_program.m_rootName = readableName(graph.symbolOf(node).name);
          m_program.m_exported = {symbol};
        }
        // The unit goes by the function that its wrappers call; by the first where nobody calls anybody.
        if (graph.symbolOf(node).isVisible && (!group.id.isValid() || callers[node].size() > maxCallers)) {
          group.id = id;
          maxCallers = callers[node].size();
        }
      }
    }
    if (!group.id.isValid() && !group.functions.empty()) {
      group.id = group.functions.front().id;
    }
  }
  m_program.m_groups.back().id = m_program.m_root;
}

std::vector<std::string> ModulePlanner::namesOf(const ModuleGraph &graph, const std::vector<Node> &nodes) const {
  std::vector<std::string> names;
  for (const Node node : nodes) {
    const std::string &symbol = graph.symbolOf(node).name;
    names.push_back(symbol.empty() ? "one without a name" : readableName(symbol));
  }
  return names;
}

void ModulePlanner::noteReach(const ModuleGraph &graph) {
  constexpr std::size_t kMaxNames = 10;
  std::vector<std::string> leftOut;
  std::set<std::string> undefined;
  for (std::size_t i = 0; i < m_paths.size(); ++i) {
    if (!m_reach.isIncluded[i]) {
      leftOut.push_back(m_paths[i]);
    }
  }
  for (Node node = 0; node < graph.nodeCount(); ++node) {
    const ModuleSymbol &symbol = graph.symbolOf(node);
    const bool isUnknown = symbol.isVisible && !symbol.isDefined && symbol.kind != SymbolKind::Special;
    if (isUnknown && m_reach.isReached[node] && graph.homeOf(symbol.name) == ModuleGraph::kNone) {
      undefined.insert(readableName(symbol.name));
    }
  }
  if (!leftOut.empty()) {
    note(fmt::format("the root needs nothing of {}: left out", listed(leftOut)));
  }
  if (const std::size_t count = m_reach.leftOut.size(); count > 0) {
    note(fmt::format("{} that the root does not reach {} left out: {}", counted(count, "function"), count == 1 ? "was" : "were",
                     listed(namesOf(graph, m_reach.leftOut), kMaxNames)));
  }
  if (const std::size_t count = m_reach.keptAnyway.size(); count > 0) {
    note(fmt::format("{} that the root does not reach {} compiled anyway, because llvm.used or a list of constructors names "
                     "{}: {}",
                     counted(count, "function"), isOrAre(count), count == 1 ? "it" : "them",
                     listed(namesOf(graph, m_reach.keptAnyway), kMaxNames)));
  }
  if (const std::size_t count = m_reach.sharedState.size(); count > 0) {
    note(fmt::format("{} of one module alone {} treated as visible, because code that was left out uses {}: {}",
                     counted(count, "variable"), isOrAre(count), count == 1 ? "it" : "them",
                     listed(namesOf(graph, m_reach.sharedState), kMaxNames)));
  }
  if (const std::size_t count = undefined.size(); count > 0) {
    note(fmt::format("{} {} defined nowhere ({}): what {} for stays unknown to every pipeline", counted(count, "symbol"),
                     isOrAre(count), listed({undefined.begin(), undefined.end()}), count == 1 ? "it stands" : "they stand"));
  }
}

/// What deferred and pre-link, which see everything, take for granted.
void ModulePlanner::noteAssumptions(const ModuleGraph &graph) {
  std::set<std::string> functions;
  std::set<std::string> variables;
  std::size_t copies = 0;
  for (Node node = 0; node < graph.nodeCount(); ++node) {
    const ModuleSymbol &symbol = graph.symbolOf(node);
    if (!m_reach.isReached[node] || !symbol.isDefined || !symbol.isVisible || node == m_root) {
      continue;
    }
    copies += graph.isHome(node) || symbol.kind == SymbolKind::Special ? 0 : 1;
    if (symbol.kind == SymbolKind::Function) {
      functions.insert(readableName(symbol.name));
    } else if (symbol.kind == SymbolKind::Variable) {
      variables.insert(readableName(symbol.name));
    }
  }
  if (copies > 0) {
    note(fmt::format("{} (linkonce, weak or common) of what another module has: one of each is kept where modules are linked",
                     counted(copies, "definition is a copy", "definitions are copies")));
  }
  if (!functions.empty()) {
    note(fmt::format("deferred and pre-link assume that nothing outside these modules calls {} ({}): {} internal there, the root "
                     "stays visible",
                     counted(functions.size(), "function"), listed({functions.begin(), functions.end()}),
                     functions.size() == 1 ? "it becomes" : "they become"));
  }
  if (!variables.empty()) {
    note(fmt::format("{} {} visible outside and {} so under every pipeline: {}", counted(variables.size(), "variable"),
                     isOrAre(variables.size()), variables.size() == 1 ? "stays" : "stay",
                     listed({variables.begin(), variables.end()})));
  }
}

void ModulePlanner::noteWeaknesses(const ModuleGraph &graph) {
  std::size_t functions = 0;
  std::size_t optNone = 0;
  std::size_t noInline = 0;
  for (Node node = 0; node < graph.nodeCount(); ++node) {
    if (m_reach.isReached[node] && graph.isDefinedFunction(node)) {
      ++functions;
      optNone += graph.symbolOf(node).isOptNone ? 1 : 0;
      noInline += graph.symbolOf(node).isNoInline ? 1 : 0;
    }
  }
  if (optNone == functions) {
    note("every function is marked optnone (as clang -O0 does): no pipeline may optimize any, so this compares nothing; "
         "have them made with -O1 -Xclang -disable-llvm-passes");
  } else if (optNone > 0) {
    note(fmt::format("{} of {} {} marked optnone: no pipeline may optimize {}", base::formatCount(optNone),
                     counted(functions, "function"), isOrAre(optNone), optNone == 1 ? "it" : "them"));
  }
  if (noInline > optNone) {
    note(fmt::format("{} of {} {} marked noinline: no pipeline may inline {}", base::formatCount(noInline),
                     counted(functions, "function"), isOrAre(noInline), noInline == 1 ? "it" : "them"));
  }
  if (m_program.m_groups.size() == 1) {
    note("there is one module and nothing to link, so per-function, deferred and separate differ little except in the order of "
         "passes");
  }
}

} // namespace jitscope::pipeline
