// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/script/script_text.h"

#include "ui/widgets/text.h"

#include <QCoreApplication>
#include <QFile>
#include <QStringDecoder>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace jitscope::ui {

namespace {

constexpr QByteArrayView kByteOrderMark("\xEF\xBB\xBF");

std::unexpected<base::Error> cannotRead(const QString &path, std::string_view why) {
  return base::fail(base::ErrorCode::StorageOpen, fmt::format("{} cannot be opened: {}", path.toStdString(), why));
}

/// What is there in place of a file; empty for a file.
std::string_view whyNoFile(const struct stat &info) {
  return S_ISREG(info.st_mode) ? "" : S_ISDIR(info.st_mode) ? "it is a folder" : "it is a pipe or a device, not a file";
}

/// Text of an encoding; nothing where the bytes are not in it, or where there would be NUL.
std::optional<QString> decode(const QByteArray &bytes, const QByteArray &encoding) {
  QStringDecoder decoder(encoding.constData());
  if (!decoder.isValid()) {
    return std::nullopt;
  }
  QString text = decoder.decode(bytes);
  if (decoder.hasError() || text.contains(QChar(0)) || text.contains(QChar(QChar::ReplacementCharacter))) {
    return std::nullopt;
  }
  return text;
}

/// Where UTF-8 ends, or the size of the text.
qsizetype firstIllegalByte(QByteArrayView bytes) {
  qsizetype at = 0;
  while (at < bytes.size()) {
    const auto lead = static_cast<unsigned char>(bytes[at]);
    const qsizetype length = lead < 0x80U ? 1 : lead < 0xE0U ? 2 : lead < 0xF0U ? 3 : 4;
    if (at + length > bytes.size() || (length > 1 && !bytes.sliced(at, length).isValidUtf8())) {
      break;
    }
    at += length;
  }
  return at;
}

std::vector<TextEncoding> encodingsOf(const QByteArray &bytes) {
  const bool hasC1 = std::ranges::any_of(bytes, [](char byte) { return (static_cast<unsigned char>(byte) & 0xE0U) == 0x80U; });
  std::vector<TextEncoding> candidates{{QStringLiteral("UTF-16"), "UTF-16"},
                                       {QStringLiteral("Latin-1 (ISO 8859-1)"), "ISO-8859-1"},
                                       {QStringLiteral("Latin-9 (ISO 8859-15)"), "ISO-8859-15"},
                                       {QStringLiteral("Western (Windows-1252)"), "windows-1252"}};
  // Latin-1 has control characters where Windows has quotes and dashes.
  if (hasC1) {
    std::swap(candidates[1], candidates[3]);
  }
  // Without its mark, UTF-16 cannot be told from any other pairs of bytes.
  if (!bytes.startsWith("\xFF\xFE") && !bytes.startsWith("\xFE\xFF")) {
    candidates.erase(candidates.begin());
  }
  std::erase_if(candidates, [&bytes](const TextEncoding &encoding) { return !decode(bytes, encoding.name); });
  return candidates;
}

} // namespace

base::Result<QByteArray> readScriptFile(const QString &path) {
  const QByteArray name = QFile::encodeName(path);
  struct stat info{};
  if (::stat(name.constData(), &info) != 0) {
    return cannotRead(path, std::strerror(errno));
  }
  // Opening a device may do something to it.
  if (const std::string_view why = whyNoFile(info); !why.empty()) {
    return cannotRead(path, why);
  }
  const int descriptor = ::open(name.constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) {
    return cannotRead(path, std::strerror(errno));
  }
  QFile file;
  if (!file.open(descriptor, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle)) {
    ::close(descriptor);
    return cannotRead(path, file.errorString().toStdString());
  }
  // The name may stand for something else by now.
  if (const std::string_view why = ::fstat(descriptor, &info) == 0 ? whyNoFile(info) : std::strerror(errno); !why.empty()) {
    return cannotRead(path, why);
  }
  // By what is there to be read and not by its size: some files have none.
  QByteArray bytes = file.read(kMaxScriptBytes + 1);
  if (bytes.size() > kMaxScriptBytes) {
    return cannotRead(path, "it is larger than the limit for scripts (16 MiB)");
  }
  if (file.error() != QFileDevice::NoError) {
    return cannotRead(path, file.errorString().toStdString());
  }
  return bytes;
}

ScriptText ScriptText::of(QByteArray bytes) {
  ScriptText text;
  text.bytes = std::move(bytes);
  const qsizetype zero = text.bytes.indexOf('\0');
  const qsizetype illegal = firstIllegalByte(text.bytes);
  if (zero < 0 && illegal == text.bytes.size()) {
    text.hasBom = text.bytes.startsWith(kByteOrderMark);
    text.shown = text.hasBom ? text.bytes.sliced(kByteOrderMark.size()) : text.bytes;
    return text;
  }
  text.encodings = encodingsOf(text.bytes);
  if (!text.encodings.empty()) {
    text.problem = QCoreApplication::translate("script", "Not UTF-8 (line %1, byte 0x%2), so it is shown read-only.")
                       .arg(1 + text.bytes.first(illegal).count('\n'))
                       .arg(static_cast<unsigned char>(text.bytes[illegal]), 2, 16, QLatin1Char('0'));
  } else if (zero >= 0) {
    text.problem =
        QCoreApplication::translate("script", "Not text (a zero byte at offset %1), so it is shown read-only.").arg(zero);
  } else {
    text.problem = QCoreApplication::translate("script", "Not text in a known encoding, so it is shown read-only.");
  }
  text.shown = QString::fromUtf8(text.bytes).replace(QChar(0), QChar(0x2400)).toUtf8();
  return text;
}

base::Result<QByteArray> ScriptText::convertedFrom(const QByteArray &encoding) const {
  const std::optional<QString> text = decode(bytes, encoding);
  if (!text) {
    return base::fail(base::ErrorCode::RuntimeOption, fmt::format("the text is not in {}", encoding.toStdString()));
  }
  return text->toUtf8();
}

QByteArray ScriptText::bytesFor(const QByteArray &edited) const { return hasBom ? kByteOrderMark.toByteArray() + edited : edited; }

bool ScriptText::hasCrLf() const { return 2 * shown.count("\r\n") > shown.count('\n'); }

} // namespace jitscope::ui
