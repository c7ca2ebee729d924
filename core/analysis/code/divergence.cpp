// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/code/divergence.h"

#include "analysis/code/divergence_text.h"
#include "analysis/compare/remark_comparison.h"
#include "analysis/query/function_path.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace jitscope::analysis {

namespace {

using Changes = std::vector<event::PassRun>;

/// Where two ways were the same for the last time: as many changes of each.
struct LastCommon {
  std::size_t left = 0;
  std::size_t right = 0;
};

LastCommon lastCommonOf(const Changes &left, const Changes &right) {
  std::map<std::uint64_t, std::size_t> rightPlaces; // the last place of each fingerprint
  for (std::size_t i = 0; i < right.size(); ++i) {
    rightPlaces[right[i].fingerprint] = i;
  }
  for (std::size_t i = left.size(); i > 0; --i) {
    if (const auto place = rightPlaces.find(left[i - 1].fingerprint); place != rightPlaces.end()) {
      return {i, place->second + 1};
    }
  }
  return {};
}

/// A pass by its class and by its name in pipelines and remarks.
struct PassNames {
  std::string_view className;
  std::string_view name;
  int weight; ///< how much a change by it to a callee stands in the way of the vectorizers later on
};
constexpr std::array<PassNames, 7> kPassNames{{{"SLPVectorizerPass", "slp-vectorizer", 2},
                                               {"LoopVectorizePass", "loop-vectorize", 2},
                                               {"VectorCombinePass", "vector-combine", 1},
                                               {"LoopUnrollPass", "loop-unroll", 1},
                                               {"LoopFullUnrollPass", "loop-unroll-full", 1},
                                               {"GVNPass", "gvn", 0},
                                               {"LICMPass", "licm", 0}}};

/// Null for passes that are not told apart.
const PassNames *namesOf(std::string_view pass) {
  const auto *const found =
      std::ranges::find_if(kPassNames, [pass](const PassNames &names) { return names.className == pass || names.name == pass; });
  return found == kPassNames.end() ? nullptr : &*found;
}

int weightOf(const event::PassRun &pass) {
  const PassNames *names = namesOf(pass.name);
  return names == nullptr ? 0 : names->weight;
}

/// Whether a remark of this pass comes from that pass.
bool isFrom(std::string_view remarkPass, const event::PassRun &pass) {
  const PassNames *names = namesOf(pass.name);
  return remarkPass == pass.name || (names != nullptr && names->name == remarkPass);
}

/// What a pass said about a function: by the pass that was running, or else by its name.
event::Remark remarkOf(const event::CompileEvent &compile, base::FunctionId function, const event::PassRun &pass) {
  std::vector<event::Remark> said;
  for (const event::Remark &remark : remarksOf(compile, function)) {
    const bool isItsOwn = remark.passSeq == pass.seq || (remark.passSeq == 0 && isFrom(remark.pass, pass));
    if (isItsOwn && remark.kind == event::RemarkKind::Passed) {
      said.push_back(remark);
    }
  }
  const event::Remark *best = mostTelling(said);
  return best == nullptr ? event::Remark() : *best;
}

/// The functions that remarks say were inlined into a function itself.
std::set<base::FunctionId> inlinedCallees(const event::CompileEvent &compile, base::FunctionId caller) {
  std::set<base::FunctionId> callees;
  for (const event::Remark &remark : remarksOf(compile, caller)) {
    const bool isInlined = remark.pass == "inline" && remark.kind == event::RemarkKind::Passed;
    if (isInlined && remark.calleeId.isValid() && remark.calleeId != caller) {
      callees.insert(remark.calleeId);
    }
  }
  return callees;
}

/// The changes to a callee before the caller was inlined into: all where it was finished in a module of its own, before that.
Changes changesBefore(const event::CompileEvent &compile, base::FunctionId callee, const std::optional<event::PassRun> &inliner) {
  Changes changes = changesOf(compile, callee);
  std::erase_if(changes, [&inliner](const event::PassRun &pass) { return inliner && pass.seq >= inliner->seq; });
  return changes;
}

class CalleeSearch {
public:
  CalleeSearch(const event::CompileEvent &left, const event::CompileEvent &right,
               const std::vector<event::FunctionEvent> &functions)
      : m_left(left), m_right(right), m_functions(functions) {}

  /// Looks for the change at the bottom of what was inlined into a function after the given passes.
  void run(base::FunctionId caller, const std::optional<event::PassRun> &leftPass, const std::optional<event::PassRun> &rightPass,
           std::vector<CalleeChange> &to) {
    m_visited.insert(caller);
    m_path.push_back(nameOf(caller));
    std::set<base::FunctionId> callees = inlinedCallees(m_left, caller);
    callees.merge(inlinedCallees(m_right, caller));
    for (const base::FunctionId callee : callees) {
      if (!m_visited.contains(callee)) {
        look(callee, leftPass, rightPass, to);
      }
    }
    m_path.pop_back();
  }

private:
  [[nodiscard]] std::string nameOf(base::FunctionId id) const {
    const auto function = std::ranges::find(m_functions, id, &event::FunctionEvent::id);
    return function == m_functions.end() ? std::string() : function->name;
  }

