// parallax-monitor on a machine whose answers are planted, and on this one.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "tests/temporary_directory.h"
#include "tools/monitor_machine.h"

namespace parallax::monitor {
namespace {

using Values = std::map<std::string, double>;

Values named(const std::vector<double>& values) {
  Values result;
  for (size_t i = 0; i < values.size(); i++) result[Machine::metrics()[i].name] = values[i];
  return result;
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class PlantedMachine : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    const std::string path = root_ / name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << text;
  }
  void writeStat(int iowait) {
    write("proc/stat", "cpu  1000 100 300 5000 " + std::to_string(iowait) + " 20 30 7 0 0\n"
                       "cpu0 500 50 150 2500 200 10 15 3 0 0\nintr 123456 0 0 7\nctxt 777\n"
                       "btime 1\nprocesses 9\nprocs_running 3\nprocs_blocked 2\n");
  }

  TemporaryDirectory root_;
};

TEST_F(PlantedMachine, WhatItTellsIsReadToTheDigit) {
  write("proc/loadavg", "1.25 0.50 0.10 2/300 4711\n");
  writeStat(400);
  write("proc/meminfo", "MemTotal:       1000 kB\nMemFree:   100 kB\nMemAvailable:  600 kB\n"
                        "Dirty:            12 kB\n");
  write("proc/vmstat", "pgpgin 11\npgpgout 12\npswpin 3\npswpout 4\npgfault 55\npgmajfault 6\n");
  write("proc/diskstats",
        "   7 0 loop0 1 2 3 4 5 6 7 8 9 10 11\n"
        " 254 0 vda 10 0 2000 0 20 0 4000 0 0 1500 0 0 0\n"
        " 254 1 vda1 10 0 2000 0 20 0 4000 0 0 1500 0 0 0\n"
        " 253 0 dm-0 10 0 2000 0 20 0 4000 0 0 1500 0 0 0\n"
        "   8 0 sda 1 0 2 0 3 0 4 0 0 500 0\n");
  for (const char* disk : {"loop0", "vda", "sda"}) {
    std::filesystem::create_directories(root_ / ("sys/block/" + std::string(disk) + "/slaves"));
  }
  write("sys/block/dm-0/slaves/vda", "");
  write("proc/net/dev", "Inter-|   Receive\n face |bytes packets\n"
                        "    lo: 99 0 0 0 0 0 0 0 99 0 0 0 0 0 0 0\n"
                        "  eth0:100 1 0 0 0 0 0 0 200 2 0 0 0 0 0 0\n"
                        "  eth1: 10 1 0 0 0 0 0 0 20 2 0 0 0 0 0 0\n"
                        "   br0: 100 1 0 0 0 0 0 0 200 2 0 0 0 0 0 0\n");
  write("sys/class/net/br0/lower_eth0/x", "");
  Machine machine(root_.path());
  const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  const Values expected = {
      {"load", 1.25}, {"cpu-user", 1100 * tick}, {"cpu-system", 350 * tick},
      {"cpu-idle", 5000 * tick}, {"cpu-iowait", 400 * tick}, {"cpu-steal", 7 * tick},
      {"context-switches", 777}, {"interrupts", 123456}, {"processes-running", 3},
      {"processes-blocked", 2}, {"memory-used", 400 * 1024}, {"memory-dirty", 12 * 1024},
      {"page-faults", 55}, {"major-page-faults", 6}, {"paged-in", 11 * 1024},
      {"paged-out", 12 * 1024}, {"pages-swapped-in", 3}, {"pages-swapped-out", 4},
      {"disk-reads", 11}, {"disk-writes", 23}, {"disk-read", 2002 * 512},
      {"disk-written", 4004 * 512}, {"disk-busy", 2}, {"network-received", 110},
      {"network-sent", 220}};
  const Values found = named(machine.read());
  ASSERT_EQ(expected.size(), found.size());
  for (const auto& [name, value] : expected) EXPECT_NEAR(value, found.at(name), 1e-9) << name;

  // The kernel takes time at I/O back now and then.
  writeStat(390);
  EXPECT_NEAR(400 * tick, named(machine.read()).at("cpu-iowait"), 1e-9);
}

TEST_F(PlantedMachine, WhatItDoesNotTellIsNotKnown) {
  write("proc/loadavg", "0.50 0.50 0.10 2/300 4711\n");
  write("proc/vmstat", "pgfault many\n");
  Machine machine(root_.path());
  for (const auto& [name, value] : named(machine.read())) {
    if (name == "load") {
      EXPECT_EQ(0.5, value);
    } else {
      EXPECT_TRUE(std::isnan(value)) << name;
    }
  }
}

// ---- the program

class Monitor : public testing::Test {
 protected:
  pid_t start(std::vector<const char*> arguments) {
    output_ = scratch_ / "series";
    unlink(output_.c_str());
    const pid_t pid = fork();
    if (pid == 0) {
      const int fd = open(output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
      dup2(fd, STDOUT_FILENO);
      arguments.insert(arguments.begin(), PARALLAX_MONITOR);
      arguments.push_back(nullptr);
      execv(PARALLAX_MONITOR, const_cast<char**>(arguments.data()));
      _exit(127);
    }
    return pid;
  }

  // Waits for so many whole lines.
  void awaitLines(size_t lines) {
    for (int i = 0; i < 2000; i++) {
      const std::string text = contents(output_);
      if (static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) >= lines) return;
      usleep(5000);
    }
    FAIL() << "no " << lines << " lines within 10 s";
  }

