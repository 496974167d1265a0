#include "bench/variables_probe.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <sstream>
#include <utility>

namespace parallax::bench {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isOfName(char c) { return (c >= 'a' && c <= 'z') || isDigit(c) || c == '_'; }

// MPICH 4 leaves out the ends of lines in descriptions: a name follows the last word of the line before.
std::string withoutWordBefore(std::string name) {
  static const std::string kBefore[] = {"algorithm", "collectives", "primitives", "receives", "phase", "llgather", "ree"};
  for (const std::string& word : kBefore) {
    if (name.size() <= word.size() || name.compare(0, word.size(), word) != 0) continue;
    name.erase(0, word.size());
    if (name.compare(0, 6, "ssched") == 0) name.erase(0, 1);  // "algorithms"
    return name;
  }
  const std::string kGeneral = "mpir";
  if (name.size() > kGeneral.size() && name.compare(name.size() - kGeneral.size(), kGeneral.size(), kGeneral) == 0) return kGeneral;
  return name;
}

class Parser {
 public:
  Probe parse(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const size_t space = line.find(' ');
      const std::string key = line.substr(0, space);
      take(key, space == std::string::npos ? "" : line.substr(space + 1));
    }
    if (!isComplete_) probe_.failure = "the probe ended before the last variable";
    return std::move(probe_);
  }

 private:
  void take(const std::string& key, const std::string& text) {
    if (key == "library") probe_.version = versionOf(text);
    if (key == "complete") isComplete_ = true;
    if (key == "variable") {
      now_ = Variable();
      step_.clear();
      description_.clear();
    }
    const std::pair<const char*, std::string*> fields[] = {
        {"name", &now_.name}, {"type", &now_.type}, {"scope", &now_.scope}, {"bind", &now_.bind}, {"value", &now_.value},
        {"write", &now_.writable}, {"read_back", &now_.readBack}, {"step", &step_}, {"description", &description_}};
    for (const auto& [name, field] : fields) {
      if (key == name) *field = text;
    }
    if (key == "read") now_.readable = text == Access::kYes ? text : Access::kNo;
    if (key == "read" && text != Access::kYes) now_.end = text;
    if (key == "item") takeItem(text);
    if (key == "ended") end(text);
  }

  void takeItem(const std::string& text) {
    char* rest = nullptr;
    const long long number = strtoll(text.c_str(), &rest, 10);
    now_.items.push_back({number, *rest == ' ' ? rest + 1 : ""});
  }

  void end(const std::string& text) {
    if (now_.name.empty()) return;  // its number is not used
    if (text != "well") {
      now_.end = text;
      std::string& column = step_ == "write" ? now_.writable : step_ == "read-back" ? now_.readBack : now_.readable;
      column = text == Access::kHang ? Access::kHang : Access::kCrash;
    }
    if (now_.items.empty()) now_.items = itemsOfDescription(description_);
    probe_.variables.push_back(now_);
    now_ = Variable();
  }

  Probe probe_;
  Variable now_;
  std::string step_, description_;
  bool isComplete_ = false;
};

}  // namespace

bool Variable::isCrash() const {
  for (const std::string* word : {&readable, &writable, &readBack}) {
    if (*word == Access::kCrash || *word == Access::kHang) return true;
  }
  return false;
}

Probe parseProbe(const std::string& text) { return Parser().parse(text); }

void addEarly(const Probe& early, Probe* probe) {
  static constexpr char kEarly[] = ", if MPI_T is initialized before MPI_Init";
  std::map<std::string, Variable*> known;
  for (Variable& variable : probe->variables) known[variable.name] = &variable;
  std::vector<Variable> more;
  for (const Variable& variable : early.variables) {
    const auto found = known.find(variable.name);
    if (found == known.end()) {
      more.push_back(variable);
      more.back().isEarlyOnly = true;
      if (variable.isCrash()) more.back().end += kEarly;
    } else if (variable.isCrash() && !found->second->isCrash()) {
      found->second->readable = variable.readable;
      found->second->writable = variable.writable;
      found->second->readBack = variable.readBack;
      found->second->end = variable.end + kEarly;
    }
  }
  probe->variables.insert(probe->variables.end(), more.begin(), more.end());
}

std::string versionOf(const std::string& library) {
  const auto begin = std::find_if(library.begin(), library.end(), isDigit);
  const auto end = std::find_if(begin, library.end(), [](char c) { return !isDigit(c) && !isalpha(c) && c != '.'; });
  return std::string(begin, end);
}

std::vector<Item> itemsOfDescription(const std::string& description) {
  std::vector<Item> items;
  for (size_t dash = 0; (dash = description.find(" - ", dash)) != std::string::npos; dash++) {
    size_t end = dash;
    while (end > 0 && description[end - 1] == ' ') end--;
    size_t begin = end;
    while (begin > 0 && isOfName(description[begin - 1])) begin--;
    if (begin == end) continue;
    items.push_back({static_cast<long long>(items.size()), withoutWordBefore(description.substr(begin, end - begin))});
  }
  if (items.size() < 2) items.clear();
  return items;
}

}  // namespace parallax::bench
