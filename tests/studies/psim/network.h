// The simulated machine: k^n processors and as many memories, with an indirect k-ary n-cube of k x k
// switches for requests and another one for results (Irvin and Miller 1993, section 5.2).
#ifndef PARALLAX_STUDIES_NETWORK_H
#define PARALLAX_STUDIES_NETWORK_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include <atomic>

#define PROCEDURE __attribute__((noinline, noclone, no_icf))

struct Settings {
  uint32_t k, n;          // k^n lines
  uint32_t cycles;        // in which requests are issued
  uint32_t rate;          // requests of a processor, in thousandths of a cycle
  uint32_t detail;        // rounds of a device's work on a packet
  uint32_t workers;
  bool threads, blocking;
};

// A request, then its result.
struct alignas(64) Packet {
  uint32_t next;      // in its queue; 0 ends it
  uint32_t to;        // a memory, then the processor
  uint32_t processor, memory;
  uint32_t ready;     // the cycle from which a device can take it
  uint32_t issued;
  uint64_t data[16];  // what devices compute, step by step
};

// Between two devices: one puts packets in, one takes them out.
struct alignas(64) Queue {
  pthread_spinlock_t lock;
  std::atomic<uint32_t> first;
  uint32_t last;
};

struct alignas(64) Processor {
  uint64_t random;
  uint32_t idle;  // packets that are not under way, a list
  uint64_t latency, checksum;
};

// What a worker has counted; of all of them in the end.
struct Counts {
  uint64_t issued, returned, latency, checksum, misrouted, spinLocks, barriers;
  double barrierNs, cpuNs;
};

// In memory that the workers share. Each computes its share of the devices of each kind, for one
// clock cycle at a time; what a device puts into a queue can be taken in a later cycle only. So
// results do not depend on the number of workers or on who is first.
class Network {
 public:
  static size_t bytes(const Settings& settings);
  void build(const Settings& settings);
  // All devices of a worker for a cycle.
  PROCEDURE void compute(uint32_t worker, uint32_t cycle, Counts* counts);
  // Adds the latency and the checksum of its processors.
  void sum(uint32_t worker, Counts* counts) const;

 private:
  static constexpr uint32_t kOutstanding = 4;   // requests of a processor
  static constexpr uint32_t kMemoryCycles = 4;  // that a memory takes for one

  PROCEDURE void computeProcessor(uint32_t processor, uint32_t cycle, Counts* counts);
  PROCEDURE void computeSwitch(Queue* stage, uint32_t digit, uint32_t number, uint32_t cycle,
                               Counts* counts);
  PROCEDURE void computeMemory(uint32_t memory, uint32_t cycle, Counts* counts);
  PROCEDURE void put(Queue* queue, uint32_t packet, uint32_t ready, Counts* counts);
  PROCEDURE void take(Queue* queue, Counts* counts);
  // What a device does with a packet that passes it.
  PROCEDURE void handlePacket(Packet* packet, uint32_t line);
  // The packet that can be taken in this cycle, or 0.
  uint32_t firstReady(const Queue& queue, uint32_t cycle) const;
  Queue* requests(uint32_t stage) { return queues_ + stage * lines_; }
  Queue* results(uint32_t stage) { return queues_ + (settings_.n + 1 + stage) * lines_; }
  uint32_t firstOf(uint32_t devices, uint32_t worker) const {
    return static_cast<uint32_t>(uint64_t{devices} * worker / settings_.workers);
  }

  Settings settings_;
  uint32_t lines_;
  Queue* queues_;
  Processor* processors_;
  Packet* packets_;
};

#endif
