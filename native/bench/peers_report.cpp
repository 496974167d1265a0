#include "bench/peers_report.h"

#include <cmath>
#include <cstdio>

namespace parallax::bench {
namespace {

void printCosts(const Costs& costs) {
  printf("What an event costs, above the program without it (least: of many short rounds; mean: of "
         "all,\nwith buffers written and interruptions):\n\n");
  std::string group;
  for (const Cost& row : costs.rows) {
    if (row.group != group) {
      group = row.group;
      printf("%-40s %10s %10s %10s %8s\n", group.c_str(), "least ns", "mean ns", "ns/event",
             "B/event");
    }
    if (!row.failure.empty()) {
      printf("  %-38s %s\n", row.name.c_str(), ("not measured: " + row.failure).c_str());
      continue;
    }
    printf("  %-38s %10.1f %10.1f", row.name.c_str(), row.leastNs, row.meanNs);
    if (row.events > 0) printf(" %10.1f", row.meanNs / row.events);
    if (row.bytes > 0) printf(" %8.1f", row.bytes);
    printf("\n");
  }
  printf("%-40s %10.1f\n%-40s %10.1f\n\n", "a read of the clock, beginning of a routine",
         costs.clockBeginNs, "a read of the clock, end of a routine", costs.clockEndNs);
}

void printDilations(const Dilations& dilations) {
  printf("How much longer programs take, with the interval that holds the median of all runs with "
         "95 %%.\nIn turns: beside one without a tool, 20 ms each. Otherwise one after the other, "
         "and start\nis what starting and ending takes longer:\n\n");
  for (size_t i = 0; i < programs().size(); i++) {
    const Program& program = programs()[i];
    char title[64];
    snprintf(title, sizeof title, "%s: %.2f s", program.title, dilations.plainNs[i] / 1e9);
    printf("%-42s %-26s %-26s %-26s %9s\n", title, "CPU time, in turns", "CPU time", "wall time",
           "start ms");
    for (const Dilation& cell : dilations.cells) {
      if (cell.program != &program) continue;
      const std::string name =
          cell.tool->name + (cell.tool->wayFor(program)->small ? " (small)" : "");
      if (!cell.failure.empty()) {
        printf("  %-40s not measured: %s\n", name.c_str(), cell.failure.c_str());
        continue;
      }
      const std::string turns = cell.turns.empty() ? "" : percent(estimate(cell.turns));
      printf("  %-40s %-26s %-26s %-26s %9.0f\n", name.c_str(), turns.c_str(),
             percent(estimate(cell.cpu)).c_str(), percent(estimate(cell.wall)).c_str(),
             median(cell.startMs));
    }
  }
  printf("\n");
}

void printGoals(const std::vector<Goal>& goals) {
  printf("Goals:\n\n");
  for (const Goal& goal : goals) {
    printf("  %-12s %s: %s\n", wordFor(goal.verdict), goal.name.c_str(), goal.measured.c_str());
    if (!goal.reason.empty()) printf("  %-12s   %s\n", "", goal.reason.c_str());
  }
}

// ------------------------------------------------------------------- JSON

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) >= ' ') result += c;
  }
  return result + "\"";
}

std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string list(const std::vector<std::string>& items) {
  std::string result = "[";
  for (size_t i = 0; i < items.size(); i++) result += (i == 0 ? "\n    " : ",\n    ") + items[i];
  return result + "\n  ]";
}

std::string jsonOf(const Estimate& e) {
  return "{\"median\": " + number(e.median) + ", \"low\": " + number(e.low) +
         ", \"high\": " + number(e.high) + ", \"runs\": " + std::to_string(e.count) + "}";
}

std::string jsonOf(const Cost& row) {
  std::string text = "{\"what\": " + quoted(row.group) + ", \"by\": " + quoted(row.name);
  if (!row.failure.empty()) return text + ", \"failure\": " + quoted(row.failure) + "}";
  return text + ", \"leastNs\": " + number(row.leastNs) + ", \"meanNs\": " + number(row.meanNs) +
         ", \"events\": " + number(row.events) + ", \"bytesPerEvent\": " +
         (row.bytes > 0 ? number(row.bytes) : "null") + "}";
}

