#include "tools/otf2/report.h"

#include "tools/conversion/import_report.h"

namespace parallax::otf2 {
namespace {

// Each follows the number of records.
constexpr const char* kFaultTexts[kFaults] = {
    " call paths end in a region that is not defined: it is shown as [region NUMBER]",
    " ends of regions that had not begun were left out",
    " regions ended before regions inside of them, which were ended with them",
    " records have an earlier time than the one before in their location: the time of that one was taken",
    " records name a communicator that is not defined, and were left out",
    " records name a rank that their communicator does not have, and were left out",
    " records name a communicator to which their process does not belong, and were left out",
    " metric values have no definition, and were left out",
    " non-blocking operations never complete, or their beginning is not recorded: they have no part in waits",
    " collectives have no sizes: nobody waits in them for data",
    " collectives and synchronizations are of an unknown kind, and were left out",
    " creations and joins name a thread that did not begin in this process, and were left out",
    " ends of teams of threads that had not begun were left out",
    " records name a calling context that is not defined, and were left out",
    " collectives were called by another thread than the one before on the communicator: their order between "
    "threads is not known, and matches can be wrong",
    " releases of locks have no order, and were left out: nobody waits for them",
    " records name a window that is not defined, and were left out",
    " samples were taken inside of calls, whose time is measured, and were left out",
    " records name a parameter that is not defined, and were left out",
    " parameters have texts beyond the 100000 different ones that a process can have, and were left out",
    " records name a file that is not defined, and were left out",
    " records name a group that is not defined, and were left out",
    " samples were taken by another generator than the fastest timer, and were left out: both speak for the same time",
};

}  // namespace

std::vector<std::string> describe(const Counts& counts) {
  std::vector<std::string> sentences;
  for (size_t i = 0; i < kFaults; i++) {
    if (counts.faults[i] > 0) sentences.push_back(std::to_string(counts.faults[i]) + kFaultTexts[i]);
  }
  return sentences;
}

std::string formatReport(const Archive& archive, const std::string& format, const std::string& path,
                         const WorkerResult& result, const std::vector<std::string>& warnings) {
  const Counts& counts = result.counts;
  conversion::ImportReport report(format, path);
  for (size_t i = 0; i < kRecordTypes; i++) {
    if (counts.read[i] > 0) report.record(kRecordNames[i], counts.read[i], counts.left[i]);
  }
  for (const auto& [ref, count] : result.attributes) {
    const auto known = archive.attributes.find(ref);
    const bool isNamed = known != archive.attributes.end() && !known->second.name.empty();
    report.attribute(isNamed ? known->second.name : "[attribute " + std::to_string(ref) + "]", count.read, count.left);
  }
  for (const auto& [name, count] : archive.leftOut) report.definition(name, count);
  for (const std::string& warning : warnings) report.warning(warning);
  return report.text();
}

}  // namespace parallax::otf2
