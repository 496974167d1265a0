// The client library: speaks with the server, and keeps pages that it has seen.
#ifndef PARALLAX_STUDIES_CLIENT_H
#define PARALLAX_STUDIES_CLIENT_H

#include <vector>

#include "protocol.h"

class Client {
 public:
  // Connects, and has the data volume mounted. Whatever fails ends the program with a message.
  PROCEDURE explicit Client(const char* address);
  PROCEDURE void beginTransaction();
  PROCEDURE int64_t createObject(const void* bytes);
  PROCEDURE void waitForObject(int64_t number);
  PROCEDURE void readObject(int64_t number, void* bytes);
  PROCEDURE void commitTransaction();
  PROCEDURE void leave();

 private:
  static constexpr size_t kFrames = 16;
  struct Frame {
    int64_t number = -1;
    uint64_t used = 0;
    char bytes[kPageBytes];
  };

  PROCEDURE Message ask(Operation operation, int64_t number, const void* sent, void* received);
  Frame* find(int64_t number);
  void keep(int64_t number, const void* bytes);

  int connection_;
  uint64_t transaction_ = 0;
  std::vector<Frame> pool_;
  uint64_t uses_ = 0;
};

// What the study's clients make and use: an object of a page that holds its number and a digest
// of the rest. `rounds` says how much work that is.
PROCEDURE void makeObject(int64_t number, int rounds, char* bytes);
// Whether it is what makeObject made, as much work as that.
PROCEDURE bool checkObject(int64_t number, int rounds, const char* bytes);
// For the checksum of all, which makers and users print.
uint64_t digestObject(const char* bytes);

#endif
