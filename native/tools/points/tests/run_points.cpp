#include "tools/points/tests/run_points.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/temporary_directory.h"

namespace parallax::points {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

std::string contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

template <class T>
T read(const std::string& bytes, size_t at) {
  T value = 0;
  if (at + sizeof value <= bytes.size()) memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// By ID, of all shards.
std::vector<uint64_t> readCounts(const std::string& path) {
  const std::string bytes = contentOf(path);
  const auto points = read<uint32_t>(bytes, 8), shards = read<uint32_t>(bytes, 12);
  std::vector<uint64_t> counts(points);
  constexpr size_t kHeader = 64, kShardHeader = 16, kCell = 32;
  for (size_t shard = 0; shard < shards; shard++) {
    const size_t start = kHeader + shard * (kShardHeader + points * kCell) + kShardHeader;
    for (size_t i = 0; i < points; i++) counts[i] += read<uint64_t>(bytes, start + i * kCell);
  }
  return counts;
}

}  // namespace

Output run(const std::vector<std::string>& command, const std::string& input,
           const std::vector<std::string>& environment) {
  TemporaryDirectory directory;
  std::ofstream(directory / "in") << input;
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> arguments;
    for (const std::string& argument : command) {
      arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    for (const std::string& variable : environment) putenv(const_cast<char*>(variable.c_str()));
    dup2(open((directory / "in").c_str(), O_RDONLY), STDIN_FILENO);
    dup2(open((directory / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  Output output;
  int status = 0;
  if (child > 0 && waitpid(child, &status, 0) == child) {
    output.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  output.text = contentOf(directory / "out");
  return output;
}

Perturbed runWithPoints(const std::vector<std::string>& command,
                        const std::vector<std::string>& options,
                        const std::vector<std::string>& places, const std::string& input) {
  TemporaryDirectory directory;
  Perturbed result;
  result.counts.resize(places.size());
  std::vector<std::string> tool = {PARALLAX_POINTS, "--plan", "--program", command[0]};
  tool.insert(tool.end(), options.begin(), options.end());
  tool.push_back("--");
  tool.insert(tool.end(), places.begin(), places.end());
  std::istringstream lines(run(tool, "", {}).text);
  std::ofstream plan(directory / "plan");
  plan << "parallax-perturb\t1\nresult\t" << (directory / "counts") << "\n";
  std::map<uint64_t, size_t> placeOf;  // by ID
  constexpr size_t kFactors = 4000;  // that an agent takes
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields = split(line);
    if (fields[0] == "problem") {
      result.problems.push_back(places[std::stoul(fields[1])] + ": " + fields[2]);
    } else if (fields[0] == "module") {
      plan << line << "\n";
    } else if (fields[0] == "point") {
      const size_t place = std::stoul(fields[2]);
      placeOf[std::stoul(fields[1])] = place;
      result.methods[fields[5]]++;
      fields[2] = std::to_string(place % kFactors);
      for (size_t i = 0; i < fields.size(); i++) plan << (i == 0 ? "" : "\t") << fields[i];
      plan << "\n";
    }
  }
  plan << "factor\t0\tnone\n";
  plan.close();
  result.output = run(command, input, {std::string("LD_PRELOAD=") + PARALLAX_AGENT,
                                       "PARALLAX_PERTURB=" + (directory / "plan")});
  const std::vector<uint64_t> counts = readCounts(directory / "counts");
  for (const auto& [id, place] : placeOf) {
    if (id < counts.size()) result.counts[place] += counts[id];
  }
  std::istringstream told(contentOf(directory / "counts.problems"));
  for (std::string line; std::getline(told, line);) result.problems.push_back("agent: " + line);
  return result;
}

}  // namespace parallax::points
