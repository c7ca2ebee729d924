// SPDX-License-Identifier: GPL-3.0-or-later
#include "cache/template_index.h"

#include "cache/template_difference.h"

#include <algorithm>
#include <limits>
#include <map>
#include <ranges>
#include <span>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>

namespace jitscope::cache {

namespace {

using Row = TemplateIndex::Row;

/// What the templates of a structure have in common: for each argument the rank of the tensor, or `kStatic`.
using StructureKey = std::vector<int>;
constexpr int kStatic = -1;

StructureKey keyOf(const graph::Template &tmpl) {
  StructureKey key;
  key.reserve(tmpl.arguments.size());
  for (const graph::ArgumentType &argument : tmpl.arguments) {
    const auto *tensor = std::get_if<graph::TensorType>(&argument);
    key.push_back(tensor == nullptr ? kStatic : static_cast<int>(tensor->shape.rank()));
  }
  return key;
}

/// A field of all templates of one structure.
struct Column {
  llvm::DenseMap<std::uint64_t, std::uint32_t> numbers; ///< of the values, in the order in which they came
  /// By number: the templates with that value, by their place in `Structure::rows`. Most values of a storm have one.
  std::vector<llvm::SmallVector<std::uint32_t, 2>> places;
};

struct Structure {
  StructureKey key;
  std::vector<Column> columns;
  std::vector<Row> rows;             ///< ascending
  std::vector<std::uint32_t> values; ///< their numbers in each column, template by template
};

std::uint64_t typeCode(const graph::TensorType &type) {
  return static_cast<std::uint64_t>(type.dtype) << 1U | (type.weak ? 1U : 0U);
}
/// Unknown sizes are -1, which the tables keep for themselves.
std::uint64_t sizeCode(std::int64_t size) { return static_cast<std::uint64_t>(size) + 1; }

} // namespace

struct TemplateIndex::State {
  SearchLimits limits;
  Row count = 0;
  llvm::StringMap<std::uint64_t> statics; ///< what stands for the text of a static value, from 1
  std::map<StructureKey, std::size_t> structureOf;
  std::vector<Structure> structures;
};

TemplateIndex::TemplateIndex(SearchLimits limits) : m_state(std::make_unique<State>()) { m_state->limits = limits; }
TemplateIndex::~TemplateIndex() = default;
TemplateIndex::TemplateIndex(TemplateIndex &&) noexcept = default;
TemplateIndex &TemplateIndex::operator=(TemplateIndex &&) noexcept = default;

Row TemplateIndex::add(const graph::Template &tmpl) {
  const auto [at, isNew] = m_state->structureOf.try_emplace(keyOf(tmpl), m_state->structures.size());
  if (isNew) {
    m_state->structures.push_back({at->first, {}, {}, {}});
  }
  Structure &structure = m_state->structures[at->second];
  const auto place = static_cast<std::uint32_t>(structure.rows.size());
  std::size_t field = 0;
  const auto append = [&](std::uint64_t code) {
    if (field == structure.columns.size()) {
      structure.columns.emplace_back();
    }
    Column &column = structure.columns[field++];
    const auto [number, isNewValue] = column.numbers.try_emplace(code, static_cast<std::uint32_t>(column.places.size()));
    if (isNewValue) {
      column.places.emplace_back();
    }
    column.places[number->second].push_back(place);
    structure.values.push_back(number->second);
  };
  for (const graph::ArgumentType &argument : tmpl.arguments) {
    if (const auto *tensor = std::get_if<graph::TensorType>(&argument)) {
      append(typeCode(*tensor));
      std::ranges::for_each(tensor->shape.sizes(), [&](std::int64_t size) { append(sizeCode(size)); });
    } else {
      append(m_state->statics.try_emplace(std::get<graph::StaticValue>(argument).text, m_state->statics.size() + 1).first->second);
    }
  }
  structure.rows.push_back(m_state->count);
  return m_state->count++;
}

/// One search for the nearest template.
class TemplateIndex::Search {
public:
  Search(const State &state, const graph::Template &wanted)
      : m_state(state), m_wanted(wanted), m_key(keyOf(wanted)), m_comparisonsLeft(state.limits.comparisons) {}

