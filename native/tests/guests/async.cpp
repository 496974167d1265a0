// Asynchronous I/O in ways whose events are known. The first argument names the scenario.
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "streams.h"

void expect(bool holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "failed: %s: %s\n", what, strerror(errno));
  _exit(99);
}

Pipe::Pipe() {
  int fds[2];
  EXPECT(pipe(fds) == 0);
  from = fds[0];
  to = fds[1];
}

namespace {

struct Ring : io_uring {
  explicit Ring(unsigned entries = 32, unsigned flags = 0) {
    EXPECT(io_uring_queue_init(entries, this, flags) == 0);
  }
  ~Ring() { io_uring_queue_exit(this); }
  io_uring_sqe* next(uint64_t data) {
    io_uring_sqe* sqe = io_uring_get_sqe(this);
    EXPECT(sqe != nullptr);
    memset(sqe, 0, sizeof *sqe);
    sqe->user_data = data;
    return sqe;
  }
  // The result of the next end, which must be of that request.
  int take(uint64_t data) {
    io_uring_cqe* cqe;
    EXPECT(io_uring_wait_cqe(this, &cqe) == 0);
    EXPECT(cqe->user_data == data);
    const int result = cqe->res;
    io_uring_cqe_seen(this, cqe);
    return result;
  }
};

// The prep functions set all but the data.
template <class Prep>
void ask(Ring& ring, uint64_t data, Prep prep) {
  io_uring_sqe* sqe = ring.next(data);
  prep(sqe);
  sqe->user_data = data;
}

char memory[1 << 20];

// Eight requests at once; their ends are taken without a call.
void batch() {
  Pipe pipe;
  Ring ring;
  for (int i = 0; i < 8; i++) {
    ask(ring, 100 + i, [&](auto* sqe) { io_uring_prep_write(sqe, pipe.to, memory, 10 + i, -1); });
  }
  EXPECT(io_uring_submit(&ring) == 8);
  for (int i = 0; i < 8; i++) {
    ask(ring, 200 + i, [&](auto* sqe) { io_uring_prep_read(sqe, pipe.from, memory, 10 + i, -1); });
    EXPECT(io_uring_submit(&ring) == 1);
  }
  for (int taken = 0; taken < 16;) {
    unsigned head;
    io_uring_cqe* cqe;
    int seen = 0;
    io_uring_for_each_cqe(&ring, head, cqe) {
      EXPECT(cqe->res > 0);
      seen++;
    }
    io_uring_cq_advance(&ring, static_cast<unsigned>(seen));
    taken += seen;
  }
  ask(ring, 1, [](auto* sqe) { io_uring_prep_nop(sqe); });
  EXPECT(io_uring_submit_and_wait(&ring, 1) == 1);
}

// Sends more than a socket takes: in parts.
void parts() {
  int ends[2];
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  std::thread reader([&] {
    std::vector<char> buffer(sizeof memory);
    for (size_t taken = 0; taken < sizeof memory;) {
      const ssize_t bytes = read(ends[1], buffer.data(), 10000);
      EXPECT(bytes > 0);
      taken += static_cast<size_t>(bytes);
    }
  });
  Ring ring;
  for (size_t sent = 0; sent < sizeof memory;) {
    ask(ring, 7, [&](auto* sqe) { io_uring_prep_send(sqe, ends[0], memory, sizeof memory - sent, 0); });
    EXPECT(io_uring_submit(&ring) == 1);
    const int bytes = ring.take(7);
    EXPECT(bytes > 0);
    sent += static_cast<size_t>(bytes);
  }
  reader.join();
}

// Threads with one ring: each asks for its own, and takes whatever ends.
void threads() {
  Ring ring(64);
  std::mutex asking, taking;
  std::vector<Pipe> pipes(4);
  std::vector<std::thread> all;
  for (Pipe& pipe : pipes) {
    all.emplace_back([&] {
      char bytes[64];
      for (int i = 0; i < 200; i++) {
        {
          const std::lock_guard lock(asking);
          ask(ring, reinterpret_cast<uintptr_t>(&pipe),
              [&](auto* sqe) { io_uring_prep_write(sqe, pipe.to, memory, 64, -1); });
          EXPECT(io_uring_submit(&ring) >= 0);
        }
        EXPECT(read(pipe.from, bytes, 64) == 64);
        const std::lock_guard lock(taking);
        io_uring_cqe* cqe;
        EXPECT(io_uring_wait_cqe(&ring, &cqe) == 0);
        EXPECT(cqe->res == 64);
        io_uring_cqe_seen(&ring, cqe);
      }
    });
  }
  for (std::thread& thread : all) thread.join();
}

// The agent does not know which descriptor a request on a registered file is of.
void registered() {
  Pipe pipe, other;
  Ring ring;
  const int files[] = {pipe.to};
  EXPECT(io_uring_register_files(&ring, files, 1) == 0);
  ask(ring, 1, [&](auto* sqe) {
    io_uring_prep_write(sqe, 0, memory, 50, -1);
    sqe->flags |= IOSQE_FIXED_FILE;
  });
  ask(ring, 2, [&](auto* sqe) { io_uring_prep_write(sqe, other.to, memory, 60, -1); });
  EXPECT(io_uring_submit_and_wait(&ring, 2) == 2);
  EXPECT(read(pipe.from, memory, 100) == 50);
  EXPECT(read(other.from, memory, 100) == 60);
}

// One request that receives again and again.
void multishot() {
  int ends[2];
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  Ring ring;
  ask(ring, 1, [](auto* sqe) { io_uring_prep_provide_buffers(sqe, memory, 4096, 16, 3, 0); });
  EXPECT(io_uring_submit(&ring) == 1);
  EXPECT(ring.take(1) >= 0);
  ask(ring, 2, [&](auto* sqe) {
    io_uring_prep_recv_multishot(sqe, ends[1], nullptr, 0, 0);
    sqe->flags |= IOSQE_BUFFER_SELECT;
    sqe->buf_group = 3;
  });
  EXPECT(io_uring_submit(&ring) == 1);
  for (int i = 1; i <= 5; i++) {
    EXPECT(write(ends[0], memory + 65536, 100 * i) == 100 * i);
    EXPECT(ring.take(2) == 100 * i);
  }
  EXPECT(shutdown(ends[0], SHUT_WR) == 0);
  EXPECT(ring.take(2) == 0);
}

// A connection that is made, accepted, used and closed by requests.
void connection() {
  const int listening = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  EXPECT(bind(listening, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
         listen(listening, 1) == 0 &&
         getsockname(listening, reinterpret_cast<sockaddr*>(&address), &length) == 0);
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  Ring ring;
  ask(ring, 1, [&](auto* sqe) {
    io_uring_prep_connect(sqe, client, reinterpret_cast<sockaddr*>(&address), length);
  });
  EXPECT(io_uring_submit(&ring) == 1);
  EXPECT(ring.take(1) == 0);
  ask(ring, 2, [&](auto* sqe) { io_uring_prep_accept(sqe, listening, nullptr, nullptr, 0); });
  EXPECT(io_uring_submit(&ring) == 1);
  const int server = ring.take(2);
  EXPECT(server >= 0);
  iovec parts[] = {{memory, 30}, {memory, 40}};
  msghdr message = {};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  for (int i = 0; i < 3; i++) {
    ask(ring, 3, [&](auto* sqe) { io_uring_prep_recv(sqe, server, memory, 100, MSG_WAITALL); });
    ask(ring, 4, [&](auto* sqe) {
      io_uring_prep_writev(sqe, client, parts, 1, -1);
      sqe->flags |= IOSQE_IO_LINK;
    });
    ask(ring, 5, [&](auto* sqe) { io_uring_prep_sendmsg(sqe, client, &message, 0); });
    EXPECT(io_uring_submit_and_wait(&ring, 3) == 3);
    for (int ends = 0; ends < 3; ends++) {
      io_uring_cqe* cqe;
      EXPECT(io_uring_peek_cqe(&ring, &cqe) == 0);
      EXPECT(cqe->res == (cqe->user_data == 3 ? 100 : cqe->user_data == 4 ? 30 : 70));
      io_uring_cqe_seen(&ring, cqe);
    }
  }
  ask(ring, 6, [&](auto* sqe) { io_uring_prep_close(sqe, client); });
  EXPECT(io_uring_submit(&ring) == 1);
  EXPECT(ring.take(6) == 0);
  EXPECT(read(server, memory, 10) == 0);
}

// Lists of POSIX AIO, a request that fails, and one that is used anew.
void lists(const char* name) {
  Pipe pipe;
  const int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  EXPECT(file >= 0);
  aiocb blocks[3] = {};
  aiocb* list[3] = {&blocks[0], &blocks[1], &blocks[2]};
  const auto fill = [](aiocb& block, int fd, int op, size_t bytes) {
    block = {};
    block.aio_fildes = fd;
    block.aio_lio_opcode = op;
    block.aio_buf = memory;
    block.aio_nbytes = bytes;
  };
  for (int i = 0; i < 10; i++) {
    fill(blocks[0], pipe.to, LIO_WRITE, 70);
    fill(blocks[1], pipe.from, LIO_READ, 70);
    fill(blocks[2], file, LIO_WRITE, 1000);
    if (i % 2 == 0) {
      EXPECT(lio_listio(LIO_WAIT, list, 3, nullptr) == 0);
    } else {
      EXPECT(lio_listio(LIO_NOWAIT, list, 3, nullptr) == 0);
      for (aiocb*& block : list) {
        while (aio_error(block) == EINPROGRESS) EXPECT(aio_suspend(&block, 1, nullptr) == 0);
      }
    }
    EXPECT(aio_return(list[0]) == 70 && aio_return(list[1]) == 70 && aio_return(list[2]) == 1000);
  }
  fill(blocks[0], 999, LIO_NOP, 10);
  if (aio_read(&blocks[0]) == 0) {
    while (aio_error(&blocks[0]) == EINPROGRESS) usleep(100);
    EXPECT(aio_error(&blocks[0]) == EBADF && aio_return(&blocks[0]) == -1);
  }
}

// A ring made by system calls of libc.
struct OwnRing {
  int fd;
  unsigned *tail, *mask, *array, *endHead, *endTail;
  io_uring_sqe* sqes;

  OwnRing() {
    io_uring_params p = {};
    fd = static_cast<int>(syscall(SYS_io_uring_setup, 8, &p));
    EXPECT(fd >= 0);
    const auto map = [&](size_t bytes, off_t offset) {
      void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
      EXPECT(at != MAP_FAILED);
      return static_cast<char*>(at);
    };
    char* submission = map(p.sq_off.array + p.sq_entries * sizeof(unsigned), IORING_OFF_SQ_RING);
    char* completion = map(p.cq_off.cqes + p.cq_entries * sizeof(io_uring_cqe), IORING_OFF_CQ_RING);
    sqes = reinterpret_cast<io_uring_sqe*>(map(p.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES));
    tail = reinterpret_cast<unsigned*>(submission + p.sq_off.tail);
    mask = reinterpret_cast<unsigned*>(submission + p.sq_off.ring_mask);
    array = reinterpret_cast<unsigned*>(submission + p.sq_off.array);
    endHead = reinterpret_cast<unsigned*>(completion + p.cq_off.head);
    endTail = reinterpret_cast<unsigned*>(completion + p.cq_off.tail);
  }
  long enter(unsigned submit, unsigned wait) const {
    return syscall(SYS_io_uring_enter, fd, submit, wait, IORING_ENTER_GETEVENTS, nullptr, 0);
  }
  void put(int op, int file, unsigned bytes) {
    const unsigned place = *tail & *mask;
    sqes[place] = {};
    sqes[place].opcode = static_cast<uint8_t>(op);
    sqes[place].fd = file;
    sqes[place].addr = reinterpret_cast<uintptr_t>(memory);
    sqes[place].len = bytes;
    sqes[place].off = static_cast<uint64_t>(-1);
    array[place] = place;
    __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
  }
  void transfer(int op, int file, unsigned bytes) {
    put(op, file, bytes);
    EXPECT(enter(1, 1) == 1);
    EXPECT(__atomic_load_n(endTail, __ATOMIC_ACQUIRE) == *endHead + 1);
    __atomic_store_n(endHead, *endHead + 1, __ATOMIC_RELEASE);
  }
};

// Children that enter and close the ring of their parent, and have memory where it was mapped.
void children() {
  Pipe pipe;
  OwnRing ring;
  ring.transfer(IORING_OP_WRITE, pipe.to, 10);
  const pid_t forked = fork();
  EXPECT(forked >= 0);
  if (forked == 0) {
    alarm(60);
    constexpr size_t kPage = 4096, kPieces = 512;
    char* pieces[kPieces];
    EXPECT(ring.enter(0, 0) == 0);
    for (char*& piece : pieces) {
      piece = static_cast<char*>(mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
      EXPECT(piece != MAP_FAILED);
      *piece = 1;
    }
    EXPECT(ring.enter(0, 0) == 0);
    EXPECT(close(ring.fd) == 0);
    for (const char* piece : pieces) EXPECT(*piece == 1);
    OwnRing own;
    Pipe pipeOfIt;
    own.transfer(IORING_OP_WRITE, pipeOfIt.to, 33);
    EXPECT(read(pipeOfIt.from, memory, 100) == 33);
    _exit(0);
  }
  int status = 1;
  EXPECT(waitpid(forked, &status, 0) == forked && status == 0);
  const pid_t vforked = vfork();
  if (vforked == 0) {
    close(ring.fd);
    _exit(0);
  }
  EXPECT(vforked > 0 && waitpid(vforked, &status, 0) == vforked && status == 0);
  ring.transfer(IORING_OP_WRITE, pipe.to, 20);
  ring.transfer(IORING_OP_READ, pipe.from, 10);
  ring.transfer(IORING_OP_READ, pipe.from, 20);
}

// A ring is closed while a thread waits for an end that comes later.
void closed() {
  for (int i = 0; i < 20; i++) {
    Pipe pipe;
    OwnRing ring;
    std::thread waiting([&] {
      ring.put(IORING_OP_READ, pipe.from, 5);
      // The descriptor is bad if a busy machine has let nobody run for so long.
      EXPECT(ring.enter(1, 1) == 1 || errno == EBADF);
    });
    usleep(10000);
    EXPECT(close(ring.fd) == 0);
    EXPECT(write(pipe.to, memory, 5) == 5);
    waiting.join();
    EXPECT(close(pipe.from) == 0 && close(pipe.to) == 0);
  }
}

// Many threads use a ring for the first time at once.
void firstUses() {
  for (int i = 0; i < 50; i++) {
    Ring ring;
    std::vector<std::thread> all;
    for (int thread = 0; thread < 4; thread++) {
      all.emplace_back([&] { EXPECT(io_uring_get_events(&ring) == 0); });
    }
    for (std::thread& thread : all) thread.join();
    ask(ring, 1, [](auto* sqe) { io_uring_prep_nop(sqe); });
    EXPECT(io_uring_submit(&ring) == 1);
    EXPECT(ring.take(1) == 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string scenario = argc > 1 ? argv[1] : "";
  io_uring ring;
  if (scenario != "lists" && io_uring_queue_init(2, &ring, 0) != 0) return 77;
  if (scenario == "batch") batch();
  else if (scenario == "parts") parts();
  else if (scenario == "threads") threads();
  else if (scenario == "registered") registered();
  else if (scenario == "multishot") multishot();
  else if (scenario == "connection") connection();
  else if (scenario == "children") children();
  else if (scenario == "closed") closed();
  else if (scenario == "first-uses") firstUses();
  else if (scenario == "lists") lists(argv[2]);
  else return 2;
  puts("done");
  return 0;
}
