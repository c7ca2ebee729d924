// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compare/compile_comparison.h"

#include "analysis/query/each_row.h"
#include "base/percentile.h"
#include "session/file/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace jitscope::analysis {

namespace {

using TimesBySignature = std::map<std::string, std::vector<std::uint64_t>>;

constexpr const char *kCompileTimesSql =
    "SELECT f.name, f.eager, c.pipeline, c.study_id, t.signature, c.total_ns FROM compile c "
    "JOIN template t ON t.id = c.template_id JOIN function f ON f.id = t.function_id "
    "WHERE c.study_id IS NULL OR c.repetition > 0 OR NOT EXISTS (SELECT 1 FROM compile o WHERE o.study_id = c.study_id "
    "AND o.pipeline = c.pipeline AND o.repetition > 0) ORDER BY c.id";

/// Sorted times of those signatures that `other` has as well; of all without `other`.
std::vector<std::uint64_t> timesOf(const TimesBySignature &times, const TimesBySignature *other) {
  std::vector<std::uint64_t> result;
  for (const auto &[signature, values] : times) {
    if (other == nullptr || other->contains(signature)) {
      result.insert(result.end(), values.begin(), values.end());
    }
  }
  std::ranges::sort(result);
  return result;
}

CompileComparison compareOne(const CompileKey &key, const TimesBySignature &base, const TimesBySignature &contender) {
  CompileComparison result;
  result.key = key;
  result.templates = static_cast<std::size_t>(
      std::ranges::count_if(base, [&contender](const auto &entry) { return contender.contains(entry.first); }));
  const bool isShared = result.templates > 0;
  const std::vector<std::uint64_t> baseNs = timesOf(base, isShared ? &contender : nullptr);
  const std::vector<std::uint64_t> contenderNs = timesOf(contender, isShared ? &base : nullptr);
  result.baseCompiles = baseNs.size();
  result.contenderCompiles = contenderNs.size();
  result.baseMedianNs = baseNs.empty() ? 0 : base::percentile(baseNs, 50);
  result.contenderMedianNs = contenderNs.empty() ? 0 : base::percentile(contenderNs, 50);
  return result;
}

/// The one key of a function, whatever its pipeline; null where it has several or none.
const CompileKey *onlyKeyOf(const CompileDurations &durations, const CompileKey &key) {
  const CompileKey *only = nullptr;
  for (auto entry = durations.lower_bound({key.function, key.eager, {}, 0}); entry != durations.end(); ++entry) {
    const CompileKey &other = entry->first;
    if (other.function != key.function || other.eager != key.eager) {
      break;
    }
    if (other.study == key.study) {
      if (only != nullptr) {
        return nullptr;
      }
      only = &other;
    }
  }
  return only;
}

/// What the contender has of a function that the base compiled as `key`; its end for nothing.
CompileDurations::const_iterator matchOf(const CompileKey &key, const CompileDurations &base, const CompileDurations &contender) {
  const auto same = contender.find(key);
  if (same != contender.end() || onlyKeyOf(base, key) == nullptr) {
    return same;
  }
  const CompileKey *only = onlyKeyOf(contender, key);
  return only == nullptr ? contender.end() : contender.find(*only);
}

double cost(const CompileComparison &row) {
  return std::max(row.baseMedianNs * static_cast<double>(row.baseCompiles),
                  row.contenderMedianNs * static_cast<double>(row.contenderCompiles));
}

} // namespace

base::Result<CompileDurations> readCompileDurations(session::Database &database) {
  CompileDurations times;
  base::Result<void> read = eachRow(database, kCompileTimesSql, [&times](const session::Statement &row) {
    const CompileKey key{std::string(row.text(0)), row.integer(1) != 0, std::string(row.text(2)), row.number(3)};
    times[key][std::string(row.text(4))].push_back(row.unsignedInteger(5));
  });
  if (!read) {
    return std::unexpected(std::move(read.error()));
  }
  return times;
}

std::string CompileComparison::pipelineLabel() const {
  const std::string pipelines = contenderPipeline.empty() ? key.pipeline : fmt::format("{} / {}", key.pipeline, contenderPipeline);
  return key.study > 0 ? fmt::format("{} (study {})", pipelines, key.study) : pipelines;
}

std::vector<CompileComparison> compareCompiles(const CompileDurations &base, const CompileDurations &contender) {
  static const TimesBySignature kNone;
  std::vector<CompileComparison> result;
  std::set<CompileKey> matched;
  for (const auto &[key, times] : base) {
    const auto other = matchOf(key, base, contender);
    if (other == contender.end()) {
      result.push_back(compareOne(key, times, kNone));
      continue;
    }
    matched.insert(other->first);
    result.push_back(compareOne(key, times, other->second));
    if (other->first.pipeline != key.pipeline) {
      result.back().contenderPipeline = other->first.pipeline;
    }
  }
  for (const auto &[key, times] : contender) {
    if (!matched.contains(key)) {
      result.push_back(compareOne(key, kNone, times));
    }
  }
  std::ranges::stable_sort(result, std::greater{}, cost);
  return result;
}

} // namespace jitscope::analysis
