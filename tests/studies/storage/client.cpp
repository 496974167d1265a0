#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace {

struct Object {
  int64_t number;
  uint64_t digest;  // of the contents
  char contents[kPageBytes - 16];
};
static_assert(sizeof(Object) == kPageBytes, "a page of the volume");

uint64_t digestOf(const Object& object, int rounds) {
  uint64_t digest = 0xCBF29CE484222325u;
  for (int round = 0; round < rounds; round++) {
    for (char c : object.contents) digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  }
  return digest;
}

}  // namespace

Client::Client(const char* address) : connection_(connectTo(address)), pool_(kFrames) {
  ask(Operation::kMount, 0, nullptr, nullptr);
}

Message Client::ask(Operation operation, int64_t number, const void* sent, void* received) {
  char unused[kPageBytes];
  Message message = {operation, sent != nullptr ? static_cast<uint32_t>(kPageBytes) : 0,
                     transaction_, number};
  if (!sendMessage(connection_, message, sent) ||
      !receiveMessage(connection_, &message, received != nullptr ? received : unused) ||
      message.number < 0 || (message.bytes > 0) != (received != nullptr)) {
    fprintf(stderr, "storage: the server failed, or has ended\n");
    exit(1);
  }
  return message;
}

void Client::beginTransaction() {
  transaction_ = ask(Operation::kBegin, 0, nullptr, nullptr).transaction;
}

int64_t Client::createObject(const void* bytes) {
  const int64_t number = ask(Operation::kCreate, 0, bytes, nullptr).number;
  keep(number, bytes);
  return number;
}

void Client::waitForObject(int64_t number) {
  ask(Operation::kWait, number, nullptr, nullptr);
}

void Client::readObject(int64_t number, void* bytes) {
  if (const Frame* frame = find(number)) {
    memcpy(bytes, frame->bytes, kPageBytes);
    return;
  }
  ask(Operation::kRead, number, nullptr, bytes);
  keep(number, bytes);
}

void Client::commitTransaction() { ask(Operation::kCommit, 0, nullptr, nullptr); }

void Client::leave() {
  sendMessage(connection_, {Operation::kBye, 0, transaction_, 0}, nullptr);
  close(connection_);
}

Client::Frame* Client::find(int64_t number) {
  for (Frame& frame : pool_) {
    if (frame.number != number) continue;
    frame.used = ++uses_;
    return &frame;
  }
  return nullptr;
}

void Client::keep(int64_t number, const void* bytes) {
  Frame* oldest = &pool_[0];
  for (Frame& frame : pool_) {
    if (frame.used < oldest->used) oldest = &frame;
  }
  oldest->number = number;
  oldest->used = ++uses_;
  memcpy(oldest->bytes, bytes, kPageBytes);
}

void makeObject(int64_t number, int rounds, char* bytes) {
  Object object;
  object.number = number;
  uint64_t x = static_cast<uint64_t>(number) + 88172645463325252u;
  for (char& c : object.contents) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    c = static_cast<char>(x >> 56);
  }
  object.digest = digestOf(object, rounds);
  memcpy(bytes, &object, sizeof object);
}

bool checkObject(int64_t number, int rounds, const char* bytes) {
  Object object;
  memcpy(&object, bytes, sizeof object);
  return object.number == number && object.digest == digestOf(object, rounds);
}

uint64_t digestObject(const char* bytes) {
  Object object;
  memcpy(&object, bytes, sizeof object);
  return digestOf(object, 1);
}
