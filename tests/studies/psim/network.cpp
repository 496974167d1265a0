#include "network.h"

namespace {

uint32_t power(uint32_t base, uint32_t exponent) {
  uint32_t result = 1;
  while (exponent-- > 0) result *= base;
  return result;
}

uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9u;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

}  // namespace

size_t Network::bytes(const Settings& settings) {
  const size_t lines = power(settings.k, settings.n);
  return sizeof(Network) + 64 + lines * (2 * (settings.n + 1) * sizeof(Queue) + sizeof(Processor) +
                                         kOutstanding * sizeof(Packet)) + sizeof(Packet);
}

void Network::build(const Settings& settings) {
  settings_ = settings;
  lines_ = power(settings.k, settings.n);
  const auto end = reinterpret_cast<uintptr_t>(this + 1);
  queues_ = reinterpret_cast<Queue*>((end + 63) / 64 * 64);
  const size_t queues = size_t{2} * (settings.n + 1) * lines_;
  for (size_t i = 0; i < queues; i++) pthread_spin_init(&queues_[i].lock, PTHREAD_PROCESS_SHARED);
  processors_ = reinterpret_cast<Processor*>(queues_ + queues);
  packets_ = reinterpret_cast<Packet*>(processors_ + lines_);
  for (uint32_t p = 0; p < lines_; p++) {
    processors_[p].random = mix(p + 1);
    for (uint32_t i = 0; i < kOutstanding; i++) {
      const uint32_t packet = 1 + p * kOutstanding + i;
      packets_[packet].next = processors_[p].idle;
      packets_[packet].processor = p;
      processors_[p].idle = packet;
    }
  }
}

void Network::compute(uint32_t worker, uint32_t cycle, Counts* counts) {
  const uint32_t end = firstOf(lines_, worker + 1);
  for (uint32_t p = firstOf(lines_, worker); p < end; p++) computeProcessor(p, cycle, counts);
  const uint32_t switches = lines_ / settings_.k, endSwitch = firstOf(switches, worker + 1);
  for (uint32_t stage = 0; stage < settings_.n; stage++) {
    for (uint32_t s = firstOf(switches, worker); s < endSwitch; s++) {
      computeSwitch(requests(stage), stage, s, cycle, counts);
      computeSwitch(results(stage), stage, s, cycle, counts);
    }
  }
  for (uint32_t m = firstOf(lines_, worker); m < end; m++) computeMemory(m, cycle, counts);
}

void Network::computeProcessor(uint32_t number, uint32_t cycle, Counts* counts) {
  Processor& own = processors_[number];
  Queue& results = this->results(settings_.n)[number];
  if (const uint32_t packet = firstReady(results, cycle)) {
    take(&results, counts);
    Packet& done = packets_[packet];
    if (done.processor != number) counts->misrouted++;
    counts->returned++;
    own.latency += cycle - done.issued;
    own.checksum += mix(uint64_t{done.issued} << 32 ^ cycle);
    for (uint64_t word : done.data) own.checksum += mix(word);
    done.next = own.idle;
    own.idle = packet;
  }
  if (cycle >= settings_.cycles || own.idle == 0) return;
  own.random = mix(own.random + 0x9E3779B97F4A7C15u);
  if (own.random % 1000 >= settings_.rate) return;
  const uint32_t packet = own.idle;
  Packet& fresh = packets_[packet];
  own.idle = fresh.next;
  fresh.memory = fresh.to = static_cast<uint32_t>((own.random >> 32) % lines_);
  fresh.issued = cycle;
  for (uint64_t& word : fresh.data) word = own.random;
  counts->issued++;
  put(&requests(0)[number], packet, cycle + 1, counts);
}

// A switch connects the k lines that differ in one digit. Each of its outputs takes a packet from
// an input that has one for it, each input gives one; who is first goes round with the cycles.
void Network::computeSwitch(Queue* stage, uint32_t digit, uint32_t number, uint32_t cycle,
                            Counts* counts) {
  const uint32_t k = settings_.k, stride = power(k, digit);
  const uint32_t base = number / stride * stride * k + number % stride;
  uint32_t waiting[32];
  bool any = false;
  for (uint32_t in = 0; in < k; in++) {
    waiting[in] = firstReady(stage[base + in * stride], cycle);
    any = any || waiting[in] != 0;
  }
  if (!any) return;
  for (uint32_t out = 0; out < k; out++) {
    for (uint32_t i = 0; i < k; i++) {
      const uint32_t in = (cycle + out + i) % k, packet = waiting[in];
      if (packet == 0 || packets_[packet].to / stride % k != out) continue;
      take(&stage[base + in * stride], counts);
      handlePacket(&packets_[packet], base + out * stride);
      put(&stage[lines_ + base + out * stride], packet, cycle + 1, counts);
      waiting[in] = 0;
      break;
    }
  }
}

void Network::computeMemory(uint32_t memory, uint32_t cycle, Counts* counts) {
  Queue& requests = this->requests(settings_.n)[memory];
  const uint32_t packet = firstReady(requests, cycle);
  if (packet == 0) return;
  take(&requests, counts);
  if (packets_[packet].to != memory) counts->misrouted++;
  handlePacket(&packets_[packet], memory);
  packets_[packet].to = packets_[packet].processor;
  put(&results(0)[memory], packet, cycle + kMemoryCycles, counts);
}

void Network::handlePacket(Packet* packet, uint32_t line) {
  uint64_t state = line;
  for (uint32_t round = 0; round < settings_.detail; round++) {
    for (uint64_t& word : packet->data) word = state = mix(word ^ state);
  }
}

uint32_t Network::firstReady(const Queue& queue, uint32_t cycle) const {
  const uint32_t packet = queue.first.load(std::memory_order_acquire);
  return packet != 0 && packets_[packet].ready <= cycle ? packet : 0;
}

void Network::put(Queue* queue, uint32_t packet, uint32_t ready, Counts* counts) {
  packets_[packet].ready = ready;
  packets_[packet].next = 0;
  counts->spinLocks++;
  pthread_spin_lock(&queue->lock);
  if (queue->last == 0) {
    queue->first.store(packet, std::memory_order_release);
  } else {
    packets_[queue->last].next = packet;
  }
  queue->last = packet;
  pthread_spin_unlock(&queue->lock);
}

void Network::take(Queue* queue, Counts* counts) {
  counts->spinLocks++;
  pthread_spin_lock(&queue->lock);
  const uint32_t next = packets_[queue->first.load(std::memory_order_relaxed)].next;
  queue->first.store(next, std::memory_order_release);
  if (next == 0) queue->last = 0;
  pthread_spin_unlock(&queue->lock);
}

void Network::sum(uint32_t worker, Counts* counts) const {
  const uint32_t end = firstOf(lines_, worker + 1);
  for (uint32_t p = firstOf(lines_, worker); p < end; p++) {
    counts->latency += processors_[p].latency;
    counts->checksum += processors_[p].checksum * (2 * p + 1);
  }
}
