#include "tools/perfetto/proto_reader.h"

#include <cstring>

#include "tools/perfetto/proto_clocks.h"
#include "tools/perfetto/proto_fields.h"
#include "tools/perfetto/proto_names.h"

namespace parallax::perfetto {
namespace {

constexpr uint64_t kPacketsBetweenProgress = 4096;
constexpr size_t kMostSequences = 100'000;
constexpr int kMostParents = 100;
constexpr uint64_t kStateCleared = 1, kNeedsState = 2;  // flags of a packet

class ProtoReader {
 public:
  ProtoReader(ByteSource* source, const std::string& path, Timeline* timeline, const std::function<void()>& progress)
      : in_(*source), path_(path), out_(*timeline), progress_(progress) {}

  bool read() {
    uint64_t packets = 0;
    for (;;) {
      const uint64_t from = in_.offset();
      if (in_.peek() < 0) break;
      uint64_t tag = 0;
      uint64_t size = 0;
      if (!varint(&tag) || (tag & 7) != 2 || !varint(&size)) {
        if (packets == 0) return false;
        tell(from, "no packet begins here; the rest was left out");
        break;
      }
      if (!take(size)) {
        tell(from, "the file ends inside of a packet of " + std::to_string(size) + " bytes");
        break;
      }
      if (tag >> 3 == 1) {
        packet(from);
      } else {
        out_.definition("Trace field " + std::to_string(tag >> 3));
      }
      if (++packets % kPacketsBetweenProgress == 0 && progress_) progress_();
    }
    resolveTracks();
    return packets > 0;
  }

 private:
  struct Named {
    uint64_t track = 0;
    std::string name, unit, builtIn;
    uint64_t parent = 0;
    int64_t pid = 0, tid = 0;
    bool isProcess = false, isThread = false, isIncremental = false;
    uint64_t unitFactor = 1;
    double sum = 0;
    uint64_t sumEpoch = 0;  // that of the sequence at the last value of an incremental counter
    uint32_t place = Timeline::kNone;  // its records, in the timeline
    std::vector<Record> counters;
  };
  struct Sequence {
    std::unordered_map<uint64_t, uint32_t> names;
    bool isKnown = false, hasState = false;
    uint64_t epoch = 0;  // another number after each packet that clears the state
    uint64_t track = 0;  // by default
    uint32_t clock = ProtoClocks::kBoottime;
    std::vector<uint64_t> extraCounters;
    int64_t pid = 0, tid = 0;  // by its descriptors
  };
  struct Event {
    uint64_t type = 0, nameId = 0, track = 0;
    std::string_view name;
    bool hasTrack = false, hasName = false;
    int64_t integer = 0;
    double real = 0;
    bool hasInteger = false, hasReal = false;
    char legacyPhase = '\0';
    uint64_t legacyName = 0;
    int64_t legacyDurationUs = 0;
    std::vector<uint64_t> flows, endingFlows, extraTracks, extraValues;

    void clear() {
      std::vector<uint64_t>* lists[] = {&flows, &endingFlows, &extraTracks, &extraValues};
      std::vector<uint64_t> kept[4];
      for (int i = 0; i < 4; i++) lists[i]->clear(), kept[i].swap(*lists[i]);
      *this = Event();
      for (int i = 0; i < 4; i++) lists[i]->swap(kept[i]);
    }
  };

  bool varint(uint64_t* value) {
    *value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const int byte = in_.get();
      if (byte < 0) return false;
      *value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }

  // The claimed size is not believed: memory grows with what is there.
  bool take(uint64_t size) {
    packet_.clear();
    while (packet_.size() < size) {
      if (in_.peek() < 0) return false;
      const size_t some = std::min<uint64_t>(in_.available(), size - packet_.size());
      packet_.append(in_.data(), some);
      in_.skip(some);
    }
    return true;
  }

  void tell(uint64_t from, const std::string& what) {
    out_.warn(path_ + ", at byte " + std::to_string(from) + (in_.isCompressed() ? " of the uncompressed data: " : ": ") +
              what);
  }

