// More archives with known answers: one-sided communication, samples, tasks, old parallel regions, files.
#include "tools/otf2/archive_writer.h"

namespace parallax::otf2 {
namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr auto kNone = OTF2_UNDEFINED_UINT32;

}  // namespace

std::string writeOneSided(const std::string& directory) {
  ArchiveWriter archive(directory, "window", 2);
  const auto at = [&](double ms) { return archive.offset() + static_cast<uint64_t>(ms * kMs); };
  const auto call = [&](const char* name) { return archive.region(name, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_RMA); };
  const auto main = archive.region("main", OTF2_PARADIGM_COMPILER);
  const auto create = call("MPI_Win_create"), fence = call("MPI_Win_fence"), post = call("MPI_Win_post");
  const auto start = call("MPI_Win_start"), put = call("MPI_Put"), complete = call("MPI_Win_complete");
  const auto wait = call("MPI_Win_wait"), lock = call("MPI_Win_lock"), unlock = call("MPI_Win_unlock");
  constexpr OTF2_RmaWinRef kWindow = 0;
  constexpr OTF2_GroupRef kFirst = 50, kSecond = 51;
  constexpr auto kBoth = OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY;
  OTF2_GlobalDefWriter_WriteRmaWin(archive.definitions(), kWindow, archive.string("halo"), ArchiveWriter::kWorld,
                                   OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS);
  for (const uint64_t rank : {uint64_t{0}, uint64_t{1}}) {
    OTF2_GlobalDefWriter_WriteGroup(archive.definitions(), rank == 0 ? kFirst : kSecond, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 1, &rank);
  }
  OTF2_EvtWriter* a = archive.events(0);
  OTF2_EvtWriter* b = archive.events(1);
  for (OTF2_EvtWriter* each : {a, b}) {
    OTF2_EvtWriter_Enter(each, nullptr, at(0), main);
    OTF2_EvtWriter_Enter(each, nullptr, at(1), create);
    OTF2_EvtWriter_RmaCollectiveBegin(each, nullptr, at(1));
    OTF2_EvtWriter_RmaWinCreate(each, nullptr, at(1), kWindow);
    OTF2_EvtWriter_RmaCollectiveEnd(each, nullptr, at(1), OTF2_COLLECTIVE_OP_CREATE_HANDLE, OTF2_RMA_SYNC_LEVEL_PROCESS,
                                    kWindow, kNone, 0, 0);
    OTF2_EvtWriter_Leave(each, nullptr, at(1), create);
    OTF2_EvtWriter_Enter(each, nullptr, at(each == a ? 5 : 10), fence);
    OTF2_EvtWriter_RmaCollectiveBegin(each, nullptr, at(each == a ? 5 : 10));
    OTF2_EvtWriter_RmaCollectiveEnd(each, nullptr, at(10), OTF2_COLLECTIVE_OP_BARRIER, kBoth, kWindow, kNone, 0, 0);
    OTF2_EvtWriter_Leave(each, nullptr, at(10), fence);
  }
  // Rank 0 puts into the window of rank 1, which posts 3 ms late, and waits 4 ms for the end.
  OTF2_EvtWriter_Enter(a, nullptr, at(12), start);
  OTF2_EvtWriter_RmaGroupSync(a, nullptr, at(15), OTF2_RMA_SYNC_LEVEL_NONE, kWindow, kSecond);
  OTF2_EvtWriter_Leave(a, nullptr, at(15), start);
  OTF2_EvtWriter_Enter(a, nullptr, at(16), put);
  OTF2_EvtWriter_RmaPut(a, nullptr, at(16), kWindow, 1, 800, 1);
  OTF2_EvtWriter_Leave(a, nullptr, at(16), put);
  OTF2_EvtWriter_Enter(a, nullptr, at(21), complete);
  OTF2_EvtWriter_RmaGroupSync(a, nullptr, at(21), OTF2_RMA_SYNC_LEVEL_MEMORY, kWindow, kSecond);
  OTF2_EvtWriter_RmaOpCompleteRemote(a, nullptr, at(21), kWindow, 1);
  OTF2_EvtWriter_Leave(a, nullptr, at(21), complete);
  OTF2_EvtWriter_Enter(b, nullptr, at(15), post);
  OTF2_EvtWriter_RmaGroupSync(b, nullptr, at(15), OTF2_RMA_SYNC_LEVEL_NONE, kWindow, kFirst);
  OTF2_EvtWriter_Leave(b, nullptr, at(15), post);
  OTF2_EvtWriter_Enter(b, nullptr, at(17), wait);
  OTF2_EvtWriter_RmaGroupSync(b, nullptr, at(21), OTF2_RMA_SYNC_LEVEL_MEMORY, kWindow, kFirst);
  OTF2_EvtWriter_Leave(b, nullptr, at(21), wait);
  // Rank 0 has its own window locked; rank 1 waits 6 ms for the lock.
  OTF2_EvtWriter_Enter(a, nullptr, at(22), lock);
  OTF2_EvtWriter_RmaAcquireLock(a, nullptr, at(22), kWindow, 0, 0, OTF2_LOCK_EXCLUSIVE);
  OTF2_EvtWriter_Leave(a, nullptr, at(22), lock);
  OTF2_EvtWriter_Enter(a, nullptr, at(30), unlock);
  OTF2_EvtWriter_RmaReleaseLock(a, nullptr, at(30), kWindow, 0, 0);
  OTF2_EvtWriter_Leave(a, nullptr, at(30), unlock);
  OTF2_EvtWriter_Enter(b, nullptr, at(24), lock);
  OTF2_EvtWriter_RmaRequestLock(b, nullptr, at(24), kWindow, 0, 0, OTF2_LOCK_EXCLUSIVE);
  OTF2_EvtWriter_RmaAcquireLock(b, nullptr, at(30.001), kWindow, 0, 0, OTF2_LOCK_EXCLUSIVE);
  OTF2_EvtWriter_Leave(b, nullptr, at(30.001), lock);
  OTF2_EvtWriter_Enter(b, nullptr, at(31), unlock);
  OTF2_EvtWriter_RmaReleaseLock(b, nullptr, at(31), kWindow, 0, 0);
  OTF2_EvtWriter_Leave(b, nullptr, at(31), unlock);
  for (OTF2_EvtWriter* each : {a, b}) OTF2_EvtWriter_Leave(each, nullptr, at(40), main);
  archive.close();
  return archive.anchor();
}

