// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/modules/inline_refusals.h"

#include "base/counted.h"
#include "pipeline/modules/module_program.h"
#include "pipeline/observe/readable_name.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace jitscope::pipeline {

namespace {

using FeatureBits = llvm::FeatureBitset;

std::string textOf(const llvm::Attribute &attribute) {
  return attribute.isStringAttribute() ? attribute.getKindAsString().str()
                                       : llvm::Attribute::getNameFromAttrKind(attribute.getKindAsEnum()).str();
}

std::string valueOf(const llvm::Function &function, llvm::StringRef attribute) {
  return function.getFnAttribute(attribute).getValueAsString().str();
}

/// A caller and a callee with nothing but the attributes in question, to ask LLVM which of them it is.
class Probe {
public:
  explicit Probe(const llvm::Module &like) : m_module("probe", like.getContext()) {
    m_module.setTargetTriple(like.getTargetTriple());
    m_module.setDataLayout(like.getDataLayout());
  }

  llvm::Function &function(const llvm::AttrBuilder &attributes) {
    llvm::LLVMContext &context = m_module.getContext();
    auto *function = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                                            llvm::GlobalValue::ExternalLinkage, "probe", m_module);
    function->addFnAttrs(attributes);
    return *function;
  }
  llvm::AttrBuilder none() { return llvm::AttrBuilder(m_module.getContext()); }

private:
  llvm::Module m_module;
};

class RefusalFinder {
public:
  RefusalFinder(const std::vector<Unit> &units, llvm::TargetMachine &machine, const llvm::TargetLibraryInfoImpl &library)
      : m_units(units), m_machine(machine), m_library(library), m_probe(*units.front().module) {
    for (const Unit &unit : units) {
      for (llvm::Function &function : *unit.module) {
        if (!function.isDeclarationForLinker() && !function.hasLocalLinkage()) {
          m_definitions.try_emplace(function.getName(), &function);
        }
      }
    }
  }

  std::vector<std::string> run() {
    for (const Unit &unit : m_units) {
      for (llvm::Function &caller : *unit.module) {
        for (llvm::Instruction &instruction : llvm::instructions(caller)) {
          if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
            look(*call);
          }
        }
      }
    }
    constexpr std::size_t kMaxPairs = 16;
    std::vector<std::string> sentences;
    for (const auto &[reason, pairs] : m_pairs) {
      const std::vector<std::string> names(pairs.begin(), pairs.end());
      sentences.push_back(fmt::format("never inlined, {}: {}", reason, base::listed(names, kMaxPairs)));
    }
    return sentences;
  }