  void packet(uint64_t from) {
    uint64_t time = 0;
    uint64_t flags = 0;
    uint32_t sequence = 0, clock = 0, payload = 0;
    bool hasTime = false, isAfterLoss = false;
    std::string_view body, interned, defaults;
    ProtoFields fields(packet_);
    while (fields.next()) {
      switch (fields.field()) {
        case 8: time = fields.number(), hasTime = true; break;
        case 10: sequence = static_cast<uint32_t>(fields.number()); break;
        case 12: interned = fields.bytes(); break;
        case 13: flags |= fields.number(); break;
        case 41: flags |= fields.number() != 0 ? kStateCleared : 0; break;
        case 42: isAfterLoss = fields.number() != 0; break;
        case 58: clock = static_cast<uint32_t>(fields.number()); break;
        case 59: defaults = fields.bytes(); break;
        default:  // all other fields of every packet are numbers, such as those that the service adds at its end
          if (fields.hasLength()) payload = fields.field(), body = fields.bytes();
      }
    }
    if (fields.isDamaged()) tell(from, "the packet is damaged");
    Sequence& state = sequenceOf(sequence);
    // The first packet of each sequence is marked as one after a loss, too.
    if (isAfterLoss && state.isKnown) out_.fault(Fault::kLostPackets);
    state.isKnown = true;
    if ((flags & kStateCleared) != 0) {
      state.names.clear();
      state.track = 0;
      state.clock = ProtoClocks::kBoottime;
      state.extraCounters.clear();
      state.hasState = true;
      state.epoch = ++epochs_;
    } else if (isAfterLoss) {
      state.hasState = false;
    }
    // Names, times and tracks of events would be wrong. What clocks and tracks are is complete in itself.
    if ((flags & kNeedsState) != 0 && !state.hasState && payload != 6 && payload != 60) {
      leave(payload, Fault::kNoState);
      return;
    }
    if (!interned.empty()) intern(&state, interned);
    if (!defaults.empty()) setDefaults(&state, defaults);
    int64_t ns = 0;
    if (hasTime && payload != 6) {
      // Each time of an incremental clock counts, whatever the packet is.
      if (!clocks_.convert(sequence, clock != 0 ? clock : state.clock, time, &ns)) out_.fault(Fault::kNoClock);
    }
    if (payload == 11) {
      trackEvent(&state, body, hasTime, ns);
      return;
    }
    if (payload != 0) other(&state, sequence, payload, body);
  }

  Count& kindOf(uint32_t payload) {
    const char* known = packetName(payload);
    return out_.kind(known != nullptr ? known : "packet " + std::to_string(payload));
  }

  void leave(uint32_t payload, Fault fault) {
    out_.fault(fault);
    if (payload == 0) return;
    Count& kind = kindOf(payload);
    kind.read++, kind.left++;
  }

  void other(Sequence* state, uint32_t sequence, uint32_t payload, std::string_view body) {
    Count& kind = kindOf(payload);
    kind.read++;
    switch (payload) {
      case 2: processTree(body); break;
      case 6: clocks_.snapshot(sequence, body); break;
      case 33: case 35: case 36: break;  // they tell of the recording
      case 43: state->pid = processDescriptor(body); break;
      case 44: threadDescriptor(body, &state->pid, &state->tid); break;
      case 60: trackDescriptor(body); break;
      case 50: case 133: out_.fault(Fault::kCompressed); [[fallthrough]];
      default: kind.left++;
    }
  }

  Sequence& sequenceOf(uint32_t id) {
    if (sequences_.size() >= kMostSequences && sequences_.count(id) == 0) id = 0;
    return sequences_[id];
  }

  void intern(Sequence* state, std::string_view message) {
    ProtoFields fields(message);
    while (fields.next()) {
      if (fields.field() != 2) continue;  // names of events
      uint64_t id = 0;
      std::string_view name;
      ProtoFields entry(fields.bytes());
      while (entry.next()) {
        if (entry.field() == 1) id = entry.number();
        if (entry.field() == 2) name = entry.bytes();
      }
      state->names[id] = out_.name(name);
    }
  }

  void setDefaults(Sequence* state, std::string_view message) {
    ProtoFields fields(message);
    while (fields.next()) {
      if (fields.field() == 58) state->clock = static_cast<uint32_t>(fields.number());
      if (fields.field() != 11) continue;
      state->extraCounters.clear();
      ProtoFields event(fields.bytes());
      while (event.next()) {
        if (event.field() == 11) state->track = event.number();
        if (event.field() == 31) numbers(event, &state->extraCounters);
      }
    }
  }

  // One number, or many packed ones.
  static void numbers(const ProtoFields& field, std::vector<uint64_t>* list) {
    const std::string_view packed = field.bytes();
    if (packed.empty()) {
      list->push_back(field.number());
      return;
    }
    uint64_t value = 0;
    int shift = 0;
    for (const char c : packed) {
      if (shift < 64) value |= static_cast<uint64_t>(c & 0x7F) << shift;
      shift += 7;
      if ((c & 0x80) != 0) continue;
      list->push_back(value);
      value = 0;
      shift = 0;
    }
  }

