// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/batch_inputs.h"

#include "base/number.h"
#include "base/try.h"
#include "session/session_reader.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace jitscope::app {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

Result<std::vector<std::string>> scriptsIn(const fs::path &folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error)) {
    std::error_code ignored;
    if (entry.path().extension() == ".lua" && entry.is_regular_file(ignored)) {
      found.push_back(entry.path().string());
    }
  }
  if (error) {
    return fail(ErrorCode::ScriptUnreadable, fmt::format("the folder {} cannot be read: {}", folder.string(), error.message()));
  }
  if (found.empty()) {
    return fail(ErrorCode::ScriptUnreadable, fmt::format("the folder {} has no graph scripts (*.lua)", folder.string()));
  }
  std::ranges::sort(found);
  return found;
}

/// "a/b/x.lua" as "a-b-x".
std::string nameFromPath(const fs::path &path) {
  std::string name;
  for (const fs::path &part : fs::path(path).replace_extension().lexically_normal().relative_path()) {
    name += (name.empty() ? "" : "-") + part.string();
  }
  return name;
}

std::vector<BatchScript> named(const std::vector<std::string> &paths) {
  std::map<std::string, int> stems;
  for (const std::string &path : paths) {
    ++stems[fs::path(path).stem().string()];
  }
  std::vector<BatchScript> scripts;
  std::set<std::string> taken;
  for (const std::string &path : paths) {
    const std::string stem = fs::path(path).stem().string();
    const std::string wanted = stems[stem] == 1 && !stem.empty() ? stem : nameFromPath(path);
    std::string name = wanted;
    for (int i = 2; !taken.insert(name).second; ++i) {
      name = fmt::format("{}-{}", wanted, i);
    }
    scripts.push_back({path, name});
  }
  return scripts;
}

} // namespace

Result<Shard> parseShard(const std::string &text) {
  const std::size_t slash = text.find('/');
  const std::optional<std::size_t> index = base::numberFrom<std::size_t>(std::string_view(text).substr(0, slash));
  const std::optional<std::size_t> count =
      slash == std::string::npos ? std::nullopt : base::numberFrom<std::size_t>(std::string_view(text).substr(slash + 1));
  if (!index || !count || *index < 1 || *index > *count) {
    return fail(ErrorCode::RuntimeOption, fmt::format("--shard takes I/N, such as 2/4, not \"{}\"", text));
  }
  return Shard{*index, *count};
}

Result<std::vector<BatchScript>> findScripts(const std::vector<std::string> &paths) {
  std::vector<std::string> found;
  std::set<fs::path> known;
  const auto add = [&](const std::string &path) {
    std::error_code ignored;
    fs::path same = fs::weakly_canonical(path, ignored);
    if (known.insert(same.empty() ? fs::path(path) : std::move(same)).second) {
      found.push_back(path);
    }
  };
  for (const std::string &path : paths) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
      JITSCOPE_TRY(const std::vector<std::string> inside, scriptsIn(path));
      std::ranges::for_each(inside, add);
    } else if (fs::exists(path, ignored)) {
      add(path);
    } else {
      return fail(ErrorCode::ScriptUnreadable, fmt::format("the script {} does not exist; nothing was run", path));
    }
  }
  return named(found);
}

std::vector<BatchScript> scriptsOf(const std::vector<BatchScript> &all, const Shard &shard) {
  std::vector<BatchScript> result;
  for (std::size_t i = shard.index - 1; i < all.size(); i += shard.count) {
    result.push_back(all[i]);
  }
  return result;
}

Result<Baseline> Baseline::open(const fs::path &path, const std::vector<BatchScript> &all) {
  Baseline baseline;
  baseline.m_path = path;
  std::error_code error;
  baseline.m_isFolder = fs::is_directory(path, error);
  if (!baseline.m_isFolder) {
    if (!fs::exists(path, error)) {
      return fail(ErrorCode::StorageOpen, fmt::format("the baseline {} does not exist; nothing was run", path.string()));
    }
    if (all.size() != 1) {
      return fail(ErrorCode::RuntimeOption,
                  fmt::format("the baseline {} is one session, and there are {} scripts; name a folder with a session for each",
                              path.string(), all.size()));
    }
    if (const auto reader = session::SessionReader::open(path); !reader) {
      return fail(reader.error().code, fmt::format("{}; nothing was run", reader.error().message));
    }
    return baseline;
  }
  for (const fs::directory_entry &entry : fs::directory_iterator(path, error)) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() == ".jitscope" && std::ranges::find(all, stem, &BatchScript::name) == all.end()) {
      baseline.m_withoutScript.push_back(entry.path().string());
    }
  }
  if (error) {
    return fail(ErrorCode::StorageOpen, fmt::format("the baseline {} cannot be read: {}", path.string(), error.message()));
  }
  std::ranges::sort(baseline.m_withoutScript);
  return baseline;
}

std::optional<fs::path> Baseline::sessionFor(const BatchScript &script) const {
  if (!m_isFolder) {
    return m_path;
  }
  fs::path session = m_path / (script.name + ".jitscope");
  std::error_code ignored;
  return fs::exists(session, ignored) ? std::optional(std::move(session)) : std::nullopt;
}

} // namespace jitscope::app
