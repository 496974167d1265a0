// parallax-bench-otf2 DIRECTORY COUNT: what an Enter and a Leave cost by the writer of OTF2, with
// the time read by rdtsc. Prints as tests/programs/bench_events.c does.

#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

enum { ROUNDS = 100 };

static double now_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static OTF2_FlushType before_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
                                   void *caller, bool final) {
  return OTF2_FLUSH;
}

static OTF2_TimeStamp after_flush(void *user, OTF2_FileType type, OTF2_LocationRef location) {
  return __rdtsc();
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const long count = (atol(argv[2]) + ROUNDS - 1) / ROUNDS;
  OTF2_FlushCallbacks callbacks = {before_flush, after_flush};
  OTF2_Archive *archive =
      OTF2_Archive_Open(argv[1], "bench", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (archive == NULL) return 1;
  OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_OpenEvtFiles(archive);
  OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, 0);
  double least = 1e18;
  const double all = now_ns(CLOCK_THREAD_CPUTIME_ID);
  for (int round = 0; round < ROUNDS; ++round) {
    const double begin = now_ns(CLOCK_MONOTONIC);
    for (long i = 0; i < count; ++i) {
      OTF2_EvtWriter_Enter(writer, NULL, __rdtsc(), 1);
      OTF2_EvtWriter_Leave(writer, NULL, __rdtsc(), 1);
    }
    const double ns = (now_ns(CLOCK_MONOTONIC) - begin) / (double)count;
    if (ns < least) least = ns;
  }
  const double mean = (now_ns(CLOCK_THREAD_CPUTIME_ID) - all) / ROUNDS / (double)count;
  OTF2_Archive_CloseEvtWriter(archive, writer);
  OTF2_Archive_CloseEvtFiles(archive);
  OTF2_Archive_Close(archive);
  printf("least_ns %.3f\nmean_ns %.3f\ncount %ld\n", least, mean, count * ROUNDS);
  return 0;
}
