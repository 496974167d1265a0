#include "tools/otf2/export_names.h"

namespace parallax::otf2 {


namespace {

bool startsWith(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

OTF2_RegionRole roleOfMpi(const std::string& name) {
  if (has(name, "arrier")) return OTF2_REGION_ROLE_BARRIER;
  if (startsWith(name, "MPI_File_")) return OTF2_REGION_ROLE_FILE_IO;
  if (startsWith(name, "MPI_Win_") || has(name, "_accumulate") || has(name, "_Accumulate") || has(name, "Put") ||
      has(name, "MPI_Get") || has(name, "MPI_Rget")) {
    return OTF2_REGION_ROLE_RMA;
  }
  if (has(name, "cast") || has(name, "catter")) return OTF2_REGION_ROLE_COLL_ONE2ALL;
  if (has(name, "lltoall") || has(name, "llgather") || has(name, "llreduce") || has(name, "educe_scatter")) {
    return OTF2_REGION_ROLE_COLL_ALL2ALL;
  }
  if (has(name, "ather") || has(name, "educe")) return OTF2_REGION_ROLE_COLL_ALL2ONE;
  if (has(name, "can") && !has(name, "ancel")) return OTF2_REGION_ROLE_COLL_OTHER;
  if (has(name, "end") || has(name, "ecv") || has(name, "robe")) return OTF2_REGION_ROLE_POINT2POINT;
  return OTF2_REGION_ROLE_FUNCTION;
}

OTF2_RegionRole roleOfOpenMp(const std::string& name) {
  if (has(name, "implicit barrier")) return OTF2_REGION_ROLE_IMPLICIT_BARRIER;
  if (has(name, "barrier")) return OTF2_REGION_ROLE_BARRIER;
  if (has(name, "critical")) return OTF2_REGION_ROLE_CRITICAL;
  if (has(name, "taskwait") || has(name, "taskgroup")) return OTF2_REGION_ROLE_TASK_WAIT;
  if (has(name, "parallel") || has(name, "teams")) return OTF2_REGION_ROLE_PARALLEL;
  if (has(name, "task")) return OTF2_REGION_ROLE_TASK_CREATE;
  return OTF2_REGION_ROLE_FUNCTION;
}

}  // namespace

OTF2_StringRef ExportNames::string(const std::string& text) {
  const auto [found, isNew] = strings_.try_emplace(text, static_cast<OTF2_StringRef>(strings_.size()));
  if (isNew) check(OTF2_GlobalDefWriter_WriteString(writer_, found->second, text.c_str()));
  return found->second;
}

OTF2_RegionRef ExportNames::region(const std::string& key, const std::string& name, OTF2_RegionRole role,
                                   OTF2_Paradigm paradigm, const std::string& file, uint32_t line) {
  const auto [found, isNew] = regions_.try_emplace(key, static_cast<OTF2_RegionRef>(regions_.size()));
  if (!isNew) return found->second;
  const OTF2_StringRef shown = string(name), none = string("");
  const OTF2_StringRef source = file.empty() ? OTF2_UNDEFINED_STRING : string(file);
  check(OTF2_GlobalDefWriter_WriteRegion(writer_, found->second, shown, shown, none, role, paradigm,
                                         OTF2_REGION_FLAG_NONE, source, line, 0));
  return found->second;
}

OTF2_RegionRef ExportNames::function(const std::string& name, const std::string& file, uint32_t line, bool isSampled) {
  return region("f" + name + '\0' + file + '\0' + std::to_string(line), name, OTF2_REGION_ROLE_FUNCTION,
                isSampled ? OTF2_PARADIGM_SAMPLING : OTF2_PARADIGM_COMPILER, file, line);
}

OTF2_RegionRef ExportNames::routine(const std::string& name, format::Group group) {
  OTF2_RegionRole role = OTF2_REGION_ROLE_FUNCTION;
  OTF2_Paradigm paradigm = OTF2_PARADIGM_UNKNOWN;
  switch (group) {
    case format::Group::kMpi:
      role = roleOfMpi(name);
      paradigm = OTF2_PARADIGM_MPI;
      break;
    case format::Group::kPthread:
      if (name == "pthread_create") role = OTF2_REGION_ROLE_THREAD_CREATE;
      if (name == "pthread_join") role = OTF2_REGION_ROLE_THREAD_WAIT;
      paradigm = OTF2_PARADIGM_PTHREAD;
      break;
    case format::Group::kOpenMp:
      role = roleOfOpenMp(name);
      paradigm = OTF2_PARADIGM_OPENMP;
      break;
    case format::Group::kStream:
    case format::Group::kFile:
      role = OTF2_REGION_ROLE_FILE_IO;
      break;
    case format::Group::kAgent:
      role = OTF2_REGION_ROLE_ARTIFICIAL;
      paradigm = OTF2_PARADIGM_MEASUREMENT_SYSTEM;
      break;
    case format::Group::kUser:
    case format::Group::kPhase:
      paradigm = OTF2_PARADIGM_USER;
      break;
    case format::Group::kProcess:
    case format::Group::kPvm:
      break;
  }
  return region("r" + std::to_string(static_cast<int>(group)) + name, name, role, paradigm, "", 0);
}

OTF2_CallingContextRef ExportNames::context(OTF2_CallingContextRef parent, OTF2_RegionRef region,
                                            const std::string& file, uint32_t line) {
  OTF2_SourceCodeLocationRef place = OTF2_UNDEFINED_SOURCE_CODE_LOCATION;
  if (!file.empty() && line > 0) {
    const auto [found, isNew] = places_.try_emplace(file + '\0' + std::to_string(line),
                                                    static_cast<OTF2_SourceCodeLocationRef>(places_.size()));
    place = found->second;
    if (isNew) check(OTF2_GlobalDefWriter_WriteSourceCodeLocation(writer_, place, string(file), line));
  }
  const std::string key = std::to_string(parent) + ' ' + std::to_string(region) + ' ' + std::to_string(place);
  const auto [found, isNew] = contextRefs_.try_emplace(key, static_cast<OTF2_CallingContextRef>(contexts_.size()));
  if (isNew) {
    check(OTF2_GlobalDefWriter_WriteCallingContext(writer_, found->second, region, place, parent));
    contexts_.push_back({parent, depth(parent) + 1});
  }
  return found->second;
}

OTF2_MetricRef ExportNames::metric(const std::string& name, const std::string& unit, format::MetricKind kind,
                                   format::MetricType type) {
  const bool isGauge = kind == format::MetricKind::kGauge, isDouble = type == format::MetricType::kDouble;
  const std::string key = name + '\0' + unit + (isGauge ? 'g' : 'c') + (isDouble ? 'd' : 'u');
  const auto [found, isNew] = metrics_.try_emplace(key, static_cast<OTF2_MetricRef>(metrics_.size()));
  if (isNew) {
    const OTF2_MetricMemberRef member = found->second;
    check(OTF2_GlobalDefWriter_WriteMetricMember(writer_, member, string(name), string(""), OTF2_METRIC_TYPE_USER,
                                                 isGauge ? OTF2_METRIC_ABSOLUTE_POINT : OTF2_METRIC_ACCUMULATED_START,
                                                 isDouble ? OTF2_TYPE_DOUBLE : OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0,
                                                 string(unit)));
    check(OTF2_GlobalDefWriter_WriteMetricClass(writer_, found->second, 1, &member, OTF2_METRIC_ASYNCHRONOUS,
                                                OTF2_RECORDER_KIND_CPU));
  }
  return found->second;
}

OTF2_GroupRef ExportNames::group(OTF2_GroupType type, OTF2_Paradigm paradigm, const std::vector<uint64_t>& members) {
  groups_.push_back({type, paradigm, members});
  return static_cast<OTF2_GroupRef>(groups_.size() - 1);
}

OTF2_CommRef ExportNames::communicator(const std::string& name, OTF2_GroupRef group) {
  return intercommunicator(name, group, OTF2_UNDEFINED_GROUP);
}

OTF2_CommRef ExportNames::intercommunicator(const std::string& name, OTF2_GroupRef first, OTF2_GroupRef second) {
  communicators_.push_back({name, first, second});
  return static_cast<OTF2_CommRef>(communicators_.size() - 1);
}

void ExportNames::writeCommunicators() {
  for (uint32_t i = 0; i < groups_.size(); i++) {
    const Group& group = groups_[i];
    check(OTF2_GlobalDefWriter_WriteGroup(writer_, i, string(""), group.type, group.paradigm, OTF2_GROUP_FLAG_NONE,
                                          static_cast<uint32_t>(group.members.size()), group.members.data()));
  }
  for (uint32_t i = 0; i < communicators_.size(); i++) {
    const Communicator& each = communicators_[i];
    const OTF2_StringRef name = string(each.name);
    check(each.second == OTF2_UNDEFINED_GROUP
              ? OTF2_GlobalDefWriter_WriteComm(writer_, i, name, each.first, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE)
              : OTF2_GlobalDefWriter_WriteInterComm(writer_, i, name, each.first, each.second, OTF2_UNDEFINED_COMM,
                                                    OTF2_COMM_FLAG_NONE));
  }
}

void ExportNames::generator(uint32_t sampleHz) {
  constexpr uint64_t kNsPerSecond = 1'000'000'000;
  check(OTF2_GlobalDefWriter_WriteInterruptGenerator(writer_, 0, string("samples"), OTF2_INTERRUPT_GENERATOR_MODE_TIME,
                                                     OTF2_BASE_DECIMAL, -9, kNsPerSecond / sampleHz));
}

}  // namespace parallax::otf2
