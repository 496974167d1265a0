// parallax-contended-store [--latency-us N] [--bytes-per-second N] [--no-holes] DIRECTORY MOUNT: a file system (FUSE)
// in which all files of DIRECTORY are seen at MOUNT, and that serves one request at a time, like an I/O node that all
// nodes of a machine share. Each request to open, make, read, write, reserve, cut or remove takes the latency, and its
// bytes by the bandwidth. Attributes and names are free: clients keep them. It stays in the foreground, ends on SIGTERM,
// SIGINT and SIGHUP, and unmounts then. The extended attribute user.served of MOUNT is text with the number of requests
// that it has served, their bytes, the nanoseconds that it was busy, and those of its CPU time.
// If it may, it runs before all usual processes (SCHED_FIFO): an I/O node does not wait for the processors of its clients.
// With --no-holes, space within a file cannot be given back.
//
// write(2) waits for the store, as the kernel does not delay writes to such a file system; a mapped page gets there
// when it is unmapped or the kernel writes it back.

#define FUSE_USE_VERSION 31
#include <dirent.h>
#include <fcntl.h>
#include <fuse.h>
#include <getopt.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

int directory = -1;
double latencyNs = 1e6, nsPerByte = 1e9 / 4e6;
bool noHoles = false;
long long requests = 0, bytesMoved = 0;
double busyNs = 0;

double nowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// When the last request should have ended, and did end: a sleep takes longer than asked. A request that comes so soon
// after it waited already, and begins when it should have ended.
double freeAtNs = 0, endedNs = 0;
constexpr double kAtOnceNs = 50e3;

void serve(size_t bytes) {
  const double cost = latencyNs + static_cast<double>(bytes) * nsPerByte, now = nowNs();
  freeAtNs = (now - endedNs < kAtOnceNs ? freeAtNs : now) + cost;
  requests++;
  bytesMoved += static_cast<long long>(bytes);
  busyNs += cost;
  const auto end = static_cast<long long>(freeAtNs);
  const timespec until{static_cast<time_t>(end / 1000000000), static_cast<long>(end % 1000000000)};
  if (freeAtNs > now) {
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
    }
  }
  endedNs = nowNs();
}

const char* relative(const char* path) { return path[1] == '\0' ? "." : path + 1; }
int result(long long status) { return status < 0 ? -errno : static_cast<int>(status); }
int descriptor(const fuse_file_info* file) { return static_cast<int>(file->fh); }

int getAttributes(const char* path, struct stat* attributes, fuse_file_info* file) {
  if (file != nullptr) return result(fstat(descriptor(file), attributes));
  return result(fstatat(directory, relative(path), attributes, AT_SYMLINK_NOFOLLOW));
}

int openAs(const char* path, int flags, mode_t mode, fuse_file_info* file) {
  serve(0);
  const int fd = openat(directory, relative(path), flags, mode);
  if (fd < 0) return -errno;
  file->fh = static_cast<uint64_t>(fd);
  return 0;
}

// The kernel has done with O_APPEND what it says, and reads pages also of what is written only.
int openFile(const char* path, fuse_file_info* file) {
  int flags = file->flags & ~(O_APPEND | O_NOFOLLOW);
  if ((flags & O_ACCMODE) == O_WRONLY) flags = (flags & ~O_ACCMODE) | O_RDWR;
  return openAs(path, flags, 0, file);
}

int createFile(const char* path, mode_t mode, fuse_file_info* file) {
  return openAs(path, (file->flags & (O_EXCL | O_TRUNC)) | O_CREAT | O_RDWR, mode, file);
}

int readFile(const char*, char* to, size_t size, off_t offset, fuse_file_info* file) {
  const ssize_t got = pread(descriptor(file), to, size, offset);
  serve(got < 0 ? 0 : static_cast<size_t>(got));
  return result(got);
}

int writeFile(const char*, const char* from, size_t size, off_t offset, fuse_file_info* file) {
  serve(size);
  return result(pwrite(descriptor(file), from, size, offset));
}

int truncateFile(const char* path, off_t size, fuse_file_info* file) {
  serve(0);
  if (file != nullptr) return result(ftruncate(descriptor(file), size));
  const int fd = openat(directory, relative(path), O_WRONLY);
  if (fd < 0) return -errno;
  const int status = result(ftruncate(fd, size));
  close(fd);
  return status;
}

int reserve(const char*, int mode, off_t offset, off_t size, fuse_file_info* file) {
  serve(0);
  if (noHoles && mode != 0) return -EOPNOTSUPP;
  return result(fallocate(descriptor(file), mode, offset, size));
}

int sync(const char*, int, fuse_file_info*) {
  serve(0);
  return 0;
}

