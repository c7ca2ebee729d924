// SPDX-License-Identifier: GPL-3.0-or-later
#include "jit/disk_key.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

namespace jitscope::jit {

namespace {

using lower::KeyField;

constexpr std::string_view kCpu = "cpu";
constexpr std::string_view kFeatures = "features";
/// The value of a field that another version does not have.
const std::string kAbsent = "none";
/// A CPU has dozens of features; the first ones tell enough.
constexpr std::size_t kFeaturesNamed = 8;

const std::string &valueOf(const std::vector<KeyField> &fields, const std::string &name) {
  const auto found = std::ranges::find(fields, name, &KeyField::name);
  return found == fields.end() ? kAbsent : found->value;
}

/// Those that are on in "+sse2,-tbm,+avx".
std::set<std::string_view> enabledFeatures(std::string_view text) {
  llvm::SmallVector<llvm::StringRef> features;
  llvm::StringRef(text).split(features, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  std::set<std::string_view> enabled;
  for (const llvm::StringRef feature : features) {
    if (feature.starts_with("+")) {
      enabled.insert(std::string_view(feature.drop_front()));
    }
  }
  return enabled;
}

std::string featureText(std::string_view known, std::string_view wanted) {
  const std::set<std::string_view> before = enabledFeatures(known);
  const std::set<std::string_view> after = enabledFeatures(wanted);
  std::vector<std::string> changes;
  for (const std::string_view feature : after) {
    if (!before.contains(feature)) {
      changes.push_back(fmt::format("+{}", feature));
    }
  }
  for (const std::string_view feature : before) {
    if (!after.contains(feature)) {
      changes.push_back(fmt::format("-{}", feature));
    }
  }
  const std::size_t named = std::min(changes.size(), kFeaturesNamed);
  std::string text = fmt::format("{}:", kFeatures);
  for (std::size_t i = 0; i < named; ++i) {
    text += (i == 0 ? " " : ",") + changes[i];
  }
  // The same features may be listed in another way, which is another key all the same.
  return text + (changes.empty()          ? " listed otherwise"
                 : named < changes.size() ? fmt::format(" and {} more", changes.size() - named)
                                          : "");
}

/// Calls `report` for each name whose value differs: the wanted key's in their order, then those that only the known one has.
void eachDifference(
    const std::vector<KeyField> &known, const std::vector<KeyField> &wanted,
    const std::function<void(const std::string &name, const std::string &before, const std::string &after)> &report) {
  for (const KeyField &field : wanted) {
    if (const std::string &before = valueOf(known, field.name); before != field.value) {
      report(field.name, before, field.value);
    }
  }
  for (const KeyField &field : known) {
    if (std::ranges::find(wanted, field.name, &KeyField::name) == wanted.end()) {
      report(field.name, field.value, kAbsent);
    }
  }
}

} // namespace

KeyDifference differenceBetween(const DiskKey &known, const DiskKey &wanted) {
  KeyDifference difference;
  const auto add = [&](const std::string &text) {
    difference.text += (difference.text.empty() ? "" : "; ") + text;
    ++difference.fields;
  };
  bool hasOtherCpuOption = false;
  eachDifference(known.options, wanted.options, [&](const std::string &name, const std::string &before, const std::string &after) {
    hasOtherCpuOption = hasOtherCpuOption || name == kCpu;
    add(lower::changeText(name, before, after));
  });
  eachDifference(known.target, wanted.target, [&](const std::string &name, const std::string &before, const std::string &after) {
    if (hasOtherCpuOption && (name == kCpu || name == kFeatures)) {
      return;
    }
    difference.isOtherTarget = true;
    add(name == kFeatures ? featureText(before, after) : lower::changeText(name, before, after));
  });
  return difference;
}

} // namespace jitscope::jit
