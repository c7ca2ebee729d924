// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Which scripts a batch runs, under which names, and what each is compared with.
namespace jitscope::app {

/// A part of the scripts, as `--shard 2/4` names it.
struct Shard {
  std::size_t index = 1; ///< counts from 1
  std::size_t count = 1;
};

/// "2/4"; RuntimeOption for what is none.
base::Result<Shard> parseShard(const std::string &text);

struct BatchScript {
  std::string path;
  std::string name; ///< for its files: the script's own where that is unique, else made of its path
};

/// The scripts that are named, and those (*.lua) in folders that are named, sorted within a folder, each once. ScriptUnreadable for
/// one that is not there or a folder without any.
base::Result<std::vector<BatchScript>> findScripts(const std::vector<std::string> &paths);

/// Every so-manieth script, so that the shards together are all of them.
std::vector<BatchScript> scriptsOf(const std::vector<BatchScript> &all, const Shard &shard);

/// Where the baselines of scripts are.
class Baseline {
public:
  /// A session, for the only script of a batch, or a folder of sessions named after their scripts. StorageOpen for what is neither.
  static base::Result<Baseline> open(const std::filesystem::path &path, const std::vector<BatchScript> &all);

  /// The session for a script; empty if there is none.
  [[nodiscard]] std::optional<std::filesystem::path> sessionFor(const BatchScript &script) const;
  /// Sessions whose script is not among all scripts, sorted: something is no longer measured.
  [[nodiscard]] const std::vector<std::string> &withoutScript() const { return m_withoutScript; }

private:
  std::filesystem::path m_path;
  bool m_isFolder = false;
  std::vector<std::string> m_withoutScript;
};

} // namespace jitscope::app
