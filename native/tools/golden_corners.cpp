// Traces that hold what is rare: kills, exec, many blocks, later versions, damage.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "tools/golden.h"

namespace parallax::golden {

using namespace format;

namespace {

constexpr Machine kHost = {"corner-1", Clock::kTsc, 2'000'000'000, 10'000'000'000,
                           5'000'000'000};

// A literal with what stands behind a NUL in it.
template <size_t N>
std::string_view text(const char (&literal)[N]) {
  return {literal, N - 1};
}

void defineProgram(Process& process, uint32_t pid, uint32_t parentPid, uint64_t us,
                   std::string_view executable, std::string_view command) {
  ProcessRecord record = process.processRecord(pid, parentPid, us);
  record.executable = executable;
  record.command = command;
  record.directory = "/tmp";
  process.definitions().add(record);
  process.thread(0, pid, 0, us, "main");
}

void defineSendPath(Process& process) {
  process.region(1, Group::kMpi, "MPI_Send");
  process.path(1, 0, PathKind::kRegion, 1);
}

Manifest endedManifest() {
  return {{"run", "ffffffffffffffffffffffffffffffff"}, {"created", "2026-09-21T14:13:20Z"},
          {"host", "corner-1"},  {"directory", "/tmp"}, {"command", "./corner"},
          {"agent", "0.1.0"},    {"sample-hz", "0"},    {"tick-hz", "2000000000"},
          {"ended", "2026-09-21T14:13:21Z"},            {"elapsed-ns", "1000000"},
          {"exit-status", "0"}};
}

void runBriefly(const Process& process, uint64_t us) {
  Thread thread(process, 0, us);
  thread.event(us, Kind::kThreadBegin, 0, {0});
  thread.event(us + 20, Kind::kThreadEnd);
  thread.writer().close();
}

// A record of `type` whose body of `size` bytes counts up.
std::string rawRecord(uint16_t type, uint32_t size) {
  std::string bytes(8 + size, '\0');
  for (uint32_t i = 0; i < size; i++) bytes[8 + i] = static_cast<char>(i);
  const RecordHeader header = {8 + size, type,
                               static_cast<uint16_t>(crc32c(bytes.data() + 8, size))};
  memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

// Inverts one bit of the byte `fromEnd` bytes before the end of a file.
void flipBit(const std::string& path, off_t fromEnd) {
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  const off_t at = lseek(file, -fromEnd, SEEK_END);
  char byte = 0;
  if (pread(file, &byte, 1, at) == 1) {
    byte = static_cast<char>(byte ^ 0x40);
    if (pwrite(file, &byte, 1, at) != 1) byte = 0;
  }
  close(file);
}

void cutOff(const std::string& path, off_t bytes) {
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  const off_t size = lseek(file, 0, SEEK_END);
  if (ftruncate(file, size - bytes) != 0) flipBit(path, 1);
  close(file);
}

void append(const std::string& path, std::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (write(file, text.data(), text.size()) < 0) flipBit(path, 1);
  close(file);
}

}  // namespace

void writeExec(const std::string& directory) {
  {
    Process shell(directory, kHost, 500, 0);
    defineProgram(shell, 500, 400, 0, "/usr/bin/dash", text("sh\0-c\0\"a\\b\"\tc"));
    runBriefly(shell, 0);
    shell.end(30, 20, EndReason::kExec, 0);
    shell.definitions().close();
  }
  {
    // The same pid after exec; a child of it below.
    Process program(directory, kHost, 500, 1);
    defineProgram(program, 500, 400, 40, "/home/jörg/プログラム",
                  text("./プログラム\0ä\0\0-x"));
    NoteRecord note;
    note.text =
        "sampling by timer: perf events are denied \xE2\x80\x94 see \xF0\x9F\x93\x88\nline two";
    program.definitions().add(note);
    program.region(1, Group::kUser, "größe<T>::berechne(const std::string&)");
    program.path(1, 0, PathKind::kRegion, 1);
    runBriefly(program, 40);
    program.end(200, 90, EndReason::kExit, -11);
    program.definitions().close();
  }
  {
    Process child(directory, kHost, 501, 0);
    defineProgram(child, 501, 500, 60, "/home/jörg/プログラム", "./プログラム");
    runBriefly(child, 60);
    child.end(90, 5, EndReason::kExit, 255);
    child.definitions().close();
  }
  Manifest manifest = endedManifest();
  for (auto& [key, value] : manifest) {
    if (key == "command") value = "sh -c '\"a\\b\" = ü'";
  }
  manifest.emplace_back("a-later-key", "is ignored");
  writeManifest(directory, manifest);
  replaceFile(directory + "/a file of somebody else.txt", "ignored\n");
}

void writeKilled(const std::string& directory) {
  {
    Process process(directory, kHost, 600);
    defineProgram(process, 600, 1, 0, "/tmp/corner", "./corner");
    process.definitions().addPending(40);
    defineSendPath(process);
    const std::string reserved(256, '\0');
    process.definitions().addBytes(reserved.data(), reserved.size());
    process.definitions().close();
    Thread thread(process, 0, 0);
    thread.event(0, Kind::kThreadBegin, 0, {0});
    thread.enter(5, 1);
    thread.event(5, Kind::kSend, 1, {peerAndTag(1, 2), 100});
    thread.leave(8, 1);
    thread.enter(9, 1);
    // Its second payload slot was not yet written.
    thread.event(9, Kind::kSend, 1, {peerAndTag(1, 3)});
    thread.writer().abandon(1);
  }
  {
    // Killed in the middle of writing a definition; the space behind was never touched.
    Process process(directory, kHost, 601);
    defineProgram(process, 601, 1, 2, "/tmp/corner", "./corner");
    process.definitions().addPending(64);
    process.definitions().close();
    Thread thread(process, 0, 2);
    thread.event(2, Kind::kThreadBegin, 0, {0});
    thread.writer().breakBlock();
    thread.writer().abandon(1);
  }
  Manifest manifest = endedManifest();
  manifest.resize(8);  // live, or killed together with the recorder
  writeManifest(directory, manifest);
}

void writeHoles(const std::string& directory) {
  {
    // Nothing tells of what is missing but the blocks themselves.
    Process process(directory, kHost, 650);
    defineProgram(process, 650, 1, 0, "/tmp/corner", "./corner");
    defineSendPath(process);
    process.path(2, 0, PathKind::kReturnAddress, 0x401000);
    Thread before(process, 0, 0);
    before.writer().missBlocks(1);
    before.event(4, Kind::kSample, 2);
    before.writer().breakBlock();
    before.event(9, Kind::kThreadEnd);
    before.writer().close();
    process.thread(1, 651, 1, 1, "");
    Thread between(process, 1, 1);
    between.event(1, Kind::kThreadBegin, 0, {1});
    between.enter(2, 1);
    between.writer().missBlocks(2);
    between.leave(7, 1);
    between.event(8, Kind::kThreadEnd);
    between.writer().close();
    process.end(10, 8, EndReason::kExit, 0);
    process.definitions().close();
  }
  {
    // The events of the last block are counted.
    Process process(directory, kHost, 652);
    defineProgram(process, 652, 1, 2, "/tmp/corner", "./corner");
    LossesRecord losses;
    losses.firstTicks = losses.lastTicks = kHost.ticks(5);
    losses.events = 2;
    losses.cause = LossCause::kDiskFull;
    losses.error = 28;
    process.definitions().add(losses);
    Thread thread(process, 0, 2);
    thread.event(2, Kind::kThreadBegin, 0, {0});
    thread.writer().breakBlock();
    thread.writer().abandon(1);
    process.end(10, 8, EndReason::kExit, 0);
    process.definitions().close();
  }
  writeManifest(directory, endedManifest());
}

void writeCorners(const std::string& directory) {
  Process process(directory, kHost, 700);
  defineProgram(process, 700, 1, 0, "/tmp/corner", "./corner");
  defineSendPath(process);
  process.path(kOperandEscape - 1, 1, PathKind::kAddress, 0xffffffffff600000);
  process.path(kOperandEscape, 1, PathKind::kAddress, 0xffffffffffffffff);
  process.path(kOperandEscape + 1, 1, static_cast<PathKind>(9), 7);
  LossesRecord losses;
  losses.firstTicks = kHost.ticks(7);
  losses.lastTicks = kHost.ticks(9);
  losses.events = 3;
  losses.definitions = 1;
  losses.callPaths = 2;
  losses.cause = LossCause::kDiskReserved;
  losses.error = 28;
  char changed[128];
  // Without a check, as the agent leaves it, which changes it in place.
  const size_t lossesSize = RecordWriter(changed, sizeof changed).encode(losses);
  changed[6] = changed[7] = 0;
  process.definitions().addBytes(changed, lossesSize);
  const std::string reserved = rawRecord(static_cast<uint16_t>(Record::kReserved), 32);
  process.definitions().addBytes(reserved.data(), reserved.size() - 1);
  process.definitions().addBytes("!", 1);  // anything
  const std::string unknown = rawRecord(1000, 24);
  process.definitions().addBytes(unknown.data(), unknown.size());
  const std::string longer = rawRecord(static_cast<uint16_t>(Record::kModuleUnload), 40);
  process.definitions().addBytes(longer.data(), longer.size());
  Thread thread(process, 0, 0);
  thread.event(0, Kind::kThreadBegin, 0, {0});
  // Operands around the escape, in events with and without payload.
  for (uint64_t path = kOperandEscape - 1; path <= kOperandEscape + 1; path++) {
    thread.event(1, Kind::kEnter, path);
  }
  for (uint64_t path = kOperandEscape + 1; path >= kOperandEscape - 1; path--) {
    thread.event(2, Kind::kLeave, path);
  }
  thread.event(3, Kind::kProbe, 0xffffffff, {peerAndTag(kAnySource - 1, 0xfffffffe), ~0ull >> 1});
  for (uint64_t op = 0; op <= 30; op++) {
    thread.event(4, Kind::kCollective, 1,
                 {opAndRoot(static_cast<Collective>(op), op % 2 == 0 ? 3 : kNoRoot), 1, 2, op});
  }
  // Kinds and payload that a later version may add.
  thread.event(5, static_cast<Kind>(63), 17, {1, 2, 3});
  thread.event(5, static_cast<Kind>(40), kOperandEscape, {});
  thread.event(6, Kind::kSend, 1, {peerAndTag(1, 1), 5, 6, 7, 8});
  thread.event(6, Kind::kSample, 1, {99});
  thread.enter(7, 1);
  thread.writer().lose(3);
  thread.event(9, Kind::kLeave, 1);
  // More ticks than 37 bits hold: a new block begins by itself.
  thread.cpu(100'000'000, 99'000'000);
  thread.event(100'000'000, Kind::kSample, 1);
  thread.event(100'000'001, Kind::kThreadEnd);
  thread.writer().close();
  process.end(100'000'002, 1'000'000, static_cast<EndReason>(7), -1);
  process.definitions().close();
  writeManifest(directory, endedManifest());
}

// An Events record of a thread that has begun at `us`, with so many slots, of which the given are used.
void addSmallBlock(Process* process, uint32_t thread, uint64_t us, size_t capacity, bool closed,
                   const std::vector<uint64_t>& slots) {
  struct {
    RecordHeader record;
    BlockHeader block;
    uint64_t slots[64];
  } bytes = {};
  const size_t size = sizeof bytes.record + sizeof bytes.block + capacity * sizeof(uint64_t);
  bytes.record = {static_cast<uint32_t>(size), static_cast<uint16_t>(Record::kEvents), 0};
  bytes.block.magic = kBlockMagic;
  bytes.block.version = kVersion;
  bytes.block.thread = thread;
  bytes.block.baseTicks = kHost.ticks(us);
  bytes.block.monotonicNs = kHost.monotonicNs(us);
  std::copy(slots.begin(), slots.end(), bytes.slots);
  if (closed) closeBlock(&bytes.block, static_cast<uint32_t>(slots.size()));
  process->definitions().addBytes(&bytes, size);
}

void writeSmall(const std::string& directory) {
  const auto slot = [](Kind kind, uint32_t operand, uint64_t afterUs) {
    return eventSlot(kind, operand, kHost.ticks(afterUs) - kHost.ticks(0));
  };
  {
    Process process(directory, kHost, 900);
    defineProgram(process, 900, 1, 0, "/tmp/small", "./small");
    process.path(1, 0, PathKind::kReturnAddress, 0x401000);
    addSmallBlock(&process, 0, 0, 16, true,
                  {slot(Kind::kThreadBegin, 0, 0), payloadSlot(0), slot(Kind::kSample, 1, 3),
                   slot(Kind::kThreadEnd, 0, 9)});
    // Full: the thread went on in a file of its own.
    process.thread(1, 901, 1, 1, "");
    addSmallBlock(&process, 1, 1, 4, true,
                  {slot(Kind::kThreadBegin, 0, 0), payloadSlot(1), slot(Kind::kSample, 1, 1),
                   slot(Kind::kSample, 1, 2)});
    Thread thread(process, 1, 4);
    thread.writer().continueAfterSmallBlock();
    thread.event(4, Kind::kSample, 1);
    thread.event(5, Kind::kThreadEnd);
    thread.writer().close();
    process.end(10, 8, EndReason::kExit, 0);
    process.definitions().close();
  }
  {
    // Killed: one block open, another one reserved and not begun.
    Process process(directory, kHost, 902);
    defineProgram(process, 902, 1, 2, "/tmp/small", "./small");
    process.path(1, 0, PathKind::kReturnAddress, 0x401000);
    addSmallBlock(&process, 0, 2, 16, false,
                  {slot(Kind::kThreadBegin, 0, 0), payloadSlot(0), slot(Kind::kSample, 1, 3)});
    process.thread(1, 903, 1, 4, "");
    const uint64_t unbegun[] = {static_cast<uint64_t>(Record::kEvents) << 32 | 96, 0, 0, 0, 0, 0,
                                0, 0, 0, 0, 0, 0};
    process.definitions().addBytes(unbegun, sizeof unbegun);
    process.definitions().close();
  }
  writeManifest(directory, endedManifest());
}

void writeDamaged(const std::string& directory) {
  {
    // One bit of the last definition, and one of the first of two blocks.
    Process process(directory, kHost, 800);
    defineProgram(process, 800, 1, 0, "/tmp/corner", "./corner");
    process.region(1, Group::kUser, "sound");
    process.region(2, Group::kUser, "damaged");
    process.definitions().close();
    flipBit(directory + "/corner-1.800.0.def", 8);
    Thread thread(process, 0, 0);
    thread.event(0, Kind::kThreadBegin, 0, {0});
    thread.writer().breakBlock();
    thread.event(10, Kind::kThreadEnd);
    thread.writer().close();
    flipBit(process.eventsPath(0), kBlockBytes + 8 - 4);
  }
  {
    // Definitions cut off in the last record, foreign text after the last block.
    Process process(directory, kHost, 801);
    defineProgram(process, 801, 1, 1, "/tmp/corner", "./corner");
    process.region(1, Group::kUser, "whole");
    process.region(2, Group::kUser, "cut off");
    process.definitions().close();
    cutOff(directory + "/corner-1.801.0.def", 3);
    Thread thread(process, 0, 1);
    thread.event(1, Kind::kThreadBegin, 0, {0});
    thread.writer().abandon(0);
    append(process.eventsPath(0),
           "this text does not belong to a trace at all, but stands here anyway");
  }
  {
    // Events without definitions, cut off within a closed block.
    Process process(directory, kHost, 802);
    process.definitions().close();
    unlink((directory + "/corner-1.802.0.def").c_str());
    runBriefly(process, 2);
    cutOff(process.eventsPath(0), 1);
  }
  writeManifest(directory, endedManifest());
}

}  // namespace parallax::golden