std::string jsonOf(const Dilation& cell) {
  std::string text = "{\"program\": " + quoted(cell.program->title) + ", \"under\": " +
                     quoted(cell.tool->name);
  if (!cell.failure.empty()) return text + ", \"failure\": " + quoted(cell.failure) + "}";
  if (!cell.turns.empty()) text += ", \"turns\": " + jsonOf(estimate(cell.turns));
  return text + ", \"cpu\": " + jsonOf(estimate(cell.cpu)) + ", \"wall\": " +
         jsonOf(estimate(cell.wall)) + ", \"startMs\": " + number(median(cell.startMs)) + "}";
}

std::string jsonOf(const SignalCost& signal) {
  return "{\"hz\": " + std::to_string(signal.hz) + ", \"ns\": " + jsonOf(signal.ns) + "}";
}

std::string jsonOf(const ShortLife& row) {
  const std::string text = "{\"what\": " + quoted(row.what) + ", \"under\": " + quoted(row.tool);
  if (!row.failure.empty()) return text + ", \"failure\": " + quoted(row.failure) + "}";
  return text + ", \"count\": " + std::to_string(row.count) + ", \"leastUs\": " +
         number(row.leastUs) + ", \"ratio\": " + number(row.ratio) + "}";
}

std::string jsonOf(const Goal& goal) {
  return "{\"goal\": " + quoted(goal.name) + ", \"verdict\": " + quoted(wordFor(goal.verdict)) +
         ", \"measured\": " + quoted(goal.measured) + ", \"reason\": " + quoted(goal.reason) + "}";
}

template <class T>
std::string jsonList(const std::vector<T>& items) {
  std::vector<std::string> texts;
  for (const T& item : items) texts.push_back(jsonOf(item));
  return list(texts);
}

}  // namespace

std::string percent(const Estimate& e) {
  char text[64];
  if (std::isfinite(e.low) && std::isfinite(e.high)) {
    snprintf(text, sizeof text, "%.2f %% [%.2f, %.2f]", 100 * e.median, 100 * e.low, 100 * e.high);
  } else {
    snprintf(text, sizeof text, "%.2f %% [few runs]", 100 * e.median);
  }
  return text;
}

void printEvents(const Result& result) {
  printf("%s\n%s\n", result.machine.c_str(), result.command.c_str());
  for (const std::string& version : result.versions) printf("  %s\n", version.c_str());
  printf("\n");
  printCosts(result.costs);
  printf("What a call path costs, in ns, by the depth of the stack:\n\n%s\n",
         result.paths.failure.empty() ? result.paths.table.c_str()
                                      : ("not measured: " + result.paths.failure + "\n").c_str());
  printf("What a signal of the timers costs when its handler does nothing, the least for a sample:\n\n");
  for (const SignalCost& signal : result.signals) {
    printf("  %4d Hz %31s", signal.hz, "");
    if (signal.ns.count == 0) {
      printf("not measured: the kernel refuses the timer\n");
    } else {
      printf("%6.1f us [%.1f, %.1f]\n", signal.ns.median / 1e3, signal.ns.low / 1e3,
             signal.ns.high / 1e3);
    }
  }
  printf("\n");
  fflush(stdout);
}

void printPrograms(const Result& result) {
  printDilations(result.dilations);
  if (!result.goals.empty()) printGoals(result.goals);
}

bool writeJson(const Result& result, const std::string& path) {
  FILE* file = fopen(path.c_str(), "w");
  if (file == nullptr) return false;
  fprintf(file, "{\n  \"machine\": %s,\n  \"command\": %s,\n", quoted(result.machine).c_str(),
          quoted(result.command).c_str());
  std::vector<std::string> versions;
  for (const std::string& version : result.versions) versions.push_back(quoted(version));
  fprintf(file, "  \"versions\": %s,\n", list(versions).c_str());
  if (result.paths.failure.empty()) {
    fprintf(file, "  \"callPathMostNs\": %s,\n", number(result.paths.mostNs).c_str());
  }
  fprintf(file, "  \"clockNs\": {\"beginning\": %s, \"end\": %s},\n",
          number(result.costs.clockBeginNs).c_str(), number(result.costs.clockEndNs).c_str());
  fprintf(file, "  \"signals\": %s,\n", jsonList(result.signals).c_str());
  fprintf(file, "  \"shortLives\": %s,\n", jsonList(result.shortLives).c_str());
  fprintf(file, "  \"costs\": %s,\n  \"dilations\": %s,\n  \"goals\": %s\n}\n",
          jsonList(result.costs.rows).c_str(), jsonList(result.dilations.cells).c_str(),
          jsonList(result.goals).c_str());
  return fclose(file) == 0;
}

}  // namespace parallax::bench
