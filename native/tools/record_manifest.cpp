#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "format/format.h"
#include "tools/record.h"

namespace parallax::record {
namespace {

// A value runs to the end of its line: what would end it is shown as an escape.
std::string oneLine(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\r') {
      result += "\\r";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

std::string quotedForShell(const std::vector<std::string>& command) {
  constexpr char kPlain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:=,@%^";
  std::string result;
  for (const std::string& word : command) {
    if (!result.empty()) result += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      result += word;
      continue;
    }
    result += '\'';
    for (const char c : word) {
      if (c == '\'') {
        result += "'\\''";
      } else {
        result += c;
      }
    }
    result += '\'';
  }
  return result;
}

std::string isoTime() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  tm parts;
  gmtime_r(&now.tv_sec, &parts);
  char day[32], text[48];
  strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &parts);
  snprintf(text, sizeof text, "%s.%03ldZ", day, now.tv_nsec / 1000000);
  return text;
}

std::string randomRun() {
  unsigned char bytes[16] = {};
  if (getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes)) {
    // Too early after the start of the machine, or no such call: still different each time.
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(reinterpret_cast<char*>(bytes), sizeof bytes, "%lx%x", now.tv_nsec, getpid());
  }
  std::string text;
  for (const unsigned char byte : bytes) {
    char hex[3];
    snprintf(hex, sizeof hex, "%02x", byte);
    text += hex;
  }
  return text;
}

int writeManifest(const std::string& traceDirectory, const Manifest& manifest) {
  std::string text = "parallax-trace = " + std::to_string(format::kVersion) + "\n";
  auto add = [&](const char* key, const std::string& value) {
    text += std::string(key) + " = " + oneLine(value) + "\n";
  };
  add("run", manifest.run);
  add("created", manifest.created);
  add("host", manifest.host);
  add("directory", manifest.directory);
  add("command", manifest.command);
  add("agent", PARALLAX_VERSION);
  add("sample-hz", std::to_string(manifest.sampleHz));
  add("tick-hz", std::to_string(manifest.tickHz));
  if (!manifest.ended.empty()) {
    add("ended", manifest.ended);
    add("elapsed-ns", std::to_string(manifest.elapsedNs));
    add("exit-status", std::to_string(manifest.exitStatus));
  }

  const std::string path = traceDirectory + "/manifest";
  const std::string temporary = path + ".new";
  unlink(temporary.c_str());  // of a recorder that was killed
  const int fd =
      open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return errno;
  int error = 0;
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = write(fd, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      error = written < 0 ? errno : ENOSPC;
      break;
    }
    at += static_cast<size_t>(written);
  }
  if (close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) unlink(temporary.c_str());
  return error;
}

}  // namespace parallax::record
