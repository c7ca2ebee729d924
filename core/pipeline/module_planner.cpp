// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/module_planner.h"

#include "base/try.h"
#include "pipeline/component_order.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

namespace jitscope::pipeline {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

/// The first few of a list, with how many there are more.
std::string headOf(const std::vector<std::string> &names) {
  constexpr std::size_t kShown = 4;
  if (names.size() <= kShown) {
    return fmt::format("{}", fmt::join(names, ", "));
  }
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kShown, ", "), names.size() - kShown);
}

bool saysNothing(const std::string &triple) {
  return triple.empty() || llvm::Triple(llvm::Triple::normalize(triple)).getArch() == llvm::Triple::UnknownArch;
}

/// The last component of a qualified name, without what a language puts around it.
std::string_view lastComponent(std::string_view name) {
  const std::size_t colon = name.rfind("::");
  return colon == std::string_view::npos ? name : name.substr(colon + 2);
}

} // namespace

Result<ModuleProgram> ModulePlanner::plan(const std::vector<std::string> &paths) {
  Result<void> done = readAll(paths);
  done = done ? chooseTarget() : done;
  done = done ? findHomes() : done;
  done = done ? findRoot() : done;
  if (!done) {
    return std::unexpected(std::move(done.error()));
  }
  orderGroups();
  announceFunctions();
  noteWeaknesses();
  return std::move(m_program);
}

Result<void> ModulePlanner::readAll(const std::vector<std::string> &paths) {
  std::set<std::string> seen;
  for (const std::string &path : paths) {
    std::error_code error;
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, error);
    if (!seen.insert(error ? path : canonical.string()).second) {
      return fail(ErrorCode::CompileInput, fmt::format("{}: the file is named twice", path));
    }
    JITSCOPE_TRY(ModuleFile file, openModuleFile(path));
    llvm::LLVMContext context;
    JITSCOPE_TRY(std::unique_ptr<llvm::Module> module, readAndVerify(file, context, m_program.m_notes));
    m_modules.push_back(symbolsOf(*module));
    m_program.m_files.push_back(std::move(file));
  }
  return {};
}

Result<void> ModulePlanner::chooseTarget() {
  std::string triple = m_options.triple;
  std::size_t speaker = 0; // the file whose triple it is
  std::vector<std::string> silent;
  for (std::size_t i = 0; i < m_modules.size(); ++i) {
    const std::string &own = m_modules[i].triple;
    const std::string &path = m_program.m_files[i].path;
    if (saysNothing(own)) {
      silent.push_back(path);
    } else if (triple.empty()) {
      triple = own;
      speaker = i;
    } else if (const llvm::Triple is(llvm::Triple::normalize(own)), wanted(llvm::Triple::normalize(triple));
               !is.isCompatibleWith(wanted)) {
      if (m_options.triple.empty()) {
        return fail(ErrorCode::CompileInput, fmt::format("{} is for {}, but {} is for {}; --triple decides for one", path, own,
                                                         m_program.m_files[speaker].path, triple));
      }
      m_program.m_notes.push_back(fmt::format("{} is for {} and was compiled for {}", path, own, triple));
    }
  }
  if (triple.empty()) {
    triple = llvm::sys::getProcessTriple();
  }
  if (!silent.empty()) {
    m_program.m_notes.push_back(fmt::format("{} without a target: compiled for {}", headOf(silent), triple));
  }
  Result<lower::TargetSpec> target = lower::targetFor(triple, m_options.cpu);
  if (!target) {
    target.error().code = ErrorCode::CompileInput;
    return std::unexpected(std::move(target.error()));
  }
  m_program.m_target = std::move(*target);
  m_program.m_overridesCpu = m_options.cpu != "native";
  JITSCOPE_TRY(const std::unique_ptr<llvm::TargetMachine> machine, lower::createTargetMachine(m_program.m_target, 0));
  const llvm::DataLayout layout = machine->createDataLayout();
  std::vector<std::string> other;
  for (std::size_t i = 0; i < m_modules.size(); ++i) {
    if (m_modules[i].dataLayout.empty() || llvm::DataLayout(m_modules[i].dataLayout) == layout) {
      continue;
    }
    if (m_modules[i].pointerBits != layout.getPointerSizeInBits()) {
      return fail(ErrorCode::CompileInput,
                  fmt::format("{} is laid out for pointers of {} bits, {} has {}", m_program.m_files[i].path,
                              m_modules[i].pointerBits, m_program.m_target.triple, layout.getPointerSizeInBits()));
    }
    other.push_back(m_program.m_files[i].path);
  }
  if (!other.empty()) {
    m_program.m_notes.push_back(fmt::format("{}: another data layout than {}'s, which was used", headOf(other), triple));
  }
  return {};
}