  int64_t processDescriptor(std::string_view message) {
    int64_t pid = 0;
    std::string_view name;
    ProtoFields fields(message);
    while (fields.next()) {
      if (fields.field() == 1) pid = static_cast<int32_t>(fields.number());
      if (fields.field() == 6) name = fields.bytes();
    }
    nameProcess(pid, name);
    return pid;
  }

  void nameProcess(int64_t pid, std::string_view name) {
    const uint32_t process = out_.process(pid);
    if (process != Timeline::kNone && !name.empty()) out_.processes[process].name = name;
  }

  void threadDescriptor(std::string_view message, int64_t* pid, int64_t* tid) {
    std::string_view name;
    ProtoFields fields(message);
    while (fields.next()) {
      if (fields.field() == 1) *pid = static_cast<int32_t>(fields.number());
      if (fields.field() == 2) *tid = static_cast<int64_t>(fields.number());
      if (fields.field() == 5) name = fields.bytes();
    }
    nameThread(*pid, *tid, name);
  }

  void nameThread(int64_t pid, int64_t tid, std::string_view name) {
    const uint32_t process = out_.process(pid);
    const uint32_t thread = process == Timeline::kNone ? Timeline::kNone : out_.thread(process, tid);
    if (thread != Timeline::kNone && !name.empty()) out_.tracks[thread].name = name;
  }

  void processTree(std::string_view message) {
    ProtoFields fields(message);
    while (fields.next()) {
      int64_t pid = 0, tid = 0;
      std::string_view name, command;
      ProtoFields each(fields.bytes());
      if (fields.field() != 1 && fields.field() != 2) continue;
      while (each.next()) {
        if (each.field() == 1) tid = static_cast<int64_t>(each.number());
        if (each.field() == 2) name = each.bytes();
        if (each.field() == 3 && command.empty()) command = each.bytes(), pid = static_cast<int64_t>(each.number());
      }
      if (fields.field() == 1) {
        nameProcess(tid, command);
      } else {
        nameThread(pid, tid, name);
      }
    }
  }

  Named* trackOf(uint64_t uuid) {
    const auto known = tracks_.find(uuid);
    if (known != tracks_.end()) return &known->second;
    if (tracks_.size() == Timeline::kMostTracks) return nullptr;
    return &tracks_[uuid];
  }

  void trackDescriptor(std::string_view message) {
    Named described;
    ProtoFields fields(message);
    while (fields.next()) {
      switch (fields.field()) {
        case 1: described.track = fields.number(); break;
        case 2: case 10: case 13: described.name = fields.bytes(); break;
        case 3:
          described.isProcess = true;
          described.pid = processDescriptor(fields.bytes());
          break;
        case 4:
          described.isThread = true;
          threadDescriptor(fields.bytes(), &described.pid, &described.tid);
          break;
        case 5: described.parent = fields.number(); break;
        case 8: describeCounter(&described, fields.bytes()); break;
        default: break;
      }
    }
    Named* track = trackOf(described.track);
    if (track == nullptr) {
      out_.fault(Fault::kManyTracks);
      return;
    }
    // What was found before its description stays.
    described.sum = track->sum;
    described.sumEpoch = track->sumEpoch;
    described.place = track->place;
    described.counters.swap(track->counters);
    *track = std::move(described);
  }

  static void describeCounter(Named* track, std::string_view message) {
    ProtoFields fields(message);
    while (fields.next()) {
      switch (fields.field()) {
        case 1:  // counters of the recorder
          track->builtIn = fields.number() == 1 ? "thread time" : fields.number() == 2 ? "thread instructions" : "";
          if (fields.number() == 1) track->unit = "ns";
          break;
        case 3:
          track->unit = fields.number() == 1 ? "ns" : fields.number() == 2 ? "" : fields.number() == 3 ? "bytes" : "";
          break;
        case 4: track->unitFactor = fields.number(); break;
        case 5: track->isIncremental = fields.number() != 0; break;
        case 6: track->unit = fields.bytes(); break;
        default: break;
      }
    }
  }