int release(const char*, fuse_file_info* file) { return result(close(descriptor(file))); }

int removeFile(const char* path) {
  serve(0);
  return result(unlinkat(directory, relative(path), 0));
}

int removeDirectory(const char* path) {
  serve(0);
  return result(unlinkat(directory, relative(path), AT_REMOVEDIR));
}

int makeDirectory(const char* path, mode_t mode) {
  serve(0);
  return result(mkdirat(directory, relative(path), mode));
}

int renameFile(const char* from, const char* to, unsigned flags) {
  serve(0);
  return result(renameat2(directory, relative(from), directory, relative(to), flags));
}

int changeMode(const char* path, mode_t mode, fuse_file_info*) {
  return result(fchmodat(directory, relative(path), mode, 0));
}

int setTimes(const char* path, const timespec times[2], fuse_file_info*) {
  return result(utimensat(directory, relative(path), times, AT_SYMLINK_NOFOLLOW));
}

int access(const char* path, int mode) { return result(faccessat(directory, relative(path), mode, 0)); }

int freeSpace(const char*, struct statvfs* space) { return result(fstatvfs(directory, space)); }

int listDirectory(const char* path, void* list, fuse_fill_dir_t add, off_t, fuse_file_info*, fuse_readdir_flags) {
  serve(0);
  const int fd = openat(directory, relative(path), O_RDONLY | O_DIRECTORY);
  if (fd < 0) return -errno;
  DIR* open = fdopendir(fd);
  while (const dirent* entry = readdir(open)) add(list, entry->d_name, nullptr, 0, fuse_fill_dir_flags(0));
  closedir(open);
  return 0;
}

int getExtended(const char* path, const char* name, char* to, size_t room) {
  if (strcmp(path, "/") != 0 || strcmp(name, "user.served") != 0) return -ENODATA;
  timespec cpu;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  char text[100];
  const int length = snprintf(text, sizeof text, "%lld %lld %.0f %.0f", requests, bytesMoved, busyNs,
                              static_cast<double>(cpu.tv_sec) * 1e9 + static_cast<double>(cpu.tv_nsec));
  if (room == 0) return length;
  if (room < static_cast<size_t>(length)) return -ERANGE;
  memcpy(to, text, static_cast<size_t>(length));
  return length;
}

void* begin(fuse_conn_info*, fuse_config* config) {
  config->attr_timeout = config->entry_timeout = 3600;  // nobody else changes the directory
  config->kernel_cache = 1;
  config->hard_remove = 1;
  return nullptr;
}

fuse_operations operations() {
  fuse_operations all{};
  all.init = begin;
  all.getattr = getAttributes;
  all.open = openFile;
  all.create = createFile;
  all.read = readFile;
  all.write = writeFile;
  all.truncate = truncateFile;
  all.fallocate = reserve;
  all.fsync = sync;
  all.release = release;
  all.unlink = removeFile;
  all.rmdir = removeDirectory;
  all.mkdir = makeDirectory;
  all.rename = renameFile;
  all.chmod = changeMode;
  all.utimens = setTimes;
  all.access = access;
  all.statfs = freeSpace;
  all.readdir = listDirectory;
  all.getxattr = getExtended;
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  static const option known[] = {{"latency-us", required_argument, nullptr, 'l'},
                                 {"bytes-per-second", required_argument, nullptr, 'b'},
                                 {"no-holes", no_argument, nullptr, 'n'},
                                 {nullptr, 0, nullptr, 0}};
  bool understood = true;
  for (int found; (found = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    switch (found) {
      case 'l': understood = understood && (latencyNs = atof(optarg) * 1e3) >= 0; break;
      case 'b': understood = understood && (nsPerByte = 1e9 / atof(optarg)) > 0; break;
      case 'n': noHoles = true; break;
      default: understood = false;
    }
  }
  if (!understood || argc - optind != 2) {
    fprintf(stderr, "usage: parallax-contended-store [--latency-us N] [--bytes-per-second N] [--no-holes] DIRECTORY "
                    "MOUNT\n");
    return 2;
  }
  directory = open(argv[optind], O_RDONLY | O_DIRECTORY);
  if (directory < 0) {
    perror(argv[optind]);
    return 1;
  }
  umask(0);
  prctl(PR_SET_TIMERSLACK, 1);
  const sched_param first{1};
  sched_setscheduler(0, SCHED_FIFO, &first);
  std::string name = argv[0], single = "-s", foreground = "-f", mount = argv[optind + 1];
  char* words[] = {name.data(), single.data(), foreground.data(), mount.data()};
  const fuse_operations all = operations();
  return fuse_main(4, words, &all, nullptr);
}