  std::optional<Row> run() {
    const auto own = m_state.structureOf.find(m_key);
    const std::size_t ownNumber = own == m_state.structureOf.end() ? m_state.structures.size() : own->second;
    if (ownNumber < m_state.structures.size()) {
      visit(m_state.structures[ownNumber], 0);
    }
    // Another structure is as far away as a static argument at least.
    if (m_bestDistance < kStaticDistance) {
      return m_best;
    }
    for (const Candidate &candidate : otherStructures(ownNumber)) {
      visit(*candidate.structure, candidate.distance);
    }
    return m_best;
  }

private:
  struct Candidate {
    const Structure *structure = nullptr;
    std::uint32_t distance = 0; ///< that its structure alone makes
  };
  /// The templates that agree with the wanted one in a field.
  struct Agreement {
    std::size_t column = 0;
    std::uint32_t number = 0; ///< of the value
    std::uint32_t weight = 0;
    std::span<const std::uint32_t> places;
  };

  /// 0 for a value that is in no template.
  [[nodiscard]] std::uint64_t staticCode(const graph::StaticValue &value) const {
    const auto known = m_state.statics.find(value.text);
    return known == m_state.statics.end() ? 0 : known->second;
  }

  [[nodiscard]] std::uint32_t distanceOf(const StructureKey &key) const {
    const std::size_t common = std::min(key.size(), m_key.size());
    std::uint32_t distance = key.size() == m_key.size() ? 0 : kArityDistance;
    for (std::size_t i = 0; i < common; ++i) {
      if (key[i] != m_key[i]) {
        distance += key[i] == kStatic || m_key[i] == kStatic ? kStaticDistance : kRankDistance;
      }
    }
    return distance;
  }

  /// Those that may hold something nearer, nearest first.
  [[nodiscard]] std::vector<Candidate> otherStructures(std::size_t ownNumber) const {
    std::vector<Candidate> others;
    for (std::size_t i = 0; i < m_state.structures.size(); ++i) {
      if (i != ownNumber) {
        others.push_back({&m_state.structures[i], 0});
      }
    }
    const auto byLatest = [](const Candidate &left, const Candidate &right) {
      return left.structure->rows.back() > right.structure->rows.back();
    };
    if (others.size() > m_state.limits.structures) {
      const auto end = others.begin() + static_cast<std::ptrdiff_t>(m_state.limits.structures);
      std::ranges::nth_element(others, end, byLatest);
      others.erase(end, others.end());
    }
    for (Candidate &candidate : others) {
      candidate.distance = distanceOf(candidate.structure->key);
    }
    std::erase_if(others, [this](const Candidate &candidate) { return candidate.distance > m_bestDistance; });
    std::ranges::sort(others, [&](const Candidate &left, const Candidate &right) {
      return left.distance != right.distance ? left.distance < right.distance : byLatest(left, right);
    });
    return others;
  }

  /// Sets `m_lists` to the fields in which some templates agree with the wanted one and others do not, and `m_farthest` to the
  /// distance of a template that is on none of those lists. Returns whether some field's value is in no template at all.
  bool compareFields(const Structure &structure, std::uint32_t structureDistance) {
    m_lists.clear();
    m_farthest = structureDistance;
    bool hasNew = false;
    std::size_t field = 0;
    const auto compare = [&](std::uint64_t code, std::uint32_t weight) {
      const std::size_t column = field++;
      const Column &known = structure.columns[column];
      const auto number = known.numbers.find(code);
      if (number == known.numbers.end()) {
        hasNew = true;
        m_farthest += weight;
      } else if (const auto &places = known.places[number->second]; places.size() < structure.rows.size()) {
        m_farthest += weight;
        m_lists.push_back({column, number->second, weight, {places.data(), places.size()}});
      }
    };
    const std::size_t common = std::min(structure.key.size(), m_key.size());
    for (std::size_t i = 0; i < common; ++i) {
      const int rank = structure.key[i];
      const auto *tensor = std::get_if<graph::TensorType>(&m_wanted.arguments[i]);
      if (rank == kStatic && tensor == nullptr) {
        compare(staticCode(std::get<graph::StaticValue>(m_wanted.arguments[i])), kStaticDistance);
      } else if (rank == kStatic || tensor == nullptr) {
        field += rank == kStatic ? 1 : static_cast<std::size_t>(rank) + 1;
      } else {
        compare(typeCode(*tensor), kDtypeDistance);
        if (rank == m_key[i]) {
          std::ranges::for_each(tensor->shape.sizes(), [&](std::int64_t size) { compare(sizeCode(size), kSizeDistance); });
        } else {
          field += static_cast<std::size_t>(rank);
        }
      }
    }
    return hasNew;
  }

