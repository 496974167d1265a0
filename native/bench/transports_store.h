// A directory whose files are served by parallax-contended-store, as long as the object lives.
#pragma once

#include <sys/types.h>

#include <string>

namespace parallax::bench {

class ContendedStore {
 public:
  // Makes `folder`/files, where the files are, and `folder`/mount, where they are served. `program` is the path of
  // parallax-contended-store. Without holes, space within a file cannot be given back.
  ContendedStore(const std::string& program, const std::string& folder, int latencyUs, int bytesPerSecond,
                 bool hasHoles = true);
  ~ContendedStore();
  ContendedStore(const ContendedStore&) = delete;
  ContendedStore& operator=(const ContendedStore&) = delete;

  // Empty, or why it is not there: FUSE is missing, or may not be used.
  const std::string& missing() const { return missing_; }
  const std::string& mount() const { return mount_; }
  const std::string& files() const { return files_; }

  // What it has served since it began, and its CPU time.
  struct Served {
    double requests = 0, bytes = 0, busyNs = 0, cpuNs = 0;
  };
  Served served() const;

 private:
  void end();

  const std::string folder_, files_, mount_;
  std::string missing_;
  pid_t pid_ = -1;
};

}  // namespace parallax::bench