Result<void> ModulePlanner::findHomes() {
  std::map<std::string, std::size_t, std::less<>> strong;
  for (std::size_t i = 0; i < m_modules.size(); ++i) {
    for (const std::string &symbol : m_modules[i].strongDefinitions) {
      if (const auto [known, isNew] = strong.emplace(symbol, i); !isNew) {
        return fail(ErrorCode::CompileInput, fmt::format("{} and {} both define {}", m_program.m_files[known->second].path,
                                                         m_program.m_files[i].path, symbol));
      }
    }
  }
  m_home = strong;
  std::uint64_t repeated = 0;
  for (std::size_t i = 0; i < m_modules.size(); ++i) {
    for (const std::string &symbol : m_modules[i].visibleDefinitions) {
      const auto [known, isNew] = m_home.emplace(symbol, i);
      repeated += !isNew && known->second != i ? 1 : 0;
    }
  }
  if (repeated > 0) {
    m_program.m_notes.push_back(
        fmt::format("{} definitions are copies (linkonce or weak) of what another module has; one of each is kept", repeated));
  }
  for (std::size_t i = 0; i < m_modules.size(); ++i) {
    std::set<std::size_t> needed;
    for (const std::string &symbol : m_modules[i].undefined) {
      if (const auto home = m_home.find(symbol); home != m_home.end() && home->second != i) {
        needed.insert(home->second);
      }
    }
    m_needs.emplace_back(needed.begin(), needed.end());
  }
  return {};
}

Result<void> ModulePlanner::findNamedRoot() {
  std::vector<std::pair<std::size_t, std::string>> bySymbol;
  std::vector<std::pair<std::size_t, std::string>> byName;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < m_modules.size(); ++i) {
    for (const DefinedFunction &function : m_modules[i].functions) {
      const std::string name = readableName(function.symbol);
      names.push_back(name);
      if (function.symbol == m_options.root) {
        bySymbol.emplace_back(i, function.symbol);
      } else if (name == m_options.root || lastComponent(name) == m_options.root) {
        byName.emplace_back(i, function.symbol);
      }
    }
  }
  // Wrappers share the last component; the shortest qualified name is the function itself.
  std::ranges::stable_sort(byName, {}, [](const auto &found) { return readableName(found.second).size(); });
  const std::vector<std::pair<std::size_t, std::string>> &found = bySymbol.empty() ? byName : bySymbol;
  if (!found.empty()) {
    std::tie(m_rootFile, m_rootSymbol) = found.front();
    m_program.m_exported = {m_rootSymbol};
    return {};
  }
  if (names.empty()) {
    return fail(ErrorCode::CompileInput, fmt::format("there is no function {}: the modules define none", m_options.root));
  }
  std::ranges::stable_sort(
      names, {}, [&](const std::string &name) { return llvm::StringRef(lastComponent(name)).edit_distance(m_options.root); });
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  names.resize(std::min<std::size_t>(names.size(), 3));
  return fail(ErrorCode::CompileInput,
              fmt::format("there is no function {}; the nearest are {}", m_options.root, fmt::join(names, ", ")));
}

/// Without a name: the module that no other needs, with all that is visible in it.
Result<void> ModulePlanner::findOnlyRoot() {
  std::vector<bool> isNeeded(m_modules.size(), false);
  for (const std::vector<std::size_t> &needs : m_needs) {
    for (const std::size_t file : needs) {
      isNeeded[file] = true;
    }
  }
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < m_modules.size(); ++i) {
    if (!isNeeded[i] && std::ranges::any_of(m_modules[i].functions, &DefinedFunction::isVisible)) {
      free.push_back(i);
    }
  }
  if (free.size() != 1) {
    std::vector<std::string> paths;
    for (const std::size_t file : free) {
      paths.push_back(m_program.m_files[file].path);
    }
    return fail(ErrorCode::CompileInput,
                free.empty() ? "every module is needed by another: name the function to start from as the root"
                             : fmt::format("no other module needs {}: name the function to start from as the root", headOf(paths)));
  }
  m_rootFile = free.front();
  // Wrappers of one function call it, and nobody in the module calls them.
  const DefinedFunction *root = nullptr;
  for (const DefinedFunction &function : m_modules[m_rootFile].functions) {
    if (function.isVisible) {
      m_program.m_exported.push_back(function.symbol);
      root = root == nullptr || function.callers > root->callers ? &function : root;
    }
  }
  m_rootSymbol = root->symbol;
  return {};
}

