// The definitions of an OTF2 archive, as the import needs them.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace parallax::otf2 {

struct RegionDefinition {
  std::string name, file;
  uint32_t beginLine = 0;
  OTF2_RegionRole role = OTF2_REGION_ROLE_UNKNOWN;
  OTF2_Paradigm paradigm = OTF2_PARADIGM_UNKNOWN;
  OTF2_StringRef nameRef = OTF2_UNDEFINED_STRING, canonicalRef = OTF2_UNDEFINED_STRING, fileRef = OTF2_UNDEFINED_STRING;
};

struct LocationDefinition {
  OTF2_LocationRef ref = OTF2_UNDEFINED_LOCATION;
  std::string name;
  OTF2_LocationType type = OTF2_LOCATION_TYPE_UNKNOWN;
  uint64_t events = 0;  // as the archive says
  OTF2_StringRef nameRef = OTF2_UNDEFINED_STRING;
};

struct GroupDefinition {
  OTF2_GroupType type = OTF2_GROUP_TYPE_UNKNOWN;
  OTF2_Paradigm paradigm = OTF2_PARADIGM_UNKNOWN;
  OTF2_GroupFlag flags = OTF2_GROUP_FLAG_NONE;
  std::vector<uint64_t> members;
};

struct CommunicatorDefinition {
  std::string name;
  OTF2_GroupRef group = OTF2_UNDEFINED_GROUP;
  OTF2_GroupRef remoteGroup = OTF2_UNDEFINED_GROUP;  // of an intercommunicator: its second group
  OTF2_StringRef nameRef = OTF2_UNDEFINED_STRING;
};

struct WindowDefinition {
  std::string name;
  OTF2_CommRef communicator = OTF2_UNDEFINED_COMM;
  OTF2_StringRef nameRef = OTF2_UNDEFINED_STRING;
};

struct MetricMember {
  std::string name, unit;
  OTF2_MetricMode mode = OTF2_METRIC_ABSOLUTE_POINT;
  OTF2_Type type = OTF2_TYPE_UINT64;
  OTF2_Base base = OTF2_BASE_DECIMAL;
  int64_t exponent = 0;
  OTF2_StringRef nameRef = OTF2_UNDEFINED_STRING, unitRef = OTF2_UNDEFINED_STRING;
};

struct AttributeDefinition {
  std::string name;
  OTF2_Type type = OTF2_TYPE_NONE;
  OTF2_StringRef nameRef = OTF2_UNDEFINED_STRING;
};

struct ParameterDefinition {
  std::string name;
  OTF2_ParameterType type = OTF2_PARAMETER_TYPE_INT64;
  OTF2_StringRef nameRef = OTF2_UNDEFINED_STRING;
};

// An open file, socket or directory.
struct IoHandleDefinition {
  OTF2_StringRef name = OTF2_UNDEFINED_STRING;
  OTF2_IoFileRef file = OTF2_UNDEFINED_IO_FILE;
  OTF2_IoHandleRef parent = OTF2_UNDEFINED_IO_HANDLE;  // through which this one was opened, as POSIX by MPI
};

struct CallingContext {
  OTF2_RegionRef region = OTF2_UNDEFINED_REGION;
  OTF2_CallingContextRef parent = OTF2_UNDEFINED_CALLING_CONTEXT;
};

// A process of the trace: a location group with its locations, and those of its accelerators.
struct ProcessDefinition {
  OTF2_LocationGroupRef group = OTF2_UNDEFINED_LOCATION_GROUP;
  std::string name, host;
  std::vector<LocationDefinition> locations;  // thread i of the process is location i
  int64_t rank = -1;  // in MPI_COMM_WORLD, -1 for none
};

class Archive {
 public:
  // Reads the global definitions. Returns an empty string, or why there is nothing that can be read.
  std::string read(OTF2_Reader* reader);

  uint64_t tickHz = 0, globalOffset = 0, length = 0;
  uint64_t realtimeNs = OTF2_UNDEFINED_TIMESTAMP;  // of the global offset
  std::unordered_map<OTF2_RegionRef, RegionDefinition> regions;
  std::unordered_map<OTF2_GroupRef, GroupDefinition> groups;
  std::unordered_map<OTF2_CommRef, CommunicatorDefinition> communicators;
  std::unordered_map<OTF2_RmaWinRef, WindowDefinition> windows;
  std::unordered_map<OTF2_MetricMemberRef, MetricMember> metricMembers;
  std::unordered_map<OTF2_MetricRef, std::vector<OTF2_MetricMemberRef>> metricClasses;  // and instances
  std::unordered_map<OTF2_CallingContextRef, CallingContext> contexts;
  std::map<OTF2_AttributeRef, AttributeDefinition> attributes;
  std::unordered_map<OTF2_ParameterRef, ParameterDefinition> parameters;
  std::unordered_map<OTF2_IoFileRef, OTF2_StringRef> files;
  std::unordered_map<OTF2_IoHandleRef, IoHandleDefinition> ioHandles;
  uint32_t sampleHz = 0;  // 0 if no timer takes samples
  OTF2_InterruptGeneratorRef sampleGenerator = OTF2_UNDEFINED_INTERRUPT_GENERATOR;  // the fastest timer
  std::vector<ProcessDefinition> processes;
  uint32_t worldSize = 0;  // ranks of MPI, 0 for none
  OTF2_CommRef world = OTF2_UNDEFINED_COMM;
  // Definitions that name others which are not there, and what else is wrong with them.
  std::vector<std::string> warnings;
  // Definitions that have no counterpart in the trace, by name.
  std::map<std::string, uint64_t> leftOut;

  const std::string& text(OTF2_StringRef ref) const;
  bool hasText(OTF2_StringRef ref) const { return strings_.count(ref) > 0; }
  // The location of each rank of MPI.
  const std::vector<uint64_t>& rankLocations() const { return rankLocations_; }
  bool hasAttribute(OTF2_AttributeRef ref, const char* name) const;

 private:
  struct SystemNode { OTF2_StringRef name, className; OTF2_SystemTreeNodeRef parent; };
  struct LocationGroup { OTF2_StringRef name; OTF2_LocationGroupType type; OTF2_SystemTreeNodeRef parent;
                         OTF2_LocationGroupRef creator; };
  struct Instance { OTF2_MetricRef self, metricClass; };
  friend struct ArchiveReader;

  void resolve();
  void resolveNames();
  std::string hostOf(OTF2_SystemTreeNodeRef node) const;
  void buildProcesses();
  void findRanks();

  std::unordered_map<OTF2_StringRef, std::string> strings_;
  std::unordered_map<OTF2_SystemTreeNodeRef, SystemNode> nodes_;
  std::map<OTF2_LocationGroupRef, LocationGroup> locationGroups_;
  std::map<OTF2_LocationGroupRef, std::vector<LocationDefinition>> locations_;
  std::vector<Instance> instances_;
  std::vector<uint64_t> rankLocations_;
  uint64_t undefinedStrings_ = 0;
};

}  // namespace parallax::otf2
