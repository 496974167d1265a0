#include "tests/live/tuned_program.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace parallax::tests {

bool soon(const std::function<bool()>& holds) {
  for (int i = 0; i < 10000; i++) {
    if (holds()) return true;
    usleep(2000);
  }
  return false;
}

TunedProgram::~TunedProgram() {
  if (pid_ == 0) return;
  kill(pid_, SIGKILL);
  endOf(pid_);
}

void TunedProgram::start(const Words& command, bool record) {
  mkdir(gates().c_str(), 0700);
  mkdir(pages().c_str(), 0700);
  Words words = record ? recorded(trace(), {}, {"--quiet"}) : Words{};
  if (record) {
    words.insert(words.begin(), {"env", "PARALLAX_TUNE=" + pages()});
  } else {
    words = {"env", "PARALLAX_TUNE=" + pages(), "LD_PRELOAD=" + agent()};
  }
  words.insert(words.end(), command.begin(), command.end());
  pid_ = tests::start(words);
}

void TunedProgram::open(const std::string& gate) const { std::ofstream(gates() + "/" + gate).close(); }

std::string TunedProgram::awaited(const std::string& name) const {
  const std::string path = gates() + "/" + name;
  EXPECT_TRUE(soon([&] { return access(path.c_str(), F_OK) == 0; })) << name;
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::map<int, live::MonitoredPage> TunedProgram::awaitPages(const std::string& program, size_t count) const {
  std::map<int, live::MonitoredPage> found;
  soon([&] {
    found.clear();
    for (const auto& file : std::filesystem::directory_iterator(pages())) {
      if (file.path().extension() != live::kEnding) continue;
      live::MonitoredPage page;
      if (!page.open(file.path()).empty()) continue;
      if (std::filesystem::path(page.program()).filename() != program) continue;
      const int pid = page.header().pid;
      found[pid] = std::move(page);
    }
    return found.size() == count;
  });
  EXPECT_EQ(count, found.size());
  return found;
}

live::MonitoredPage TunedProgram::awaitPage(const std::string& program) const {
  auto all = awaitPages(program, 1);
  return all.empty() ? live::MonitoredPage() : std::move(all.begin()->second);
}

int TunedProgram::end() {
  const int status = endOf(pid_);
  pid_ = 0;
  return status;
}

live::Answer answerTo(live::MonitoredPage& page, const live::AskedAction& action) {
  EXPECT_EQ("", page.ask(action));
  std::vector<live::Answer> answers;
  EXPECT_TRUE(soon([&] {
    answers = page.takeAnswers();
    return !answers.empty();
  })) << "no answer";
  if (answers.empty()) return {};
  EXPECT_EQ(action.id, answers[0].id);
  return answers[0];
}

}  // namespace parallax::tests
