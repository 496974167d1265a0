// The write-ahead log on a volume of its own.
#ifndef PARALLAX_STUDIES_LOG_H
#define PARALLAX_STUDIES_LOG_H

#include "disk.h"

struct LogPage {
  uint64_t number;    // of the page, counted from the log's begin
  uint32_t used;      // bytes of records
  uint32_t checksum;  // of all that follows
  char records[kPageBytes - 16];
};
static_assert(sizeof(LogPage) == kPageBytes, "a page of the volume");

class Log {
 public:
  // Opens the log volume, and makes the log anew, of so many pages, where there is none.
  PROCEDURE bool openLogDisk(const char* file, int64_t pages);
  // A record of a transaction; it is on the disk once force() has returned.
  PROCEDURE void logWrite(uint64_t transaction, int64_t number, const void* bytes, uint32_t count);
  PROCEDURE bool logForce();
  bool close();

 private:
  PROCEDURE bool openLogFile(int64_t pages);
  PROCEDURE bool regenLog(int64_t pages);
  PROCEDURE void formatLogPage(LogPage* page, uint64_t number);
  PROCEDURE void sealLogPage(LogPage* page);
  PROCEDURE void writeLogPage();
  void append(const void* bytes, uint32_t count);

  Volume volume_;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  LogPage page_ = {};  // the last one, which is being filled
  int64_t pages_ = 0;
};

#endif
