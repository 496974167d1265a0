#include <iostream>

#include "drops.h"

namespace drops {

Output::Output(const char* path, bool flushEachLine) : flushEachLine_(flushEachLine) {
  if (Process::rank() == 0) file_.open(path);
}

void Output::write(const Levelset& levelset, int lines) {
  if (Process::rank() == 0) putGeometry(levelset, lines);
}

void Output::putGeometry(const Levelset& levelset, int lines) {
  for (int line = 0; line < lines; line++) putLine(levelset.center(static_cast<size_t>(line)), line);
  file_.flush();
}

void Output::putLine(const Point& p, double value) {
  file_ << p[0] << ' ' << value;
  if (flushEachLine_) {
    file_ << std::endl;
  } else {
    file_ << '\n';
  }
  lines_++;  // after the call, which thus is no tail call
}

}  // namespace drops
