#include "bench/transports_tables.h"

#include <elf.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

#include "bench/peers_run.h"
#include "bench/study_text.h"
#include "bench/transports_paper.h"

namespace parallax::bench {
namespace {

const PaperMode* paperMode(const std::string& mode) {
  for (const PaperMode& known : kPaperModes) {
    if (mode == known.mode) return &known;
  }
  return nullptr;
}

double paperSeconds(int table, char size, int processes, const std::string& column) {
  for (const PaperTime& time : paperTimes()) {
    if (time.table == table && time.size == size && time.processes == processes && time.column == column) {
      return time.seconds;
    }
  }
  return 0;
}

// The paper has no classes S and W; class A stands beside them.
char paperClass(const std::string& size) { return size == "B" ? 'B' : 'A'; }

class Tables {
 public:
  Tables(const TransportSettings& settings, const Results& results, int processors)
      : settings_(settings), results_(results), processors_(processors) {}

  std::string all() {
    for (const std::string& size : settings_.classes) {
      times(size, 1, "Table 1: files on a file system of one node");
      times(size, 3, "Table 3: double buffering and asynchronous output, there on a parallel file system");
      times(size, 4, "Table 4: a writer in another process of each node");
      times(size, 0, "Modes that the paper does not have");
    }
    sizes();
    for (const std::string& size : settings_.classes) {
      memory(size);
      served(size);
    }
    return withoutTrailingSpaces(text_);
  }

 private:
  // Ours of this table, and the paper's that we lack.
  std::vector<std::pair<std::string, std::string>> rowsOf(int table) const {
    std::vector<std::pair<std::string, std::string>> rows;
    if (table != 0) rows.emplace_back(kUntraced, kPaperPlain);
    for (const std::string& mode : settings_.modes) {
      const PaperMode* known = paperMode(mode);
      if (table == (known == nullptr ? 0 : known->table)) rows.emplace_back(mode, known == nullptr ? "" : known->column);
    }
    for (const PaperTime& time : paperTimes()) {
      const bool isThere = std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
        return row.second == time.column;
      });
      if (time.table == table && !isThere) rows.emplace_back("", time.column);
    }
    return rows;
  }

  std::set<int> countsOf(int table, const std::string& size) const {
    std::set<int> counts(settings_.processes.begin(), settings_.processes.end());
    for (const PaperTime& time : paperTimes()) {
      if (time.table == table && time.size == paperClass(size)) counts.insert(time.processes);
    }
    return counts;
  }

  std::string countText(int processes) const {
    return std::to_string(processes) + (processes > processors_ ? "*" : " ");
  }

  void times(const std::string& size, int table, const char* title) {
    text_ += format("%s. Class %s%s\n", title, size.c_str(),
                    size == "A" || size == "B" ? "" : ", beside the paper's class A");
    text_ += format("%10s  %-14s %-10s %8s %9s", "processes", "mode", "paper", "s", "%");
    for (const std::string& store : settings_.stores) {
      text_ += format("   %9s %28s", (store + " s").c_str(), "% [95 % interval]");
    }
    text_ += '\n';
    for (const int processes : countsOf(table, size)) {
      for (const auto& [mode, column] : rowsOf(table)) row(size, table, processes, mode, column);
    }
    text_ += '\n';
  }

  void row(const std::string& size, int table, int processes, const std::string& mode, const std::string& column) {
    const double paper = paperSeconds(table, paperClass(size), processes, column);
    const double plain = paperSeconds(table, paperClass(size), processes, kPaperPlain);
    std::string cells;
    bool isOurs = false;
    for (const std::string& store : settings_.stores) {
      std::string seconds = "", increase = "";
      const Cell cell = mode == kUntraced ? untraced({size, processes, "", ""}) : Cell{size, processes, store, mode};
      if (const Estimate time = results_.estimateOf(cell.keys(), "wall_ns"); std::isfinite(time.median)) {
        seconds = format("%.4f", time.median / 1e9);
        if (mode != kUntraced) increase = increaseText(results_.increaseOf(cell, "wall_ns"));
      } else if (results_.isGivenUp(cell.keys())) {
        seconds = "ended";
        increase = "after " + std::to_string(settings_.mostSeconds) + " s";
      }
      isOurs = isOurs || !seconds.empty();
      cells += format("   %9s %28s", seconds.c_str(), increase.c_str());
    }
    if (!isOurs && paper == 0) return;
    const std::string count = isOurs ? countText(processes) : std::to_string(processes) + " ";
    text_ += format("%10s  %-14s %-10s %8s %9s%s\n", count.c_str(), mode.c_str(), column.c_str(),
                    paper > 0 ? format("%.2f", paper).c_str() : "",
                    paper > 0 && column != kPaperPlain ? shortNumber(100 * (paper / plain - 1)).c_str() : "", cells.c_str());
  }

