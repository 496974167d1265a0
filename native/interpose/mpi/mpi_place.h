// What the trace says of this process as one of an MPI job: the job, and its rank there.
#pragma once

#include <cstdint>

namespace parallax::mpi {

struct Place {
  uint64_t job;  // 0: not known yet
  bool isJobCertain;  // the other processes of the job have the same number for certain
  uint32_t rank, size;
  uint32_t threadLevel;  // as the trace has it
};

// All zero before the first definePlace(). Thread-safe, as all of these are.
Place place();

// Tells it in the trace, unless this has been told.
void definePlace(const Place& place);

// As before the first definePlace().
void forgetPlace();

// Takes the job number of another process of the same job, if the own one is not certain.
void adoptJob(uint64_t job);

// A number that all processes have which one launcher has started as one MPI job, without asking them; 0 if it leaves
// no trace. `isCertain`: on all hosts, not only on this one.
uint64_t jobOfLauncher(bool* isCertain);

// A number that is for certain the same in all processes of this job, at any time; 0 if there is none.
uint64_t commonJob();

// Of a text; start with the hash 0.
uint64_t hashOf(const char* text, uint64_t hash);

}  // namespace parallax::mpi
