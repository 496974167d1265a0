#include "tools/otf2/export_check.h"

#include <errno.h>
#include <otf2/otf2.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parallax::otf2 {
namespace {

bool readAll(const std::string& anchor, const std::vector<uint64_t>& events) {
  OTF2_Reader* reader = OTF2_Reader_Open(anchor.c_str());
  if (reader == nullptr) return false;
  OTF2_Reader_SetSerialCollectiveCallbacks(reader);
  uint64_t expected = 0, count = 0;
  OTF2_Reader_GetNumberOfGlobalDefinitions(reader, &expected);
  OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
  if (definitions == nullptr ||
      OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count) != OTF2_SUCCESS || count != expected) {
    return false;
  }
  for (uint64_t location = 0; location < events.size(); location++) OTF2_Reader_SelectLocation(reader, location);
  if (OTF2_Reader_OpenEvtFiles(reader) != OTF2_SUCCESS) return false;
  for (uint64_t location = 0; location < events.size(); location++) {
    OTF2_EvtReader* each = OTF2_Reader_GetEvtReader(reader, location);
    if (each == nullptr || OTF2_Reader_ReadAllLocalEvents(reader, each, &count) != OTF2_SUCCESS ||
        count != events[location]) {
      return false;
    }
    OTF2_Reader_CloseEvtReader(reader, each);
  }
  return true;
}

}  // namespace

bool isComplete(const std::string& anchor, const std::vector<uint64_t>& events) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    _exit(readAll(anchor, events) ? 0 : 1);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace parallax::otf2