std::string writeSamples(const std::string& directory) {
  ArchiveWriter archive(directory, "samples", 1);
  const auto at = [&](double ms) { return archive.offset() + static_cast<uint64_t>(ms * kMs); };
  const auto main = archive.region("main", OTF2_PARADIGM_SAMPLING, OTF2_REGION_ROLE_FUNCTION, "/src/samples.c", 3);
  const auto solve = archive.region("solve", OTF2_PARADIGM_SAMPLING, OTF2_REGION_ROLE_FUNCTION, "/src/samples.c", 30);
  const auto print = archive.region("print", OTF2_PARADIGM_SAMPLING, OTF2_REGION_ROLE_FUNCTION, "/src/samples.c", 60);
  const auto lock = archive.region("pthread_mutex_lock", OTF2_PARADIGM_PTHREAD);
  enum : OTF2_CallingContextRef { kMain, kSolve, kPrint, kLock };
  OTF2_GlobalDefWriter* definitions = archive.definitions();
  constexpr auto kNoPlace = OTF2_UNDEFINED_SOURCE_CODE_LOCATION;
  OTF2_GlobalDefWriter_WriteCallingContext(definitions, kMain, main, kNoPlace, OTF2_UNDEFINED_CALLING_CONTEXT);
  OTF2_GlobalDefWriter_WriteCallingContext(definitions, kSolve, solve, kNoPlace, kMain);
  OTF2_GlobalDefWriter_WriteCallingContext(definitions, kPrint, print, kNoPlace, kMain);
  OTF2_GlobalDefWriter_WriteCallingContext(definitions, kLock, lock, kNoPlace, kSolve);
  OTF2_GlobalDefWriter_WriteInterruptGenerator(definitions, 0, archive.string("timer"),
                                               OTF2_INTERRUPT_GENERATOR_MODE_TIME, OTF2_BASE_DECIMAL, -6, 1000);
  OTF2_EvtWriter* to = archive.events(0);
  OTF2_EvtWriter_MeasurementOnOff(to, nullptr, at(0), OTF2_MEASUREMENT_ON);
  for (int i = 1; i <= 40; i++) {
    if (i == 21) {  // a call of 5 ms, in which one sample is taken
      OTF2_EvtWriter_CallingContextEnter(to, nullptr, at(20), kLock, 1);
      OTF2_EvtWriter_CallingContextSample(to, nullptr, at(22), kLock, 1, 0);
      OTF2_EvtWriter_CallingContextLeave(to, nullptr, at(25), kLock);
    }
    OTF2_EvtWriter_CallingContextSample(to, nullptr, at(i > 20 ? i + 5 : i), i <= 30 ? kSolve : kPrint, 1, 0);
  }
  archive.close();
  return archive.anchor();
}

