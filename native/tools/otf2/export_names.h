// The definitions of an archive that is written: each is written when it is first asked for.
#pragma once

#include <otf2/otf2.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "format/format.h"

namespace parallax::otf2 {

class ExportNames {
 public:
  explicit ExportNames(OTF2_GlobalDefWriter* writer) : writer_(writer) {}

  OTF2_StringRef string(const std::string& text);
  // A function of the program.
  OTF2_RegionRef function(const std::string& name, const std::string& file, uint32_t line, bool isSampled);
  // An intercepted routine, or what stands for time of the agent.
  OTF2_RegionRef routine(const std::string& name, format::Group group);
  // `line` is that of the call, or where the sample found the thread.
  OTF2_CallingContextRef context(OTF2_CallingContextRef parent, OTF2_RegionRef region, const std::string& file,
                                 uint32_t line);
  uint32_t depth(OTF2_CallingContextRef context) const {
    return context == OTF2_UNDEFINED_CALLING_CONTEXT ? 0 : contexts_[context].depth;
  }
  OTF2_CallingContextRef parent(OTF2_CallingContextRef context) const { return contexts_[context].parent; }
  // The class of a metric, which is its only member.
  OTF2_MetricRef metric(const std::string& name, const std::string& unit, format::MetricKind kind,
                        format::MetricType type);
  // Groups and communicators are written at the end: readers expect the locations before them.
  OTF2_GroupRef group(OTF2_GroupType type, OTF2_Paradigm paradigm, const std::vector<uint64_t>& members);
  OTF2_CommRef communicator(const std::string& name, OTF2_GroupRef group);
  OTF2_CommRef intercommunicator(const std::string& name, OTF2_GroupRef first, OTF2_GroupRef second);
  void writeCommunicators();
  void generator(uint32_t sampleHz);

  OTF2_GlobalDefWriter* writer() const { return writer_; }
  // The first error of the library.
  OTF2_ErrorCode error() const { return error_; }
  void check(OTF2_ErrorCode code) {
    if (error_ == OTF2_SUCCESS) error_ = code;
  }

 private:
  struct Context {
    OTF2_CallingContextRef parent;
    uint32_t depth;
  };
  struct Group {
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    std::vector<uint64_t> members;
  };
  struct Communicator {
    std::string name;
    OTF2_GroupRef first, second;
  };
  OTF2_RegionRef region(const std::string& key, const std::string& name, OTF2_RegionRole role, OTF2_Paradigm paradigm,
                        const std::string& file, uint32_t line);

  OTF2_GlobalDefWriter* writer_;
  OTF2_ErrorCode error_ = OTF2_SUCCESS;
  std::unordered_map<std::string, OTF2_StringRef> strings_;
  std::unordered_map<std::string, OTF2_RegionRef> regions_;
  std::unordered_map<std::string, OTF2_SourceCodeLocationRef> places_;
  std::unordered_map<std::string, OTF2_CallingContextRef> contextRefs_;
  std::vector<Context> contexts_;
  std::unordered_map<std::string, OTF2_MetricRef> metrics_;
  std::vector<Group> groups_;
  std::vector<Communicator> communicators_;
};

}  // namespace parallax::otf2
