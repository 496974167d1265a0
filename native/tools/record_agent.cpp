// The agent's library, and what it is told of the machine.

#include <dlfcn.h>
#include <limits.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/machine_facts.h"
#include "base/switch_mark.h"
#include "core/clock.h"
#include "format/crc32c.h"
#include "tools/record.h"

namespace parallax::record {
namespace {

constexpr char kAgentName[] = "libparallax-agent.so";

}  // namespace

void say(const std::string& text) { fprintf(stderr, "parallax: %s\n", text.c_str()); }

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

std::string ownDirectory() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return ".";
  path[length] = '\0';
  return std::string(path).substr(0, std::string(path).rfind('/'));
}

std::string findAgent() {
  const std::string own = ownDirectory();
  for (const std::string& path : {own + "/" + kAgentName,
                                  own + "/../lib/parallax/" + kAgentName}) {
    char resolved[PATH_MAX];
    if (realpath(path.c_str(), resolved) != nullptr) return resolved;
  }
  say(std::string("cannot find ") + kAgentName + " beside " + own +
      "/parallax-record or in ../lib/parallax; build it with: ./parallax setup");
  return "";
}

bool prepareAgent(const std::string& more, Environment* environment) {
  environment->agent = findAgent();
  if (environment->agent.empty()) return false;
  if (environment->agent.find_first_of(": ") != std::string::npos) {
    say("the path of the agent, " + environment->agent + ", contains a space or colon, which "
        "LD_PRELOAD does not allow; move Parallax to another directory");
    return false;
  }
  constexpr uint64_t kMeasureNs = 10000000;
  clockSettings.tsc = clockSettings.readsTsc = tscIsInvariant();
  environment->tickHz = measureTickHz(kMeasureNs);
  const auto* area = static_cast<const ptrdiff_t*>(dlsym(RTLD_DEFAULT, "__rseq_offset"));
  const auto* bytes = static_cast<const unsigned*>(dlsym(RTLD_DEFAULT, "__rseq_size"));
  uint64_t* word = area != nullptr && bytes != nullptr && switch_mark::mayHaveSignature(*area, *bytes)
                       ? switch_mark::word(*area) : nullptr;
  utsname names{};
  if (uname(&names) == 0) {
    char name[machine::kMostBytes];
    std::string facts(name, machine::writeName(names, name));
    if (clockSettings.tsc) facts += machine::kInvariantTsc;
    if (clockSettings.tsc && fenceOrdersTsc()) facts += machine::kOrderingFence;
    if (word != nullptr && switch_mark::marksWaits(word)) facts += machine::kSwitchMark;
    if (format::hasHardwareCrc()) facts += machine::kHardwareCrc;
    facts += more;
    environment->settings.emplace_back("PARALLAX_MACHINE", facts);
  }
  return true;
}

}  // namespace parallax::record
