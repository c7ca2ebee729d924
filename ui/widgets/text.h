// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/bench_progress.h"
#include "event/event.h"
#include "record/session_end.h"

#include <QString>

#include <filesystem>
#include <string_view>

/// Texts between the core and the window, in the words that reports use.
namespace jitscope::ui {

[[nodiscard]] QString toText(std::string_view text);
[[nodiscard]] std::filesystem::path toPath(const QString &path);
[[nodiscard]] QString fromPath(const std::filesystem::path &path);

/// As reports write them: "1.23 ms", "4.5 KiB", "1,234".
[[nodiscard]] QString durationText(double ns);
[[nodiscard]] QString bytesText(std::uint64_t bytes);
[[nodiscard]] QString countText(std::uint64_t count);

/// "recording", "finished"…
[[nodiscard]] QString statusText(record::SessionStatus status);
/// A message of the command or the core as a sentence: begins in upper case, unless its first word is more than letters, as names
/// of files are.
[[nodiscard]] QString sentenceText(const QString &message);
/// Text of a script on one line, with control characters escaped and no longer than `most` characters.
[[nodiscard]] QString lineText(std::string_view text, int most = 300);
/// A template's signature, or what stands for none.
[[nodiscard]] QString signatureText(std::string_view signature);
/// "name:line", or "name (eager)".
[[nodiscard]] QString functionText(std::string_view name, int line, bool eager);
/// "name" or "name [input]".
[[nodiscard]] QString caseText(std::string_view name, std::string_view input);
/// What a compile was made for: "study 2, every pipeline" or the calls of a section, "every pipeline".
[[nodiscard]] QString originText(base::StudyId study, std::string_view section);
/// How far a benchmark is that is being recorded.
[[nodiscard]] QString progressText(const analysis::BenchProgress &progress);
/// "new-shape" as "New shape: compiled before, for other sizes". `process` is the one that compiled.
[[nodiscard]] QString reasonText(event::MissReason reason, std::uint16_t process);
/// "arg 0 dim 1: 64 -> 256; arg 1 dtype: f32 -> f64" as lines of words: "argument 0, dimension 1: was 64, is 256".
[[nodiscard]] QStringList differenceInWords(std::string_view difference);

} // namespace jitscope::ui
