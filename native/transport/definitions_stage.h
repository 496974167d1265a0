// Where definitions are while a process runs with the transport `shared`: in files in memory, beside those of the rings, so
// that no thread waits for the file system of the trace. The writer copies them into the trace.
#pragma once

#include <cstdint>

#include "transport/trace_directory.h"

namespace parallax::definitions_stage {

// The directory stands beside the file of rings, with this at the end of its name.
inline constexpr char kEnding[] = ".definitions";
// Sequence numbers of processes whose definitions are there begin here. So no file has the name of one that another
// process, which has no writer, makes in the trace.
inline constexpr uint32_t kFirstSequence = 100000;

// `rings` is the path of the file of rings. Before any other.
void attach(const char* rings);
// Null where there is none.
const TraceDirectory* directory();

// Whether a process may begin there, and whether a file may grow by so many bytes: programs need memory for files, too, and
// those that run already need some to grow. What is not known counts as room.
bool hasRoom();
bool hasRoomToGrow(int fd, uint64_t bytes);

// Whether a copy has failed because the disk, or a limit, leaves no space.
bool isLackOfSpace(int error);
// Copies all complete records that the file has by now, from one directory to the other, as far as the disk of the other has
// space for them; those before `done` are there, and it is set to the end of the copy. Can be repeated. Signal handlers may call
// it. Returns 0 or a negative reason (trace_space.h).
int copy(const TraceDirectory& from, const char* name, const TraceDirectory& to, uint64_t* done);
// The same of all records of a process that writes no more. If there is no space for all, the copy tells what is missing, with
// the time `ticks`, and `isTold` is set: its Losses record counts it, or it is the empty file of a process without space.
int copyWhole(const TraceDirectory& from, const char* name, const TraceDirectory& to, uint64_t ticks, bool* isTold);
// Empties a file of the directory, which keeps its name from others.
void empty(const TraceDirectory& directory, const char* name);

}  // namespace parallax::definitions_stage