  int end(pid_t pid, int signal, rusage* usage = nullptr) {
    rusage ignored;
    int status = -1;
    kill(pid, signal);
    wait4(pid, &status, 0, usage != nullptr ? usage : &ignored);
    return status;
  }

  // Head and readings; every line must be whole.
  void parse() {
    const std::string text = contents(output_);
    ASSERT_FALSE(text.empty());
    ASSERT_EQ('\n', text.back());
    std::istringstream lines(text);
    std::string line, word;
    std::getline(lines, line);
    ASSERT_EQ("parallax-series 1", line);
    while (std::getline(lines, line) && line != "data") {
      std::istringstream words(line);
      words >> word;
      if (word == "metric") {
        words >> word;
        names_.push_back(word);
      }
    }
    while (std::getline(lines, line)) {
      std::istringstream words(line);
      std::vector<double> values;
      while (words >> word) values.push_back(word == "-" ? NAN : std::stod(word));
      ASSERT_EQ(names_.size() + 1, values.size()) << line;
      readings_.push_back(values);
    }
    ASSERT_FALSE(readings_.empty());
  }

  double at(size_t reading, const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    return readings_[reading][static_cast<size_t>(found - names_.begin()) + 1];
  }
  double growth(const std::string& name) const {
    return at(readings_.size() - 1, name) - at(0, name);
  }

  TemporaryDirectory scratch_;
  std::string output_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> readings_;
};

TEST_F(Monitor, EndsWithACompleteLastLine) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    names_.clear();
    readings_.clear();
    const pid_t pid = start({"--hz", "0.01"});  // it sleeps when the signal comes
    awaitLines(Machine::metrics().size() + 5);
    const int status = end(pid, signal);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    parse();
    EXPECT_EQ(2u, readings_.size()) << "one at the begin, one at the end";
  }
}