  void readEvent(std::string_view body) {
    Event& event = event_;
    event.clear();
    ProtoFields fields(body);
    while (fields.next()) {
      switch (fields.field()) {
        case 4: out_.attribute("debug annotations").read++, out_.attribute("debug annotations").left++; break;
        case 6: legacy(fields.bytes()); break;
        case 9: event.type = fields.number(); break;
        case 10: event.nameId = fields.number(), event.hasName = true; break;
        case 11: event.track = fields.number(), event.hasTrack = true; break;
        case 12: numbers(fields, &event.extraValues); break;
        case 23: event.name = fields.bytes(); break;
        case 30: event.integer = static_cast<int64_t>(fields.number()), event.hasInteger = true; break;
        case 31: numbers(fields, &event.extraTracks); break;
        case 44: {
          const uint64_t bits = fields.number();
          memcpy(&event.real, &bits, sizeof bits);
          event.hasReal = true;
          break;
        }
        case 36: case 47: flowIds(fields, &event.flows); break;
        case 42: case 48: flowIds(fields, &event.endingFlows); break;
        case 3: case 22: break;  // categories
        default: {
          Count& attribute = out_.attribute("TrackEvent field " + std::to_string(fields.field()));
          attribute.read++, attribute.left++;
        }
      }
    }
  }

  // Fixed numbers can be packed too.
  static void flowIds(const ProtoFields& field, std::vector<uint64_t>* ids) {
    const std::string_view packed = field.bytes();
    if (packed.empty() || field.field() < 47) return numbers(field, ids);
    for (size_t at = 0; at + 8 <= packed.size(); at += 8) {
      uint64_t id;
      memcpy(&id, packed.data() + at, sizeof id);
      ids->push_back(id);
    }
  }

  void legacy(std::string_view message) {
    ProtoFields fields(message);
    while (fields.next()) {
      if (fields.field() == 1) event_.legacyName = fields.number();
      if (fields.field() == 2) event_.legacyPhase = static_cast<char>(fields.number());
      if (fields.field() == 3) event_.legacyDurationUs = static_cast<int64_t>(fields.number());
      if (fields.field() > 4) {
        Count& attribute = out_.attribute("LegacyEvent field " + std::to_string(fields.field()));
        attribute.read++, attribute.left++;
      }
    }
  }

  Type typeOf(const Event& event, bool* isKnown) const {
    *isKnown = true;
    switch (event.type) {
      case 1: return Type::kBegin;
      case 2: return Type::kEnd;
      case 3: return Type::kMark;
      case 4: return Type::kValue;
      default: break;
    }
    switch (event.legacyPhase) {
      case 'B': return Type::kBegin;
      case 'E': return Type::kEnd;
      case 'X': return Type::kSlice;
      case 'I': case 'i': case 'R': return Type::kMark;
      default: *isKnown = false; return Type::kMark;
    }
  }

  void trackEvent(Sequence* state, std::string_view body, bool hasTime, int64_t ns) {
    readEvent(body);
    const Event& event = event_;
    bool isKnown;
    const Type type = typeOf(event, &isKnown);
    const char* called = eventName(event.type);
    const bool isShown = event.legacyPhase >= ' ' && event.legacyPhase <= '~';
    Count& kind = out_.kind(called != nullptr ? called
                                              : "TrackEvent legacy " + (isShown ? std::string(1, event.legacyPhase) : "?"));
    kind.read++;
    Fault fault = Fault::kNoTime;
    if (!isKnown) {
      kind.left++;
      if (event.legacyPhase == '\0') out_.fault(Fault::kNoPhase);
      return;
    }
    if (!hasTime || !add(state, type, ns, &fault)) {
      kind.left++;
      out_.fault(fault);
    }
  }

  bool add(Sequence* state, Type type, int64_t ns, Fault* fault) {
    const Event& event = event_;
    *fault = Fault::kBadTime;
    if (ns <= -kMostNs || ns >= kMostNs) return false;
    const bool isDuration = event.legacyDurationUs >= 0 && event.legacyDurationUs < kMostNs / 1000;
    if (type == Type::kSlice && !isDuration) return false;
    *fault = Fault::kManyTracks;
    const uint64_t uuid = event.hasTrack ? event.track : state->track;
    Named* track = trackOf(uuid);
    if (track == nullptr) return false;
    extraCounters(*state, ns);
    if (type == Type::kValue) {
      *fault = Fault::kNoValue;
      return value(*state, track, ns, event.hasReal ? event.real : static_cast<double>(event.integer),
                   event.hasReal || event.hasInteger);
    }
    uint32_t place = Timeline::kNone;
    if (uuid == 0) {  // the thread that writes the sequence
      const uint32_t process = out_.process(state->pid);
      place = process == Timeline::kNone ? process : out_.thread(process, state->tid);
    } else {
      if (track->place == Timeline::kNone) track->place = out_.lane(out_.process(0), "");
      place = track->place;
    }
    if (place == Timeline::kNone) return false;
    const uint64_t duration = type == Type::kSlice ? static_cast<uint64_t>(event.legacyDurationUs) * 1000 : 0;
    out_.tracks[place].add({ns, duration, nameOf(*state, type), type});
    for (const uint64_t id : event.flows) out_.flow(id, place, ns, Timeline::FlowStep::kStep);
    for (const uint64_t id : event.endingFlows) out_.flow(id, place, ns, Timeline::FlowStep::kEnd);
    return true;
  }