  void visit(const Structure &structure, std::uint32_t structureDistance) {
    if (structureDistance > m_bestDistance) {
      return;
    }
    const bool hasNew = compareFields(structure, structureDistance);
    std::uint32_t listed = 0;
    std::uint32_t lightest = std::numeric_limits<std::uint32_t>::max();
    for (const Agreement &list : m_lists) {
      listed += list.weight;
      lightest = std::min(lightest, list.weight);
    }
    // The wanted template itself is not there: where nothing else differs, one of these fields does.
    const bool oneDiffers = structureDistance == 0 && !hasNew && !m_lists.empty();
    m_nearestPossible = m_farthest - listed + (oneDiffers ? lightest : 0);
    if (!mayHoldNearer(m_nearestPossible, structure.rows.back())) {
      return;
    }
    consider(structure, static_cast<std::uint32_t>(structure.rows.size() - 1));
    std::ranges::sort(m_lists, [](const Agreement &left, const Agreement &right) {
      return left.places.size() != right.places.size() ? left.places.size() < right.places.size() : left.column < right.column;
    });
    for (const Agreement &list : m_lists) {
      consider(structure, list.places.back());
    }
    walkLists(structure, listed);
  }

  void walkLists(const Structure &structure, std::uint32_t listed) {
    const auto latestPlace = [](const Agreement &list) { return list.places.back(); };
    std::uint32_t unread = listed; // what agreeing in all fields whose lists were not read yet takes off the distance
    for (std::size_t i = 0; i < m_lists.size(); ++i) {
      // A template on none of the lists read so far agrees in the unread fields at best. If it is only as near as the best one, it
      // agrees in all of them and is thus no later than the earliest end of their lists, unless that is nearer than possible.
      const std::uint32_t distance = m_farthest - unread;
      const auto [earliest, latest] = std::ranges::minmax(m_lists | std::views::drop(i) | std::views::transform(latestPlace));
      const std::uint32_t last = distance < m_nearestPossible ? latest : earliest;
      if (!mayHoldNearer(std::max(distance, m_nearestPossible), structure.rows[last])) {
        return;
      }
      const std::span<const std::uint32_t> places = m_lists[i].places;
      for (auto place = places.rbegin(); place != places.rend(); ++place) {
        if (!mayHoldNearer(m_nearestPossible, structure.rows[*place])) {
          break;
        }
        if (m_comparisonsLeft < m_lists.size()) {
          return;
        }
        m_comparisonsLeft -= m_lists.size();
        consider(structure, *place);
      }
      unread -= m_lists[i].weight;
    }
  }

  /// Whether something at least as far as `distance` and no later than `latest` could replace the best one.
  [[nodiscard]] bool mayHoldNearer(std::uint32_t distance, Row latest) const {
    return !m_best || distance < m_bestDistance || (distance == m_bestDistance && latest > *m_best);
  }

  void consider(const Structure &structure, std::uint32_t place) {
    const std::size_t width = structure.columns.size();
    const std::span<const std::uint32_t> values = std::span(structure.values).subspan(place * width, width);
    std::uint32_t distance = m_farthest;
    for (const Agreement &list : m_lists) {
      distance -= values[list.column] == list.number ? list.weight : 0;
    }
    if (mayHoldNearer(distance, structure.rows[place])) {
      m_best = structure.rows[place];
      m_bestDistance = distance;
    }
  }

  const State &m_state;
  const graph::Template &m_wanted;
  StructureKey m_key;
  std::size_t m_comparisonsLeft;
  std::optional<Row> m_best;
  std::uint32_t m_bestDistance = std::numeric_limits<std::uint32_t>::max();
  std::vector<Agreement> m_lists; ///< of the structure that is being searched
  std::uint32_t m_farthest = 0;
  std::uint32_t m_nearestPossible = 0;
};

std::optional<Row> TemplateIndex::nearest(const graph::Template &wanted) const { return Search(*m_state, wanted).run(); }

} // namespace jitscope::cache