private:
  /// The body that a call reaches: of its own module or of another unit's.
  llvm::Function *calleeOf(const llvm::CallBase &call) const {
    auto *callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
    if (callee == nullptr || callee->isIntrinsic() || !callee->isDeclarationForLinker()) {
      return callee == nullptr || callee->isIntrinsic() ? nullptr : callee;
    }
    const auto known = m_definitions.find(callee->getName());
    return known == m_definitions.end() ? nullptr : known->second;
  }

  void look(llvm::CallBase &call) {
    llvm::Function *callee = calleeOf(call);
    llvm::Function &caller = *call.getCaller();
    if (callee == nullptr || callee == &caller) {
      return;
    }
    llvm::TargetTransformInfo costs = m_machine.getTargetTransformInfo(*callee);
    const std::optional<llvm::InlineResult> decision = llvm::getAttributeBasedInliningDecision(
        call, callee, costs, [this](llvm::Function &function) -> const llvm::TargetLibraryInfo & { return libraryOf(function); });
    if (!decision || decision->isSuccess()) {
      return;
    }
    if (const std::optional<std::string> reason = reasonOf(decision->getFailureReason(), caller, *callee)) {
      m_pairs[*reason].insert(readableName(callee->getName().str()) + " into " + readableName(caller.getName().str()));
    }
  }

  const llvm::TargetLibraryInfo &libraryOf(const llvm::Function &function) {
    std::unique_ptr<llvm::TargetLibraryInfo> &info = m_libraries[&function];
    if (!info) {
      info = std::make_unique<llvm::TargetLibraryInfo>(m_library, &function);
    }
    return *info;
  }

  /// In words; none where it is no matter of attributes.
  std::optional<std::string> reasonOf(llvm::StringRef said, llvm::Function &caller, llvm::Function &callee) {
    if (said == "conflicting attributes") {
      return conflictOf(caller, callee);
    }
    if (said == "noinline function attribute") {
      return "since the callee is marked noinline";
    }
    if (said == "noinline call site attribute") {
      return "since the call is marked noinline";
    }
    if (said == "optnone attribute") {
      return "since the caller is marked optnone";
    }
    if (said == "nullptr definitions incompatible") {
      return "since the callee is marked null_pointer_is_valid and the caller is not";
    }
    if (said == "interposable" || said == "indirect call") {
      return std::nullopt; // how it is linked or called
    }
    return "because LLVM says: " + said.str();
  }

  std::string conflictOf(llvm::Function &caller, llvm::Function &callee) {
    const std::string key = describe(caller) + " | " + describe(callee);
    std::string &conflict = m_conflicts[key];
    if (conflict.empty()) {
      conflict = m_machine.getTargetTransformInfo(callee).areInlineCompatible(&caller, &callee) ? attributeConflict(caller, callee)
                                                                                                : targetConflict(caller, callee);
    }
    return conflict;
  }
  static std::string describe(const llvm::Function &function) {
    return function.getAttributes().getAsString(llvm::AttributeList::FunctionIndex);
  }

  /// The attributes that LLVM's own rules do not let meet.
  std::string attributeConflict(const llvm::Function &caller, const llvm::Function &callee) {
    std::vector<std::string> culprits;
    const auto test = [&](const llvm::Function &one, const llvm::Function &other, std::string_view has, std::string_view lacks) {
      for (const llvm::Attribute attribute : one.getAttributes().getFnAttrs()) {
        const bool isSame = attribute.isStringAttribute() ? other.getFnAttribute(attribute.getKindAsString()) == attribute
                                                          : other.getFnAttribute(attribute.getKindAsEnum()) == attribute;
        if (isSame) {
          continue;
        }
        const bool isThere = attribute.isStringAttribute() ? other.hasFnAttribute(attribute.getKindAsString())
                                                           : other.hasFnAttribute(attribute.getKindAsEnum());
        llvm::AttrBuilder with = m_probe.none();
        with.addAttribute(attribute);
        llvm::AttrBuilder without = m_probe.none();
        if (isThere && attribute.isStringAttribute()) {
          without.addAttribute(other.getFnAttribute(attribute.getKindAsString()));
        }
        llvm::Function &left = m_probe.function(&one == &caller ? with : without);
        llvm::Function &right = m_probe.function(&one == &caller ? without : with);
        if (!llvm::AttributeFuncs::areInlineCompatible(left, right)) {
          culprits.push_back(isThere ? "they differ in " + textOf(attribute)
                                     : fmt::format("{} is marked {} and {} is not", has, textOf(attribute), lacks));
        }
        left.eraseFromParent();
        right.eraseFromParent();
      }
    };
    test(callee, caller, "the callee", "the caller");
    if (culprits.empty()) {
      test(caller, callee, "the caller", "the callee");
    }
    if (culprits.empty()) {
      return "since the callee may call library functions that the caller must not, or the other way round (no-builtin attributes)";
    }
    return "since " + base::listed(culprits);
  }

  /// The features that the callee needs and the caller's CPU does not have, as far as LLVM minds.
  std::string targetConflict(const llvm::Function &caller, const llvm::Function &callee) {
    const llvm::TargetSubtargetInfo &ours = *m_machine.getSubtargetImpl(caller);
    const llvm::TargetSubtargetInfo &theirs = *m_machine.getSubtargetImpl(callee);
    struct Missing {
      std::string name;
      unsigned bit = 0;
      FeatureBits implied;
    };
    std::vector<Missing> missing;
    for (const llvm::SubtargetFeatureKV &feature : ours.getAllProcessorFeatures()) {
      if (!theirs.hasFeature(feature.Value) || ours.hasFeature(feature.Value)) {
        continue;
      }
      llvm::AttrBuilder base = targetAttributes(caller, ours, "");
      llvm::AttrBuilder more = targetAttributes(caller, ours, std::string("+") + feature.Key);
      llvm::Function &left = m_probe.function(base);
      llvm::Function &right = m_probe.function(more);
      if (!m_machine.getTargetTransformInfo(right).areInlineCompatible(&left, &right)) {
        missing.push_back({feature.Key, feature.Value, m_machine.getSubtargetImpl(right)->getFeatureBits()});
      }
      left.eraseFromParent();
      right.eraseFromParent();
    }
    // "avx2" says "avx", too.
    std::vector<std::string> names;
    for (const Missing &one : missing) {
      const bool isImplied = std::ranges::any_of(missing, [&](const Missing &other) {
        return other.bit != one.bit && other.implied.test(one.bit) && !one.implied.test(other.bit);
      });
      if (!isImplied) {
        names.push_back(one.name);
      }
    }
    const std::string cpus = fmt::format("the callee is for {} and the caller for {}", cpuOf(theirs), cpuOf(ours));
    return names.empty() ? "since " + cpus : fmt::format("since {}, which lacks {}", cpus, base::listed(names, 6));
  }
  llvm::AttrBuilder targetAttributes(const llvm::Function &caller, const llvm::TargetSubtargetInfo &subtarget,
                                     const std::string &more) {
    llvm::AttrBuilder attributes = m_probe.none();
    attributes.addAttribute("target-cpu", subtarget.getCPU());
    const std::string own =
        caller.hasFnAttribute("target-features") ? valueOf(caller, "target-features") : m_machine.getTargetFeatureString().str();
    attributes.addAttribute("target-features", own + (own.empty() || more.empty() ? "" : ",") + more);
    return attributes;
  }
  static std::string cpuOf(const llvm::TargetSubtargetInfo &subtarget) {
    return subtarget.getCPU().empty() ? "no particular CPU" : subtarget.getCPU().str();
  }

  const std::vector<Unit> &m_units;
  llvm::TargetMachine &m_machine;
  const llvm::TargetLibraryInfoImpl &m_library;
  Probe m_probe;
  llvm::StringMap<llvm::Function *> m_definitions; ///< of those visible outside their modules
  std::map<const llvm::Function *, std::unique_ptr<llvm::TargetLibraryInfo>> m_libraries;
  std::map<std::string, std::string> m_conflicts; ///< by the attributes of both
  std::map<std::string, std::set<std::string>> m_pairs;
};

} // namespace

std::vector<std::string> inlineRefusals(const std::vector<Unit> &units, llvm::TargetMachine &machine,
                                        const llvm::TargetLibraryInfoImpl &library) {
  return units.empty() ? std::vector<std::string>() : RefusalFinder(units, machine, library).run();
}

} // namespace jitscope::pipeline
