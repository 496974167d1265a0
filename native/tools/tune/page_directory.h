// The directory in which processes make their live pages.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace parallax::tuning {

class PageDirectory {
 public:
  // Makes the directory, for this user alone; a new one in that for temporary files if the path is empty. What is wrong
  // goes into `problem`.
  PageDirectory(const std::string& path, std::string* problem);
  // Removes the files in it, and the directory if it made it, also when this process is killed: then a process beside it first takes
  // back all that is asked of others, and afterwards has undone what noteUnkept() has told of. Processes that have a page keep it.
  ~PageDirectory();
  PageDirectory(const PageDirectory&) = delete;
  PageDirectory& operator=(const PageDirectory&) = delete;

  const std::string& path() const { return path_; }
  // For poll(): ready when something has changed. -1: the system has no such thing, or no more of them; look now and then.
  int changesFd() const { return changes_; }
  // Forgets the changes until now.
  void drain() const;

  struct Page {
    std::string path;
    int pid;
    ino_t inode;
  };
  std::vector<Page> pages() const;
  // A line of UnkeptActions, for the case that this process is killed.
  void noteUnkept(const std::string& line) const;
  // Removes the page of a process if it is still this one.
  void remove(int pid, ino_t inode) const;

 private:
  void startKeeper();
  bool clean() const;  // false: the directory is not empty
  void takeOver(const std::string& unkept) const;

  std::string path_;
  bool isOurs_ = false;
  pid_t keeper_ = -1;  // cleans when its pipe ends
  int keeperPipe_ = -1;
  int changes_ = -1;
};

}  // namespace parallax::tuning
