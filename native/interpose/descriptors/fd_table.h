// What each descriptor of the process is, found out when it is first used and kept until it is
// closed or made anew.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "format/format.h"
#include "transport/shared_table.h"

namespace parallax {

enum class FdKind : uint8_t {
  kUnknown,  // not open, not connected, or not yet looked at
  kQuiet,    // nothing of it is recorded: /dev/null, directories, what is switched off
  kOther,    // only waits are recorded: listening sockets
  kEvents,   // an eventfd: each write is a Signal, each read a Wake
  kTimer,    // a timerfd
  kSource,   // inotify and its kin: who makes the events is not recorded
  kSignals,  // a signalfd: waits, and who sent what is taken from it
  kFile,
  kStream,   // pipe, TCP, UNIX stream
  kPacket,   // sockets whose bytes are counted and not matched
};

// How a socket was come by; what is said of it then need not be asked of the kernel.
enum class Sight : uint8_t { kUnknown, kConnected, kAccepted };

// One direction of a stream. Counters are null when the stream matches nothing.
struct StreamEnd {
  uint32_t id = 0;
  SharedCounters* counters = nullptr;
};

struct Descriptor {
  FdKind kind = FdKind::kUnknown;
  format::StreamKind stream = format::StreamKind::kPipe;
  bool nonBlocking = false;  // a guess: calls of it rarely wait
  bool regular = false;      // a file on a disk: calls of it do not wait for anybody
  bool local = false;        // both ends are on this host: what is received was announced
  bool tokens = false;       // an eventfd of which each read takes 1
  uint32_t file = 0;         // number in the trace
  StreamEnd send, receive;   // of an eventfd both are its object
};

// The entry of `fd` in the table, without a system call. False if there is no entry. Lock-free; signal handlers may call
// it.
bool knownDescriptor(int fd, Descriptor* result);
// The same, asking the kernel when nothing is known. Inside a Guard. False when it is not open or
// not connected.
bool describe(int fd, Descriptor* result);
// A descriptor that has just been made, or connected: describes it anew.
void describeNew(int fd, Sight sight);
// The descriptor was closed or refers to something else now. Lock-free; signal handlers may call it.
void forgetDescriptor(int fd);
void forgetDescriptors(unsigned first, unsigned last);
// Changes the guess.
void setNonBlocking(int fd, bool nonBlocking);

// fd_describe.cpp: asks the kernel.
bool askKernel(int fd, Sight sight, Descriptor* result);

// The number of a file in the trace, defined at first use in this process.
uint32_t fileNumber(const char* path);

}  // namespace parallax