std::string writeTasks(const std::string& directory) {
  ArchiveWriter archive(directory, "tasks", 1, 2);
  const auto at = [&](double ms) { return archive.offset() + static_cast<uint64_t>(ms * kMs); };
  const auto main = archive.region("main", OTF2_PARADIGM_COMPILER);
  const auto work = archive.region("work", OTF2_PARADIGM_COMPILER);
  const auto parallel = archive.region("!$omp parallel", OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_PARALLEL);
  const auto barrier = archive.region("!$omp implicit barrier", OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_IMPLICIT_BARRIER);
  const auto create = archive.region("!$omp create task", OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK_CREATE);
  const auto task = archive.region("!$omp task", OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK);
  const auto taskwait = archive.region("!$omp taskwait", OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK_WAIT);
  constexpr auto kTeam = ArchiveWriter::kTeams;
  OTF2_EvtWriter* a = archive.events(0);
  OTF2_EvtWriter* b = archive.events(1);
  OTF2_EvtWriter_Enter(a, nullptr, at(0), main);
  OTF2_EvtWriter_ThreadFork(a, nullptr, at(1), OTF2_PARADIGM_OPENMP, 2);
  for (OTF2_EvtWriter* each : {a, b}) {
    OTF2_EvtWriter_ThreadTeamBegin(each, nullptr, at(1), kTeam);
    OTF2_EvtWriter_Enter(each, nullptr, at(1), parallel);
  }
  // Thread 0 creates a task at 6 ms, which thread 1 begins at once, out of its barrier, and ends at 14 ms.
  OTF2_EvtWriter_Enter(a, nullptr, at(6), create);
  OTF2_EvtWriter_ThreadTaskCreate(a, nullptr, at(6), kTeam, 0, 1);
  OTF2_EvtWriter_Leave(a, nullptr, at(6), create);
  OTF2_EvtWriter_Enter(a, nullptr, at(7), taskwait);
  OTF2_EvtWriter_Leave(a, nullptr, at(14), taskwait);
  OTF2_EvtWriter_Enter(a, nullptr, at(16), barrier);
  OTF2_EvtWriter_Leave(a, nullptr, at(16), barrier);
  OTF2_EvtWriter_Enter(b, nullptr, at(2), barrier);
  OTF2_EvtWriter_ThreadTaskSwitch(b, nullptr, at(6), kTeam, 0, 1);
  OTF2_EvtWriter_Enter(b, nullptr, at(6), task);
  OTF2_EvtWriter_Enter(b, nullptr, at(6), work);
  OTF2_EvtWriter_Leave(b, nullptr, at(14), work);
  OTF2_EvtWriter_Leave(b, nullptr, at(14), task);
  OTF2_EvtWriter_ThreadTaskComplete(b, nullptr, at(14), kTeam, 0, 1);
  OTF2_EvtWriter_ThreadTaskSwitch(b, nullptr, at(14), kTeam, 1, 0);
  OTF2_EvtWriter_Leave(b, nullptr, at(16), barrier);
  for (OTF2_EvtWriter* each : {a, b}) {
    OTF2_EvtWriter_Leave(each, nullptr, at(16), parallel);
    OTF2_EvtWriter_ThreadTeamEnd(each, nullptr, at(16), kTeam);
  }
  OTF2_EvtWriter_ThreadJoin(a, nullptr, at(16), OTF2_PARADIGM_OPENMP);
  OTF2_EvtWriter_Leave(a, nullptr, at(20), main);
  archive.close();
  return archive.anchor();
}