TEST_F(Monitor, SeesAProcessThatBurnsCpu) {
  const pid_t pid = start({"--hz", "50"});
  awaitLines(Machine::metrics().size() + 5);
  timespec cpu{};
  do {
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  } while (cpu.tv_sec < 1);
  end(pid, SIGTERM);
  parse();
  const double tick = 0.01;
  EXPECT_GE(growth("cpu-user") + growth("cpu-system"), 1 - 4 * tick);
  const double processors = static_cast<double>(std::thread::hardware_concurrency());
  const double elapsed = readings_.back()[0] - readings_.front()[0];
  const double all = growth("cpu-user") + growth("cpu-system") + growth("cpu-idle") +
                     growth("cpu-iowait") + growth("cpu-steal");
  EXPECT_NEAR(processors * elapsed, all, 0.1 * processors * elapsed);
  EXPECT_GE(at(readings_.size() / 2, "processes-running"), 1);
  // Times are those of readings, 20 ms apart; others may hold up a few.
  EXPECT_NEAR(elapsed / 0.02, static_cast<double>(readings_.size()), 0.5 * elapsed / 0.02);
}

TEST_F(Monitor, SeesWhatIsWrittenToDisk) {
  constexpr size_t kBytes = 32 << 20;
  const pid_t pid = start({"--hz", "50"});
  awaitLines(Machine::metrics().size() + 5);
  std::string data(kBytes, 'x');
  for (size_t i = 0; i < data.size(); i += 512) data[i] = static_cast<char>(i >> 9);
  const int fd = open(PARALLAX_DISK_FILE, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ASSERT_EQ(static_cast<ssize_t>(kBytes), write(fd, data.data(), data.size()));
  ASSERT_EQ(0, fsync(fd));
  close(fd);
  unlink(PARALLAX_DISK_FILE);
  end(pid, SIGTERM);
  parse();
  if (!(growth("disk-written") > 0)) {
    double mostDirty = 0;
    for (size_t i = 0; i < readings_.size(); i++) {
      mostDirty = std::fmax(mostDirty, at(i, "memory-dirty") - at(0, "memory-dirty"));
    }
    if (mostDirty < kBytes / 2.0) {
      GTEST_SKIP() << "the build directory is on no disk that the kernel counts";
    }
  } else {
    EXPECT_GE(growth("disk-written"), kBytes);
    EXPECT_GE(growth("paged-out"), kBytes);
    EXPECT_GE(growth("disk-writes"), 1);
  }
}

TEST_F(Monitor, CostsLittle) {
  const pid_t pid = start({"--hz", "200"});
  usleep(1500000);
  rusage usage{};
  end(pid, SIGTERM, &usage);
  parse();
  const double seconds = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  const double perLineUs = 1e6 * seconds / static_cast<double>(readings_.size());
  RecordProperty("microsecondsPerLine", std::to_string(perLineUs));
  // 10 a second are then less than 1 % of a processor, on a machine under whatever load.
  EXPECT_LT(perLineUs, 1000);
}

TEST_F(Monitor, WrongUse) {
  for (const std::vector<const char*>& arguments :
       {std::vector<const char*>{"--hz", "0"}, {"--hz", "1001"}, {"--hz", "ten"}, {"--hz", "1x"},
        {"more"}, {"--unknown"}}) {
    const pid_t pid = start(arguments);
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(2, WEXITSTATUS(status)) << arguments.back();
    EXPECT_EQ("", contents(output_));
  }
}

// ---- the header for monitors

TEST_F(Monitor, TheHeaderForCWritesWhatTheGoldenSeriesHas) {
  const std::string file = scratch_ / "c";
  ASSERT_EQ(0, system((PARALLAX_SERIES_WRITER " > " + file).c_str()));
  EXPECT_EQ(contents(PARALLAX_GOLDEN_SERIES), contents(file));
  // And in a locale with a decimal comma, where there is one.
  for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8"}) {
    const int status = system((PARALLAX_SERIES_WRITER " " + std::string(locale) + " > " + file).c_str());
    if (WEXITSTATUS(status) == 77) continue;
    EXPECT_EQ(contents(PARALLAX_GOLDEN_SERIES), contents(file)) << locale;
  }
}

}  // namespace
}  // namespace parallax::monitor