Result<void> ModulePlanner::findRoot() {
  Result<void> found = m_options.root.empty() ? findOnlyRoot() : findNamedRoot();
  if (!found) {
    return found;
  }
  m_isIncluded.assign(m_modules.size(), false);
  std::vector<std::size_t> open{m_rootFile};
  while (!open.empty()) {
    const std::size_t file = open.back();
    open.pop_back();
    if (!m_isIncluded[file]) {
      m_isIncluded[file] = true;
      open.insert(open.end(), m_needs[file].begin(), m_needs[file].end());
    }
  }
  std::vector<std::string> leftOut;
  std::set<std::string> undefined;
  for (std::size_t i = 0; i < m_modules.size(); ++i) {
    if (!m_isIncluded[i]) {
      leftOut.push_back(m_program.m_files[i].path);
      continue;
    }
    for (const std::string &symbol : m_modules[i].undefined) {
      if (!m_home.contains(symbol)) {
        undefined.insert(symbol);
      }
    }
  }
  if (!leftOut.empty()) {
    m_program.m_notes.push_back(fmt::format("the root needs nothing of {}: left out", headOf(leftOut)));
  }
  if (!undefined.empty()) {
    m_program.m_notes.push_back(
        fmt::format("{} symbols are defined nowhere ({}): what they stand for stays unknown to every pipeline", undefined.size(),
                    headOf({undefined.begin(), undefined.end()})));
  }
  return {};
}

void ModulePlanner::orderGroups() {
  for (const std::vector<std::size_t> &component : componentsCalleesFirst(m_needs)) {
    if (!m_isIncluded[component.front()]) {
      continue;
    }
    if (component.size() > 1) {
      std::vector<std::string> paths;
      for (const std::size_t file : component) {
        paths.push_back(m_program.m_files[file].path);
      }
      m_program.m_notes.push_back(fmt::format("{} need each other: taken as one module", headOf(paths)));
    }
    m_program.m_groups.push_back({component, {}, {}});
  }
}

void ModulePlanner::announceFunctions() {
  for (ModuleProgram::Group &group : m_program.m_groups) {
    std::uint32_t mostCallers = 0;
    for (const std::size_t file : group.files) {
      for (const DefinedFunction &function : m_modules[file].functions) {
        const base::FunctionId id = m_announce(readableName(function.symbol), function.symbol);
        group.functions.push_back({id, function.symbol});
        if (function.symbol == m_rootSymbol) {
          m_program.m_root = id;
          m_program.m_rootName = readableName(function.symbol);
        }
        // The unit goes by the function that its wrappers call; by the first where nobody calls anybody.
        if (function.isVisible && (!group.id.isValid() || function.callers > mostCallers)) {
          group.id = id;
          mostCallers = function.callers;
        }
      }
    }
    if (!group.id.isValid() && !group.functions.empty()) {
      group.id = group.functions.front().id;
    }
  }
  m_program.m_groups.back().id = m_program.m_root;
}

void ModulePlanner::noteWeaknesses() {
  std::size_t functions = 0;
  std::size_t optNone = 0;
  std::size_t noInline = 0;
  std::size_t ownCpu = 0;
  for (std::size_t i = 0; i < m_modules.size(); ++i) {
    if (m_isIncluded[i]) {
      functions += m_modules[i].functions.size();
      optNone += static_cast<std::size_t>(std::ranges::count_if(m_modules[i].functions, &DefinedFunction::isOptNone));
      noInline += static_cast<std::size_t>(std::ranges::count_if(m_modules[i].functions, &DefinedFunction::isNoInline));
      ownCpu += static_cast<std::size_t>(std::ranges::count_if(m_modules[i].functions, &DefinedFunction::hasOwnCpu));
    }
  }
  std::vector<std::string> &notes = m_program.m_notes;
  if (optNone == functions) {
    notes.emplace_back(
        "every function is marked optnone (as clang -O0 does): no pipeline may optimize any, so this compares nothing; "
        "have them made with -O1 -Xclang -disable-llvm-passes");
  } else if (optNone > 0) {
    notes.push_back(fmt::format("{} of {} functions are marked optnone: no pipeline may optimize them", optNone, functions));
  }
  if (noInline > optNone) {
    notes.push_back(fmt::format("{} of {} functions are marked noinline: no pipeline may inline them", noInline, functions));
  }
  if (ownCpu > 0 && !m_program.m_overridesCpu) {
    notes.push_back(fmt::format(
        "{} of {} functions name the CPU that they are for themselves, which was kept; --cpu decides for all", ownCpu, functions));
  }
  if (m_program.m_groups.size() == 1) {
    notes.emplace_back(
        "there is one module and nothing to link: per-function, deferred and separate differ in little but the order "
        "of passes");
  }
}

} // namespace jitscope::pipeline
