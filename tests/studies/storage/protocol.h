// What clients and the storage server say to each other, by a connection.
#ifndef PARALLAX_STUDIES_PROTOCOL_H
#define PARALLAX_STUDIES_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

#define PROCEDURE __attribute__((noinline, noclone, no_icf))

constexpr size_t kPageBytes = 4096;  // of a volume, and of an object

enum class Operation : uint32_t {
  kMount,   // opens the data volume
  kBegin,   // gives the number of a transaction
  kCreate,  // transaction; bytes of an object: gives its number
  kWait,    // number of an object: until it is there, committed
  kRead,    // transaction, number: gives its bytes
  kCommit,  // transaction
  kBye,
};

struct Message {
  Operation operation;
  uint32_t bytes;        // that follow
  uint64_t transaction;
  int64_t number;        // of an object; less than 0 in an answer: it failed
};

// Of ADDRESS: a path, of a UNIX socket, or tcp:PATH, of a file with the port on this host.
int listenAt(const char* address);
int connectTo(const char* address);

// Whole messages; false at the end of the connection.
bool sendMessage(int connection, const Message& message, const void* bytes);
bool receiveMessage(int connection, Message* message, void* bytes);

#endif
