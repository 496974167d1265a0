#include "base/launchers.h"

#include <cstring>

namespace parallax {
namespace {

// Programs on the way to the application. A name that ends in * is a beginning. Scripts run as
// the shell that reads them.
constexpr const char* kShells[] = {
    "sh", "bash", "rbash", "dash", "zsh", "ksh*", "mksh*", "csh", "tcsh", "fish", "busybox",
};

constexpr const char* kLaunchers[] = {
    // MPI and batch systems
    "mpirun*", "mpiexec*", "ompirun*", "orterun*", "orted*", "prte*", "prun", "hydra_*", "hydra-*",
    "pmi_proxy", "mpd", "srun", "slurmstepd", "sbatch", "salloc", "sattach", "aprun",
    "jsrun", "qsub", "flux", "pbsdsh", "palsd",
    // programs that start another one
    "env", "ssh", "rsh", "sshd", "time", "timeout", "nice", "nohup", "taskset", "numactl",
    "stdbuf", "setsid", "xargs", "parallel", "ionice", "chrt", "unshare", "nsenter", "setarch",
    "setpriv", "prlimit", "strace", "ltrace", "gdb", "gdbserver", "perf", "script", "sudo", "su",
    "runuser", "chroot", "watch", "make", "ninja", "find", "flock",
    // PVM's daemons and console
    "pvm", "pvmd", "pvmd3", "pvmgs",
    // our own
    "parallax-record", "parallax-symbols", "parallax-synth",
};

// What scripts do between the lines that matter; recorded when anything but a shell starts them.
constexpr const char* kScriptTools[] = {
    "[", "awk", "basename", "cat", "chmod", "cp", "cut", "date", "dirname", "echo", "expr",
    "gawk", "grep", "head", "hostname", "id", "ldd", "ln", "ls", "mawk", "mkdir", "mktemp", "mv",
    "nproc", "original-awk", "ps", "readlink", "realpath", "rm", "rmdir", "sed", "seq", "sleep",
    "sort", "tail", "tee", "test", "touch", "tput", "tr", "true", "false", "tty", "uname", "uniq",
    "wc", "which", "whoami",
};

template <size_t N>
bool contains(const char* const (&names)[N], const char* baseName) {
  for (const char* name : names) {
    const size_t length = strlen(name);
    const bool prefix = name[length - 1] == '*';
    if (prefix ? strncmp(baseName, name, length - 1) == 0 : strcmp(baseName, name) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool isShell(const char* baseName) { return contains(kShells, baseName); }
bool isLauncher(const char* baseName) {
  return isShell(baseName) || contains(kLaunchers, baseName);
}
bool isScriptTool(const char* baseName) { return contains(kScriptTools, baseName); }

}  // namespace parallax