std::string writeOldTeam(const std::string& directory) {
  ArchiveWriter archive(directory, "old", 1, 2);
  const auto at = [&](uint64_t ms) { return archive.offset() + ms * kMs; };
  const auto main = archive.region("main", OTF2_PARADIGM_COMPILER);
  const auto parallel = archive.region("!$omp parallel", OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_PARALLEL);
  const auto barrier = archive.region("!$omp implicit barrier", OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_IMPLICIT_BARRIER);
  OTF2_EvtWriter* a = archive.events(0);
  OTF2_EvtWriter* b = archive.events(1);
  OTF2_EvtWriter_Enter(a, nullptr, at(0), main);
  for (uint64_t begin : {uint64_t{1}, uint64_t{31}}) {
    OTF2_EvtWriter_OmpFork(a, nullptr, at(begin), 2);
    for (OTF2_EvtWriter* each : {a, b}) {
      OTF2_EvtWriter_Enter(each, nullptr, at(begin), parallel);
      OTF2_EvtWriter_Enter(each, nullptr, at(begin + (each == a ? 11 : 19)), barrier);
      OTF2_EvtWriter_Leave(each, nullptr, at(begin + 19), barrier);
      OTF2_EvtWriter_Leave(each, nullptr, at(begin + 19), parallel);
    }
    OTF2_EvtWriter_OmpJoin(a, nullptr, at(begin + 19));
  }
  OTF2_EvtWriter_Leave(a, nullptr, at(55), main);
  archive.close();
  return archive.anchor();
}