  uint32_t nameOf(const Sequence& state, Type type) {
    if (!event_.name.empty()) return out_.name(event_.name);
    const uint64_t id = event_.hasName ? event_.nameId : event_.legacyName;
    const auto known = state.names.find(id);
    if (id != 0 && known != state.names.end()) return known->second;
    if (type == Type::kEnd) return kNoName;
    if (id != 0) return out_.name("[name " + std::to_string(id) + "]");  // the packet that gives it is lost
    out_.fault(Fault::kNoName);
    return out_.name("[no name]");
  }

  static bool value(const Sequence& state, Named* track, int64_t ns, double value, bool hasValue) {
    if (!hasValue || value != value) return false;
    value *= static_cast<double>(track->unitFactor);
    if (track->isIncremental) {  // from 0 after each clearing
      if (track->sumEpoch != state.epoch) track->sum = 0;
      track->sumEpoch = state.epoch;
      value = track->sum += value;
    }
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    track->counters.push_back({ns, bits, 0, Type::kValue});
    return true;
  }

  void extraCounters(const Sequence& state, int64_t ns) {
    const std::vector<uint64_t>& names = event_.extraTracks.empty() ? state.extraCounters : event_.extraTracks;
    for (size_t i = 0; i < event_.extraValues.size(); i++) {
      Named* counter = i < names.size() ? trackOf(names[i]) : nullptr;
      const auto number = static_cast<double>(static_cast<int64_t>(event_.extraValues[i]));
      if (counter == nullptr || !value(state, counter, ns, number, true)) out_.fault(Fault::kNoValue);
    }
  }

  // Descriptions can come after events: only now it is known where these belong.
  void resolveTracks() {
    for (auto& [uuid, track] : tracks_) {
      const uint32_t process = processOf(uuid);
      if (process == Timeline::kNone) continue;
      if (!track.counters.empty()) {
        const auto parent = tracks_.find(track.parent);
        const bool isOfThread = parent != tracks_.end() && parent->second.isThread;
        const uint32_t thread = isOfThread ? out_.thread(process, parent->second.tid) : Timeline::kNone;
        const std::string& name = track.name.empty() ? track.builtIn : track.name;
        const uint32_t metric = out_.metric(name.empty() ? "[no name]" : name, track.unit);
        for (Record& record : track.counters) {
          record.name = metric;
          if (thread == Timeline::kNone) {
            out_.processes[process].counters.push_back(record);
          } else {
            out_.tracks[thread].add(record);
          }
        }
        std::vector<Record>().swap(track.counters);
      }
      if (track.place == Timeline::kNone) continue;
      Track& place = out_.tracks[track.place];
      place.process = process;
      if (track.isThread) {
        place.isThread = true;
        place.tid = track.tid;
        out_.unite(track.place, out_.thread(process, track.tid));
      }
      if (place.name.empty()) place.name = track.name;
    }
  }

  uint32_t processOf(uint64_t uuid) {
    for (int i = 0; i < kMostParents; i++) {
      const auto known = tracks_.find(uuid);
      if (known == tracks_.end() || uuid == 0) break;
      if (known->second.isThread || known->second.isProcess) return out_.process(known->second.pid);
      uuid = known->second.parent;
    }
    return out_.process(0);
  }

  ByteSource& in_;
  const std::string& path_;
  Timeline& out_;
  const std::function<void()>& progress_;
  std::string packet_;
  ProtoClocks clocks_;
  uint64_t epochs_ = 0;
  std::unordered_map<uint32_t, Sequence> sequences_;
  std::map<uint64_t, Named> tracks_;
  Event event_;
};

}  // namespace

bool readProto(ByteSource* source, const std::string& path, Timeline* timeline, const std::function<void()>& progress) {
  return ProtoReader(source, path, timeline, progress).read();
}

}  // namespace parallax::perfetto
