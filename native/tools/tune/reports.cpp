#include "tools/tune/reports.h"

#include <string.h>

#include <nlohmann/json.hpp>

namespace parallax::tuning {
namespace {

using Json = nlohmann::ordered_json;

// Paths may be no UTF-8.
std::string lineOf(const Json& object) { return object.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json jsonOf(const Number& number) {
  return std::visit([](auto value) { return Json(value); }, number);
}

}  // namespace

Number numberOf(live::ValueType type, uint64_t bits) {
  switch (type) {
    case live::ValueType::kU32:
    case live::ValueType::kU64: return bits;
    case live::ValueType::kF32:
    case live::ValueType::kF64: {
      double value;
      memcpy(&value, &bits, sizeof value);
      return value;
    }
    default: return static_cast<int64_t>(bits);
  }
}

Told readReport(const std::string& line) {
  Told told;
  const Json object = Json::parse(line, nullptr, false);
  if (!object.is_object()) return told;
  const auto text = [&](const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
  };
  const auto number = [&](const char* name, int64_t otherwise) {
    const auto found = object.find(name);
    return found != object.end() && found->is_number_integer() ? found->get<int64_t>() : otherwise;
  };
  const std::string type = text("type");
  told.isHost = type == "host";
  told.isProcess = type == "process";
  told.isAction = type == "action";
  told.isMetrics = type == "metrics";
  told.host = text("host");
  told.event = text(told.isAction ? "state" : "event");
  told.facts = {static_cast<int>(number("pid", 0)), text("program"), text("task"), text("library"), static_cast<int>(number("rank", -1))};
  told.id = static_cast<uint64_t>(number("id", 0));
  told.timeNs = static_cast<uint64_t>(number("time", 0));
  return told;
}

std::string Reports::hello(int pid, const std::string& secret) const {
  return lineOf({{"type", "hello"}, {"version", kProtocolVersion}, {"host", host_}, {"pid", pid}, {"secret", secret}});
}

std::string Reports::hostEvent(const std::string& host, const char* event, const std::string& architecture) const {
  return lineOf({{"type", "host"}, {"host", host}, {"event", event}, {"arch", architecture}});
}

std::string Reports::process(const ProcessFacts& facts, const char* event, uint64_t timeNs, std::optional<int> status) const {
  Json line{{"type", "process"}, {"host", host_}, {"pid", facts.pid}, {"event", event}, {"program", facts.program}};
  if (facts.rank >= 0) line["rank"] = facts.rank;
  if (!facts.task.empty()) line["task"] = facts.task;
  if (!facts.library.empty()) line["library"] = facts.library;
  line["time"] = timeNs;
  if (status) line["status"] = *status;
  return lineOf(line);
}

std::string Reports::metrics(int pid, uint64_t timeNs, const std::vector<Metric>& metrics) const {
  Json points = Json::array();
  for (const Metric& metric : metrics) {
    points.push_back({{"point", metric.point}, {"key", metric.key}, {"count", metric.count}, {"bytes", metric.bytes},
                      {"bytes2", metric.squares}, {"ns", metric.ns}, {"least", metric.leastNs}, {"most", metric.mostNs}});
  }
  return lineOf({{"type", "metrics"}, {"host", host_}, {"pid", pid}, {"time", timeNs}, {"points", std::move(points)}});
}

std::string Reports::tunables(int pid, const std::vector<Tunable>& tunables) const {
  Json variables = Json::array();
  for (const Tunable& tunable : tunables) {
    variables.push_back({{"name", tunable.name}, {"value", jsonOf(tunable.value)}, {"least", jsonOf(tunable.least)}, {"most", jsonOf(tunable.most)}});
  }
  return lineOf({{"type", "tunables"}, {"host", host_}, {"pid", pid}, {"variables", std::move(variables)}});
}

std::string Reports::action(int pid, const Answer& answer, uint64_t timeNs) const {
  Json line{{"type", "action"}, {"host", host_}, {"pid", pid}, {"id", answer.id}, {"state", answer.state}};
  if (answer.result) line["result"] = jsonOf(*answer.result);
  if (answer.old) line["old"] = jsonOf(*answer.old);
  if (!answer.text.empty()) line["text"] = answer.text;
  line["time"] = timeNs;
  return lineOf(line);
}

std::string Reports::problem(const std::string& text, uint64_t line) const {
  Json object{{"type", "problem"}, {"host", host_}, {"text", text}};
  if (line > 0) object["line"] = line;
  return lineOf(object);
}

std::string Reports::ready() const { return lineOf({{"type", "ready"}, {"host", host_}}); }

std::string Reports::status(int pid, int status) const {
  return lineOf({{"type", "status"}, {"host", host_}, {"pid", pid}, {"status", status}});
}

std::string Reports::end(int status, uint64_t timeNs) const {
  return lineOf({{"type", "end"}, {"status", status}, {"time", timeNs}});
}

}  // namespace parallax::tuning
