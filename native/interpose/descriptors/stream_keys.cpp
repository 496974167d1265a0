#include "interpose/descriptors/stream_keys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cstring>

#include "base/sys.h"
#include "base/text.h"
#include "core/agent.h"
#include "core/process.h"
#include "core/shared_counters.h"
#include "interpose/descriptors/known_streams.h"
#include "interpose/descriptors/stream_count.h"

namespace parallax {
namespace {

uint64_t mix(uint64_t value) {
  value = (value ^ value >> 33) * 0xFF51AFD7ED558CCDu;
  value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53u;
  return value ^ value >> 33;
}

std::atomic<uint32_t> lastStream{0};

// An address and port, IPv4 as IPv6.
struct Endpoint {
  uint8_t address[16];
  uint32_t port;
  uint32_t zero;
};

bool endpointOf(const sockaddr_storage& from, Endpoint* to) {
  *to = Endpoint{};
  if (from.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(from);
    to->address[10] = to->address[11] = 0xff;
    memcpy(to->address + 12, &v4.sin_addr, 4);
    to->port = ntohs(v4.sin_port);
    return true;
  }
  if (from.ss_family != AF_INET6) return false;
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(from);
  memcpy(to->address, &v6.sin6_addr, 16);
  to->port = ntohs(v6.sin6_port);
  return true;
}

bool isMappedV4(const Endpoint& end) {
  static constexpr uint8_t kPrefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return memcmp(end.address, kPrefix, sizeof kPrefix) == 0;
}

bool isLoopback(const Endpoint& end) {
  if (isMappedV4(end)) return end.address[12] == 127;
  static constexpr uint8_t kLoopback[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return memcmp(end.address, kLoopback, sizeof kLoopback) == 0;
}

size_t appendEndpoint(char* text, size_t at, size_t capacity, const Endpoint& end) {
  if (isMappedV4(end)) {
    for (int i = 12; i < 16; i++) {
      at = appendNumber(text, at, capacity, end.address[i]);
      if (i < 15) at = appendText(text, at, capacity, ".");
    }
  } else {
    at = appendText(text, at, capacity, "[");
    for (int i = 0; i < 16; i += 2) {
      static constexpr char kDigits[] = "0123456789abcdef";
      const unsigned group = end.address[i] * 256u + end.address[i + 1];
      bool begun = false;
      for (int shift = 12; shift >= 0; shift -= 4) {
        const unsigned digit = group >> shift & 15;
        begun = begun || digit != 0 || shift == 0;
        const char one[] = {kDigits[digit], '\0'};
        if (begun) at = appendText(text, at, capacity, one);
      }
      at = appendText(text, at, capacity, i < 14 ? ":" : "]");
    }
  }
  at = appendText(text, at, capacity, ":");
  return appendNumber(text, at, capacity, end.port);
}

struct Connection {
  Endpoint from, to;
  uint64_t salt, generation;
};

// The n-th connection of these two ends, as counted at this one: the n-th at the other one, too,
// where all of them are seen. So ports that are used again make a new stream.
uint64_t generationOf(int fd, ino_t inode, const Connection& connection) {
  SharedCounters* socket = socketEntry(fd, inode);
  if (socket == nullptr) return 0;
  uint64_t generation = socket->value[0].load(std::memory_order_acquire);
  if (generation != 0) return generation;
  const StreamKey key = hashOf(StreamTag::kTcpConnections, &connection, sizeof connection);
  SharedCounters* connections = sharedCounters(key.high, key.low);
  if (connections == nullptr) return 0;
  const uint64_t next = connections->value[0].fetch_add(1, std::memory_order_acq_rel) + 1;
  return socket->value[0].compare_exchange_strong(generation, next) ? next : generation;
}

// What was sent and received before this socket was first seen. False when the kernel is too old
// to say.
bool earlierBytes(int fd, uint64_t* sent, uint64_t* received) {
  constexpr int kTries = 8;
  for (int i = 0; i < kTries; i++) {
    int before = 0, after = 0;
    tcp_info info{};
    socklen_t size = sizeof info;
    if (sys::call(SYS_ioctl, fd, SIOCINQ, sys::word(&before)) != 0 ||
        sys::call(SYS_getsockopt, fd, IPPROTO_TCP, TCP_INFO, sys::word(&info),
                  sys::word(&size)) != 0 ||
        sys::call(SYS_ioctl, fd, SIOCINQ, sys::word(&after)) != 0 ||
        size < offsetof(tcp_info, tcpi_bytes_retrans) + sizeof info.tcpi_bytes_retrans) {
      return false;
    }
    if (before != after) continue;  // bytes came meanwhile
    *sent = info.tcpi_bytes_sent - info.tcpi_bytes_retrans + info.tcpi_notsent_bytes;
    constexpr unsigned kTimeWait = 6, kCloseWait = 8, kLastAck = 9, kClosing = 11;
    const unsigned state = info.tcpi_state;
    const bool finished = state == kTimeWait || state == kCloseWait || state == kLastAck ||
                          state == kClosing;  // the end of the stream counts as a byte
    *received = info.tcpi_bytes_received - static_cast<unsigned>(after) - (finished ? 1 : 0);
    return true;
  }
  return false;
}

void describeTcp(int fd, ino_t inode, Sight sight, const Endpoint& own, const Endpoint& peer,
                 Descriptor* result) {
  result->local = isLoopback(own) || memcmp(own.address, peer.address, 16) == 0;
  Connection connection{own, peer, result->local ? networkSalt() : 0, 0};
  StreamKey send, receive;
  connection.generation = generationOf(fd, inode, connection);
  uint64_t sent = 0, received = 0;
  const bool known = sight == Sight::kAccepted || sight == Sight::kConnected ||
                     earlierBytes(fd, &sent, &received);
  if (connection.generation != 0 && known) {
    send = hashOf(StreamTag::kTcp, &connection, sizeof connection);
    connection.from = peer;
    connection.to = own;
    receive = hashOf(StreamTag::kTcp, &connection, sizeof connection);
  }
  char name[160];
  size_t length = appendEndpoint(name, 0, sizeof name, own);
  length = appendText(name, length, sizeof name, " > ");
  length = appendEndpoint(name, length, sizeof name, peer);
  result->send = defineEnd(format::StreamKind::kTcp, send, name, length);
  length = appendEndpoint(name, 0, sizeof name, peer);
  length = appendText(name, length, sizeof name, " > ");
  length = appendEndpoint(name, length, sizeof name, own);
  result->receive = defineEnd(format::StreamKind::kTcp, receive, name, length);
  beginSending(result->send.counters, sent);
  beginReceiving(result->receive.counters, received);
}

void describeUnix(int fd, ino_t inode, Sight sight, const sockaddr_storage& own,
                  const sockaddr_storage& peer, Descriptor* result) {
  StreamKey send, receive;
  if (result->stream == format::StreamKind::kUnixStream) {
    unixKeys(fd, inode, sight, &send, &receive);
  }
  result->local = true;
  char name[160];
  size_t length = appendText(name, 0, sizeof name, "socket:[");
  length = appendNumber(name, length, sizeof name, static_cast<int64_t>(inode));
  length = appendText(name, length, sizeof name, "]");
  for (const sockaddr_storage* address : {&own, &peer}) {
    const char* path = reinterpret_cast<const char*>(address) + sizeof(sa_family_t);
    char text[109] = {};
    memcpy(text, path, sizeof text - 1);
    if (text[0] == '\0' && text[1] != '\0') text[0] = '@';  // an abstract name
    if (text[0] == '\0') continue;
    length = appendText(name, length, sizeof name, " ");
    length = appendText(name, length, sizeof name, text);
  }
  result->send = defineEnd(result->stream, send, name, length);
  result->receive = defineEnd(result->stream, receive, name, length);
  beginSending(result->send.counters, 0);
  checkFirstReceive(fd, *result);
}

}  // namespace

StreamKey hashOf(StreamTag tag, const void* data, size_t sizeBytes) {
  const auto* bytes = static_cast<const char*>(data);
  uint64_t high = mix(static_cast<uint64_t>(tag) + sizeBytes * 0x9E3779B97F4A7C15u);
  uint64_t low = mix(high + 0x632BE59BD9B4E019u);
  for (size_t at = 0; at < sizeBytes; at += 8) {
    uint64_t word = 0;
    memcpy(&word, bytes + at, sizeBytes - at < 8 ? sizeBytes - at : 8);
    high = mix(high ^ word) + low;
    low = mix(low + word * 0x9E3779B97F4A7C15u) ^ high;
  }
  return {high | 1, low | 1};  // never 0
}

StreamKey hashOfInode(StreamTag tag, uint64_t salt, uint64_t device, uint64_t inode) {
  constexpr int kNeighbourBits = 6;
  const uint64_t words[] = {salt, device, inode};
  const uint64_t group[] = {salt, device, inode >> kNeighbourBits};
  const uint64_t low = hashOf(tag, words, sizeof words).low << kNeighbourBits;
  return {hashOf(tag, group, sizeof group).high, low | (inode & ((1u << kNeighbourBits) - 1))};
}

uint64_t hostSalt() {
  static std::atomic<uint64_t> salt{0};
  uint64_t known = salt.load(std::memory_order_relaxed);
  if (known != 0) return known;
  char boot[64] = {};
  const int fd = sys::openat(AT_FDCWD, "/proc/sys/kernel/random/boot_id", O_RDONLY);
  if (fd >= 0) {
    sys::read(fd, boot, sizeof boot);
    sys::close(fd);
  }
  known = hashOf(StreamTag::kHost, boot, sizeof boot).low;
  salt.store(known, std::memory_order_relaxed);
  return known;
}

uint64_t networkSalt() {
  struct stat status{};
  sys::call(SYS_stat, sys::word("/proc/self/ns/net"), sys::word(&status));
  return hostSalt() + status.st_ino;
}

StreamEnd defineEnd(format::StreamKind kind, const StreamKey& key, const char* name,
                    size_t nameLength) {
  StreamEnd end;
  end.counters = sharedCounters(key.high, key.low);
  // A child after vfork shares the memory of its parent, but not its files.
  const bool shared = end.counters != nullptr && process.isOurs();
  if (shared) end.id = knownStream(key);
  if (end.id != 0) return end;
  end.id = lastStream.fetch_add(1, std::memory_order_relaxed) + 1;
  format::StreamRecord record;
  record.stream = end.id;
  record.kind = kind;
  if (end.counters != nullptr) {
    record.keyHigh = key.high;
    record.keyLow = key.low;
  }
  record.name = std::string_view(name, nameLength);
  define(record);
  if (shared) rememberStream(key, end.id);
  return end;
}

void describePipe(int fd, dev_t device, ino_t inode, Descriptor* result) {
  result->kind = FdKind::kStream;
  result->stream = format::StreamKind::kPipe;
  result->local = true;
  char name[48];
  size_t length = appendText(name, 0, sizeof name, "pipe:[");
  length = appendNumber(name, length, sizeof name, static_cast<int64_t>(inode));
  length = appendText(name, length, sizeof name, "]");
  const StreamEnd end =
      defineEnd(result->stream, hashOfInode(StreamTag::kPipe, hostSalt(), device, inode), name, length);
  beginPipe(fd, end.counters);
  const long mode = sys::call(SYS_fcntl, fd, F_GETFL) & O_ACCMODE;
  if (mode != O_RDONLY) {
    result->send = end;
    seeSender(end.counters);
  }
  if (mode == O_WRONLY) return;
  result->receive = end;
  checkFirstReceive(fd, *result);
}

bool describeSocket(int fd, ino_t inode, Sight sight, Descriptor* result) {
  int type = 0;
  socklen_t size = sizeof type;
  sockaddr_storage own{}, peer{};
  socklen_t ownSize = sizeof own, peerSize = sizeof peer;
  if (sys::call(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, sys::word(&type), sys::word(&size)) != 0 ||
      sys::call(SYS_getsockname, fd, sys::word(&own), sys::word(&ownSize)) != 0) {
    return false;
  }
  const bool connected =
      sys::call(SYS_getpeername, fd, sys::word(&peer), sys::word(&peerSize)) == 0;
  const bool internet = own.ss_family == AF_INET || own.ss_family == AF_INET6;
  if (!internet && own.ss_family != AF_UNIX) {  // netlink, packet, vsock
    result->kind = FdKind::kOther;
    return true;
  }
  if (type == SOCK_STREAM && !connected) {
    int listening = 0;
    size = sizeof listening;
    sys::call(SYS_getsockopt, fd, SOL_SOCKET, SO_ACCEPTCONN, sys::word(&listening),
              sys::word(&size));
    result->kind = FdKind::kOther;
    return listening != 0;
  }
  if (type == SOCK_STREAM) {
    result->kind = FdKind::kStream;
    Endpoint ownEnd, peerEnd;
    if (endpointOf(own, &ownEnd) && endpointOf(peer, &peerEnd)) {
      result->stream = format::StreamKind::kTcp;
      describeTcp(fd, inode, sight, ownEnd, peerEnd, result);
    } else {
      result->stream = format::StreamKind::kUnixStream;
      describeUnix(fd, inode, sight, own, peer, result);
    }
    return true;
  }
  result->kind = FdKind::kPacket;
  result->stream = internet ? format::StreamKind::kUdp : format::StreamKind::kUnixPacket;
  if (!internet) {
    describeUnix(fd, inode, sight, own, peer, result);
    return true;
  }
  Endpoint end;
  endpointOf(own, &end);
  char name[160];
  size_t length = appendEndpoint(name, 0, sizeof name, end);
  if (connected && endpointOf(peer, &end)) {
    length = appendText(name, length, sizeof name, " > ");
    length = appendEndpoint(name, length, sizeof name, end);
  }
  result->send = result->receive = defineEnd(result->stream, {}, name, length);
  return true;
}

}  // namespace parallax