  void sizes() {
    text_ += "Table 2: bytes of the loaded program\n";
    text_ += format("%-34s %10s %10s %10s %10s\n", "", ".text", ".data", ".bss", "total");
    for (const PaperLoad& load : kPaperLoads) {
      size(std::string("paper, ") + load.column, {load.text, load.data, load.bss});
    }
    const LoadSize program = loadSize(buildDirectory() + "/programs/integer_sort.openmpi");
    const LoadSize agent = loadSize(buildDirectory() + "/libparallax-agent.so");
    size("here, without tracing", program);
    size("here, with the agent, any mode",
         {program.text + agent.text, program.data + agent.data, program.bss + agent.bss});
    text_ += "Buffers are not in the loaded image here, but mapped when a thread begins. The next table has them.\n\n";
  }

  void size(const std::string& name, const LoadSize& load) {
    text_ += format("%-34s %10ld %10ld %10ld %10ld\n", name.c_str(), load.text, load.data, load.bss,
                    load.text + load.data + load.bss);
  }

  void memory(const std::string& size) {
    const std::string store = settings_.stores.front();
    text_ += format("Memory, page faults and trace of a process, class %s, %s store; the mean of the processes, the median of "
                    "the runs\n", size.c_str(), store.c_str());
    text_ += format("%10s  %-14s %12s %12s %14s %14s %14s %12s\n", "processes", "mode", "resident KB", "more KB",
                    "minor faults", "major faults", "trace bytes", "paper's");
    for (const int processes : settings_.processes) {
      const Cell plain = untraced({size, processes, "", ""});
      memoryRow(plain, plain);
      for (const std::string& mode : settings_.modes) memoryRow({size, processes, store, mode}, plain);
    }
    text_ += '\n';
  }

  double value(const Cell& cell, const char* figure) const {
    return median(results_.valuesOf(cell.keys(), figure));
  }

  bool isMeasured(const Cell& cell) const { return !results_.valuesOf(cell.keys(), "wall_ns").empty(); }

  // This does not depend on other load, as times do.
  void served(const std::string& size) {
    const auto& stores = settings_.stores;
    if (std::find(stores.begin(), stores.end(), Store::kContended) == stores.end()) return;
    text_ += format("What the contended store served for a process in a whole run, class %s; and the time that it takes for all\n"
                    "processes, during which they may or may not wait\n", size.c_str());
    text_ += format("%10s  %-14s %12s %14s %16s\n", "processes", "mode", "requests", "bytes", "all together s");
    for (const int processes : settings_.processes) {
      for (const std::string& mode : settings_.modes) {
        const Cell cell = {size, processes, Store::kContended, mode};
        if (!isMeasured(cell)) continue;
        text_ += format("%10s  %-14s %12.1f %14.0f %16.2f\n", countText(processes).c_str(), mode.c_str(),
                        value(cell, "store_requests"), value(cell, "store_bytes"),
                        value(cell, "store_busy_ns") * processes / 1e9);
      }
    }
    text_ += '\n';
  }

  void memoryRow(const Cell& cell, const Cell& plain) {
    if (!isMeasured(cell)) return;
    const bool isPlain = cell.mode == kUntraced;
    std::string bytes;
    for (const PaperBytes& paper : kPaperBytes) {
      if (paper.processes == cell.processes && !isPlain) bytes = std::to_string(paper.bytes);
    }
    text_ += format("%10s  %-14s %12.0f %12s %14.0f %14.0f %14s %12s\n", countText(cell.processes).c_str(),
                    cell.mode.c_str(), value(cell, "rss_kb"),
                    isPlain ? "" : format("%.0f", value(cell, "rss_kb") - value(plain, "rss_kb")).c_str(),
                    value(cell, "minor_faults"), value(cell, "major_faults"),
                    isPlain ? "" : format("%.0f", value(cell, "trace_bytes")).c_str(), bytes.c_str());
  }

  const TransportSettings& settings_;
  const Results& results_;
  const int processors_;
  std::string text_;
};

}  // namespace

std::string increaseText(const Estimate& increase) {
  if (!std::isfinite(increase.median)) return "";
  const std::string median = shortNumber(100 * increase.median);
  if (!std::isfinite(increase.low) || !std::isfinite(increase.high)) return median;
  return median + " [" + shortNumber(100 * increase.low) + ", " + shortNumber(100 * increase.high) + "]";
}

std::string transportTables(const TransportSettings& settings, const Results& results, int processors) {
  return Tables(settings, results, processors).all();
}

LoadSize loadSize(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(file), {}};
  LoadSize size;
  Elf64_Ehdr header;
  if (image.size() < sizeof header || memcmp(image.data(), ELFMAG, SELFMAG) != 0) return size;
  memcpy(&header, image.data(), sizeof header);
  for (unsigned i = 0; i < header.e_shnum; i++) {
    const size_t at = header.e_shoff + static_cast<size_t>(i) * header.e_shentsize;
    Elf64_Shdr section;
    if (at + sizeof section > image.size()) break;
    memcpy(&section, image.data() + at, sizeof section);
    if ((section.sh_flags & SHF_ALLOC) == 0) continue;
    const auto bytes = static_cast<long>(section.sh_size);
    if (section.sh_type == SHT_NOBITS) {
      size.bss += bytes;
    } else if ((section.sh_flags & SHF_WRITE) != 0) {
      size.data += bytes;
    } else {
      size.text += bytes;
    }
  }
  return size;
}

}  // namespace parallax::bench