  void look(base::FunctionId callee, const std::optional<event::PassRun> &leftPass, const std::optional<event::PassRun> &rightPass,
            std::vector<CalleeChange> &to) {
    const Changes left = changesBefore(m_left, callee, leftPass);
    const Changes right = changesBefore(m_right, callee, rightPass);
    const LastCommon common = lastCommonOf(left, right);
    if (common.left == left.size() && common.right == right.size()) {
      return;
    }
    const auto next = [](const Changes &changes, std::size_t at) {
      return at < changes.size() ? std::optional(changes[at]) : std::nullopt;
    };
    // What was inlined into the callee may be the reason that it differs.
    const std::size_t before = to.size();
    run(callee, next(left, common.left), next(right, common.right), to);
    if (to.size() > before) {
      return;
    }
    const event::PassRun *onLeft = change(left, common.left, right);
    const event::PassRun *onRight = change(right, common.right, left);
    const bool isLeft = onLeft != nullptr && (onRight == nullptr || weightOf(*onLeft) >= weightOf(*onRight));
    const event::PassRun *pass = isLeft ? onLeft : onRight;
    if (pass != nullptr) {
      to.push_back({m_path, nameOf(callee), isLeft, *pass, remarkOf(isLeft ? m_left : m_right, callee, *pass)});
    }
  }

  /// The change after the last common code that says most, of passes that changed nothing on the other side.
  static const event::PassRun *change(const Changes &changes, std::size_t first, const Changes &others) {
    const event::PassRun *best = nullptr;
    for (std::size_t i = first; i < changes.size(); ++i) {
      const event::PassRun &pass = changes[i];
      const bool isAlone = std::ranges::find(others, pass.name, &event::PassRun::name) == others.end();
      if (isAlone && (best == nullptr || weightOf(pass) >= weightOf(*best))) {
        best = &pass;
      }
    }
    return best;
  }

  const event::CompileEvent &m_left;
  const event::CompileEvent &m_right;
  const std::vector<event::FunctionEvent> &m_functions;
  std::set<base::FunctionId> m_visited;
  std::vector<std::string> m_path;
};

void addRemarks(Divergence &divergence, base::FunctionId function, const event::CompileEvent &left,
                const event::CompileEvent &right) {
  const std::vector<RemarkDifference> differences = compareRemarks(remarksOf(left, function), remarksOf(right, function));
  const RemarkDifference *best = mostTelling(differences);
  if (best == nullptr) {
    return;
  }
  // The reason may stand at another line than the outcome: at the instruction that was in the way.
  std::vector<event::Remark> onLeft;
  std::vector<event::Remark> onRight;
  for (const RemarkDifference &difference : differences) {
    if (difference.pass == best->pass) {
      onLeft.insert(onLeft.end(), difference.left.begin(), difference.left.end());
      onRight.insert(onRight.end(), difference.right.begin(), difference.right.end());
    }
  }
  if (const event::Remark *remark = mostTelling(onLeft)) {
    divergence.leftRemark = *remark;
  }
  if (const event::Remark *remark = mostTelling(onRight)) {
    divergence.rightRemark = *remark;
  }
}

} // namespace

Divergence divergenceOf(base::FunctionId function, const event::CompileEvent &left, const event::CompileEvent &right,
                        const std::vector<event::FunctionEvent> &functions) {
  Divergence divergence;
  const auto known = std::ranges::find(functions, function, &event::FunctionEvent::id);
  divergence.function = known == functions.end() ? std::string() : known->name;
  divergence.leftPipeline = left.pipeline;
  divergence.rightPipeline = right.pipeline;
  const Changes onLeft = changesOf(left, function);
  const Changes onRight = changesOf(right, function);
  divergence.isKnown = !onLeft.empty() && !onRight.empty();
  if (divergence.isKnown) {
    const LastCommon common = lastCommonOf(onLeft, onRight);
    divergence.isEqual = common.left == onLeft.size() && common.right == onRight.size();
    if (common.left > 0) {
      divergence.lastCommon = onLeft[common.left - 1];
      divergence.rightLastCommon = onRight[common.right - 1];
    }
    if (common.left < onLeft.size()) {
      divergence.left = onLeft[common.left];
    }
    if (common.right < onRight.size()) {
      divergence.right = onRight[common.right];
    }
  }
  if (divergence.isKnown && !divergence.isEqual) {
    CalleeSearch(left, right, functions).run(function, divergence.left, divergence.right, divergence.callees);
    // What a remark tells of comes first: that is more often what the outcome hangs on.
    std::ranges::stable_partition(divergence.callees, [](const CalleeChange &change) { return !change.remark.pass.empty(); });
  }
  if (!divergence.isEqual) {
    addRemarks(divergence, function, left, right);
  }
  divergence.sentences = sentencesOf(divergence);
  return divergence;
}

} // namespace jitscope::analysis
