// Space on the disk for a trace: whether there is enough before a run, and what is missing after it.

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "format/reader.h"
#include "tools/record.h"
#include "transport/trace_space.h"

namespace parallax::record {
namespace {

constexpr uint64_t kLeastBytes = 1 << 20;  // a trace with less is of no use

std::string sizeText(uint64_t bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  auto size = static_cast<double>(bytes);
  for (; size >= 1024 && unit + 1 < sizeof kUnits / sizeof kUnits[0]; unit++) size /= 1024;
  char text[48];
  snprintf(text, sizeof text, unit == 0 || size >= 100 ? "%.0f %s" : "%.1f %s", size, kUnits[unit]);
  return text;
}

// What the processes lost together; the cause is that of the first one found.
struct Total {
  uint64_t events = 0, definitions = 0, callPaths = 0, processes = 0, unrecorded = 0;
  double firstS = -1;  // after the process began
  format::LossCause cause = format::LossCause::kNone;
};

struct LossVisitor {
  Total* total;
  uint64_t startTicks = 0, tickHz = 1;

  void operator()(const format::ProcessRecord& r) {
    startTicks = r.startTicks;
    tickHz = r.tickHz != 0 ? r.tickHz : 1;
  }
  void operator()(const format::LossesRecord& r) {
    if (r.cause == format::LossCause::kNone) return;
    total->processes++;
    total->events += r.events;
    total->definitions += r.definitions;
    total->callPaths += r.callPaths;
    if (total->cause == format::LossCause::kNone) total->cause = r.cause;
    const double afterS =
        static_cast<double>(r.firstTicks - startTicks) / static_cast<double>(tickHz);
    if (total->firstS < 0 || afterS < total->firstS) total->firstS = afterS;
  }
  template <class R>
  void operator()(const R&) {}
};

// Whether a definitions file that cannot be read tells that there was no space for it.
bool lacksSpace(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) != 0 || status.st_size > 0 || (status.st_mode & 07777) == format::kNoSpaceMode;
}

// Whether space within a file can be given back, which file systems without holes in files refuse.
bool canGiveBackSpace(const std::string& directory) {
  const std::string path = directory + "/holes";  // NFS and most of FUSE have no files without names
  const int fd = open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0) return true;  // who writes there will say why
  unlink(path.c_str());
  constexpr off_t kBytes = 1 << 16;
  const bool can = ftruncate(fd, kBytes) != 0 ||
                   fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, kBytes) == 0 ||
                   (errno != EOPNOTSUPP && errno != ENOSYS);
  close(fd);
  return can;
}

}  // namespace

std::string countText(uint64_t count, const char* thing, const char* plural) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : plural);
}

std::string causeText(format::LossCause cause, const Options& options) {
  using format::LossCause;
  const std::string less = ", or record less (see --sample-hz, --adapters and --count of: " +
                           options.entry + " record --help)";
  switch (cause) {
    case LossCause::kDiskFull:
      return "the disk was full; free space, choose another disk with -o" + less;
    case LossCause::kDiskReserved:
      return "the remaining free space of the disk is reserved for the program (--keep-free); free "
          "space, "
             "choose another disk with -o" + less;
    case LossCause::kTraceTooLarge: return "the trace reached its maximum size (--max-size); allow "
        "a larger trace" + less;
    case LossCause::kProcessTooLarge: return "the process reached its maximum size (--max-process-size); allow "
        "a larger one" + less;
    case LossCause::kFileTooLarge:
      return "the shell's limit on the size of files was reached (ulimit -f); raise it" + less;
    case LossCause::kMemory:
      return "the program had no memory left for the agent (ulimit -v); raise the limit" + less;
    case LossCause::kDescriptors:
      return "the program had no descriptor left for the agent (ulimit -n); raise the limit" + less;
    case LossCause::kBehind:
      return "the writer of the transport was behind, and --when-full is drop; let the program wait" + less;
    case LossCause::kForbidden:
      return "the program had forbidden system calls that the agent needs (seccomp)";
    default: return "its directory was not writable; check whether it was removed or made "
        "read-only";
  }
}

std::string findSpaceProblem(const Options& options, const std::string& directory,
                             std::vector<std::pair<std::string, std::string>>* settings) {
  const auto fail = [](const std::string& why) { return why; };
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  if (limit.rlim_cur < kLeastBytes) {
    return fail("files are limited to " + sizeText(limit.rlim_cur) + " (ulimit -f), which is too "
        "little for a trace; raise the limit: ulimit -f unlimited");
  }
  const bool keepsLast = std::any_of(options.limits.begin(), options.limits.end(),
                                     [](const auto& limit) { return limit.first == kKeepLastName; });
  if (keepsLast && !canGiveBackSpace(directory)) {
    return fail("the file system cannot give back space within a file, as --keep-last needs; choose another disk with -o, "
        "or leave out --keep-last");
  }
  struct statfs system;
  if (statfs(directory.c_str(), &system) != 0 || system.f_blocks == 0) return "";
  uint64_t keep = usualFreeBytes(system);
  if (options.keepFree) {
    keep = options.keepFreeBytes;
    if (options.keepFreePercent > 0) {
      keep = static_cast<uint64_t>(options.keepFreePercent / 100 *
                                   static_cast<double>(system.f_blocks * blockBytes(system)));
    }
    settings->emplace_back("PARALLAX_KEEP_FREE", std::to_string(keep));
  }
  const uint64_t available = availableBytes(system);
  if (available >= keep + kLeastBytes) return "";
  return fail("the file system has " + sizeText(available) + " free, of which " + sizeText(keep) +
              " are reserved for the program; free space, choose another disk with -o, or give up "
              "the reserve with --keep-free 0");
}

std::string lossesOf(const std::string& directory, const Options& options) {
  format::TraceFiles files;
  if (!format::findTraceFiles(directory, &files).empty()) return "";
  Total total;
  for (const format::ProcessFiles& process : files.processes) {
    if (process.definitions.empty()) continue;
    format::DefinitionsFile definitions;
    if (definitions.open(process.definitions).empty()) {
      definitions.forEachAtStart(LossVisitor{&total});
    } else if (lacksSpace(process.definitions)) {
      total.unrecorded++;
    }
  }
  if (total.processes + total.unrecorded == 0) return "";
  std::string text;
  if (total.processes > 0) {
    std::string lost;
    for (const auto& [count, thing] : {std::pair{total.events, "event"},
                                       {total.definitions, "definition"},
                                       {total.callPaths, "call path"}}) {
      if (count == 0) continue;
      lost += (lost.empty() ? "" : ", ") + countText(count, thing);
    }
    char after[32];
    snprintf(after, sizeof after, "%.1f s", total.firstS);
    text += lost + " of " + countText(total.processes, "process", "es") +
            " are missing, the first one after " + after;
  }
  if (total.unrecorded > 0) {
    if (total.processes > 0) text += "; ";
    text += countText(total.unrecorded, "process", "es") + " were not recorded at all";
  }
  if (total.cause == format::LossCause::kNone) {
    return text + ": there was no space for their files";
  }
  return text + ": " + causeText(total.cause, options);
}

}  // namespace parallax::record