std::string writeFiles(const std::string& directory) {
  ArchiveWriter archive(directory, "files", 2);
  const auto at = [&](double ms) { return archive.offset() + static_cast<uint64_t>(ms * kMs); };
  const auto main = archive.region("main", OTF2_PARADIGM_COMPILER);
  const auto open = archive.region("open", OTF2_PARADIGM_UNKNOWN, OTF2_REGION_ROLE_FILE_IO_METADATA);
  const auto read = archive.region("read", OTF2_PARADIGM_UNKNOWN, OTF2_REGION_ROLE_FILE_IO);
  const auto pwrite = archive.region("pwrite", OTF2_PARADIGM_UNKNOWN, OTF2_REGION_ROLE_FILE_IO);
  const auto writeAt = archive.region("MPI_File_write_at", OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FILE_IO);
  const auto test = archive.region("MPI_Test", OTF2_PARADIGM_MPI);
  OTF2_GlobalDefWriter* definitions = archive.definitions();
  enum : uint32_t { kInput, kOutput, kInner };
  const auto mode = archive.string("POSIX");
  OTF2_GlobalDefWriter_WriteIoParadigm(definitions, 0, mode, mode, OTF2_IO_PARADIGM_CLASS_SERIAL,
                                       OTF2_IO_PARADIGM_FLAG_NONE, 0, nullptr, nullptr, nullptr);
  OTF2_GlobalDefWriter_WriteIoRegularFile(definitions, kInput, archive.string("/data/input"), 0);
  OTF2_GlobalDefWriter_WriteIoRegularFile(definitions, kOutput, archive.string("/data/output"), 0);
  OTF2_GlobalDefWriter_WriteIoHandle(definitions, kInput, 0, kInput, 0, OTF2_IO_HANDLE_FLAG_NONE, OTF2_UNDEFINED_COMM,
                                     OTF2_UNDEFINED_IO_HANDLE);
  OTF2_GlobalDefWriter_WriteIoHandle(definitions, kOutput, 0, kOutput, 0, OTF2_IO_HANDLE_FLAG_NONE,
                                     ArchiveWriter::kWorld, OTF2_UNDEFINED_IO_HANDLE);
  OTF2_GlobalDefWriter_WriteIoHandle(definitions, kInner, 0, kOutput, 0, OTF2_IO_HANDLE_FLAG_NONE, OTF2_UNDEFINED_COMM,
                                     kOutput);
  OTF2_GlobalDefWriter_WriteParameter(definitions, 0, archive.string("step"), OTF2_PARAMETER_TYPE_UINT64);
  OTF2_GlobalDefWriter_WriteParameter(definitions, 1, archive.string("phase"), OTF2_PARAMETER_TYPE_STRING);
  OTF2_GlobalDefWriter_WriteAttribute(definitions, 0, archive.string("cells"), 0, OTF2_TYPE_UINT32);
  OTF2_GlobalDefWriter_WriteAttribute(definitions, 1, archive.string("label"), 0, OTF2_TYPE_STRING);
  const auto solve = archive.string("solve");

  OTF2_EvtWriter* to = archive.events(0);
  OTF2_AttributeList* attributes = OTF2_AttributeList_New();
  OTF2_AttributeList_AddUint32(attributes, 0, 640);
  OTF2_AttributeList_AddStringRef(attributes, 1, solve);
  OTF2_EvtWriter_Enter(to, attributes, at(0), main);
  OTF2_AttributeList_Delete(attributes);
  OTF2_EvtWriter_ParameterUnsignedInt(to, nullptr, at(0), 0, 17);
  OTF2_EvtWriter_ParameterString(to, nullptr, at(0), 1, solve);
  OTF2_EvtWriter_Enter(to, nullptr, at(1), open);
  OTF2_EvtWriter_IoCreateHandle(to, nullptr, at(1.5), kInput, OTF2_IO_ACCESS_MODE_READ_ONLY, OTF2_IO_CREATION_FLAG_NONE,
                                OTF2_IO_STATUS_FLAG_NONE);
  OTF2_EvtWriter_Leave(to, nullptr, at(1.5), open);
  OTF2_EvtWriter_Enter(to, nullptr, at(2), read);
  OTF2_EvtWriter_IoOperationBegin(to, nullptr, at(2), kInput, OTF2_IO_OPERATION_MODE_READ, OTF2_IO_OPERATION_FLAG_NONE,
                                  8192, 1);
  OTF2_EvtWriter_IoOperationComplete(to, nullptr, at(5), kInput, 5000, 1);
  OTF2_EvtWriter_Leave(to, nullptr, at(5), read);
  // MPI writes 3,000 bytes, by pwrite.
  OTF2_EvtWriter_Enter(to, nullptr, at(6), writeAt);
  OTF2_EvtWriter_IoOperationBegin(to, nullptr, at(6), kOutput, OTF2_IO_OPERATION_MODE_WRITE,
                                  OTF2_IO_OPERATION_FLAG_NONE, 3000, 2);
  OTF2_EvtWriter_Enter(to, nullptr, at(7), pwrite);
  OTF2_EvtWriter_IoOperationBegin(to, nullptr, at(7), kInner, OTF2_IO_OPERATION_MODE_WRITE, OTF2_IO_OPERATION_FLAG_NONE,
                                  3000, 3);
  OTF2_EvtWriter_IoOperationComplete(to, nullptr, at(9), kInner, 3000, 3);
  OTF2_EvtWriter_Leave(to, nullptr, at(9), pwrite);
  OTF2_EvtWriter_IoOperationComplete(to, nullptr, at(10), kOutput, 3000, 2);
  OTF2_EvtWriter_Leave(to, nullptr, at(10), writeAt);
  // An attempt of 2 ms without success.
  OTF2_EvtWriter_Enter(to, nullptr, at(11), test);
  OTF2_EvtWriter_MpiRequestTest(to, nullptr, at(13), 9);
  OTF2_EvtWriter_Leave(to, nullptr, at(13), test);
  OTF2_EvtWriter_Leave(to, nullptr, at(20), main);
  OTF2_EvtWriter_Enter(archive.events(1), nullptr, at(0), main);
  OTF2_EvtWriter_Leave(archive.events(1), nullptr, at(20), main);
  archive.close();
  return archive.anchor();
}

}  // namespace parallax::otf2
