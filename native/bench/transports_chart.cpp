// The chart of transports: an SVG without anything outside it.
#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

#include "bench/transports_paper.h"
#include "bench/transports_tables.h"

namespace parallax::bench {
namespace {

constexpr double kPanelWidth = 470, kPanelHeight = 380, kLeft = 70, kTop = 50, kGap = 60, kLegendWidth = 190;
// Colours that people who see no red or green can tell apart (Okabe and Ito 2008), then the same with dashes.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
constexpr size_t kColourCount = sizeof kColours / sizeof *kColours;

std::string format(const char* pattern, ...) {
  char text[600];
  va_list arguments;
  va_start(arguments, pattern);
  vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

struct Point {
  int processes;
  double ratio, low, high;
};

struct Line {
  std::string name;
  std::vector<Point> points;
  std::vector<int> ended;  // process counts at which it took too long
};

class Chart {
 public:
  Chart(const TransportSettings& settings, const Results& results) : settings_(settings) {
    for (const std::string& store : settings.stores) {
      std::vector<Line> lines;
      for (const std::string& mode : settings.modes) lines.push_back(measured(results, store, mode));
      panels_.push_back(lines);
    }
    panels_.push_back(paper());
    for (const auto& panel : panels_) {
      for (const Line& line : panel) {
        for (const int processes : line.ended) mostCount_ = std::max(mostCount_, processes);
        for (const Point& point : line.points) {
          mostRatio_ = std::max({mostRatio_, point.ratio, point.high});
          leastRatio_ = std::min({leastRatio_, point.ratio, point.low});
          mostCount_ = std::max(mostCount_, point.processes);
          leastCount_ = std::min(leastCount_, point.processes);
        }
      }
    }
    // Whole decades, half a decade at least below.
    mostRatio_ = std::pow(10, std::ceil(std::log10(mostRatio_)));
    leastRatio_ = std::max(leastRatio_ * 0.9, 0.1);
  }

  std::string svg() {
    const double width = kLeft + static_cast<double>(panels_.size()) * (kPanelWidth + kGap) + kLegendWidth * 2;
    const double height = kTop + kPanelHeight + 70;
    text_ = format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                   "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" "
                   "fill=\"white\"/>\n", width, height);
    double left = kLeft;
    for (size_t i = 0; i < panels_.size(); i++) {
      const bool isPaper = i == settings_.stores.size();
      const std::string title = isPaper ? "The paper, class " + std::string(1, paperSize())
          : "Here, " + settings_.stores[i] + " store, class " + settings_.classes.front();
      axes(left, title);
      for (size_t line = 0; line < panels_[i].size(); line++) draw(left, panels_[i][line], line);
      left += kPanelWidth + kGap;
      if (isPaper || i + 1 == settings_.stores.size()) {
        legend(left - kGap + 15, panels_[i]);
        left += kLegendWidth - kGap / 2;
      }
    }
    return text_ + "</svg>\n";
  }

 private:
  char paperSize() const { return settings_.classes.front() == "B" ? 'B' : 'A'; }

  Line measured(const Results& results, const std::string& store, const std::string& mode) const {
    Line line{mode, {}, {}};
    for (const int processes : settings_.processes) {
      const Cell cell = {settings_.classes.front(), processes, store, mode};
      const Estimate e = results.increaseOf(cell, "wall_ns");
      if (results.isTooLong(cell)) line.ended.push_back(processes);
      if (!std::isfinite(e.median)) continue;
      const bool hasInterval = std::isfinite(e.low) && std::isfinite(e.high);
      line.points.push_back({processes, 1 + e.median, 1 + (hasInterval ? e.low : e.median),
                             1 + (hasInterval ? e.high : e.median)});
    }
    return line;
  }

  std::vector<Line> paper() const {
    std::vector<Line> lines;
    double plain = 1;
    for (const PaperTime& time : paperTimes()) {
      if (time.size != paperSize()) continue;
      const std::string name = time.column;
      if (name == kPaperPlain) {
        plain = time.seconds;
        continue;
      }
      auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& known) { return known.name == name; });
      if (line == lines.end()) line = lines.insert(lines.end(), {name, {}, {}});
      const double ratio = time.seconds / plain;
      line->points.push_back({time.processes, ratio, ratio, ratio});
    }
    return lines;
  }

  double x(double left, double processes) const {
    return left + kPanelWidth * (std::log2(processes / leastCount_) + 0.3) /
        (std::log2(static_cast<double>(mostCount_) / leastCount_) + 0.6);
  }

  double y(double ratio) const {
    const double position = std::log(std::max(ratio, leastRatio_) / leastRatio_) / std::log(mostRatio_ / leastRatio_);
    return kTop + kPanelHeight * (1 - position);
  }

  void axes(double left, const std::string& title) {
    text_ += format("<text x=\"%.1f\" y=\"%.1f\" font-size=\"15\">%s</text>\n", left, kTop - 18, title.c_str());
    text_ += format("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#888\"/>\n", left,
                    kTop, kPanelWidth, kPanelHeight);
    for (double decade = 1; decade <= mostRatio_ * 1.001; decade *= 10) {
      for (const double ratio : {decade, 2 * decade, 5 * decade}) {
        if (ratio > mostRatio_ * 1.001) continue;
        text_ += format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", left, y(ratio),
                        left + kPanelWidth, y(ratio), ratio == 1 ? "#444" : "#ddd");
        text_ += format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", left - 6, y(ratio) + 4, ratio);
      }
    }
    for (int processes = leastCount_; processes <= mostCount_; processes *= 2) {
      text_ += format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%d</text>\n", x(left, processes),
                      kTop + kPanelHeight + 18, processes);
    }
    text_ += format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">processes</text>\n", left + kPanelWidth / 2,
                    kTop + kPanelHeight + 40);
    text_ += format("<text transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\">time, by the time without "
                    "tracing</text>\n", left - 45, kTop + kPanelHeight / 2);
  }

  static std::string stroke(size_t line) {
    return format("stroke=\"%s\" stroke-width=\"2\"%s", kColours[line % kColourCount],
                  line >= kColourCount ? " stroke-dasharray=\"6 4\"" : "");
  }

  void draw(double left, const Line& line, size_t number) {
    // Beyond the upper edge, beside each other.
    for (const int processes : line.ended) {
      const double at = x(left, processes) + 4 * (static_cast<double>(number) - 3);
      text_ += format("<path d=\"M%.1f %.1f l-4 8 h8 z\" fill=\"%s\"><title>%s: ended after %d s</title></path>\n", at,
                      kTop - 4, kColours[number % kColourCount], line.name.c_str(), settings_.mostSeconds);
    }
    if (line.points.empty()) return;
    std::string path;
    for (const Point& point : line.points) path += format(" %.1f,%.1f", x(left, point.processes), y(point.ratio));
    text_ += format("<polyline fill=\"none\" %s points=\"%s\"/>\n", stroke(number).c_str(), path.c_str() + 1);
    for (const Point& point : line.points) {
      const double at = x(left, point.processes);
      text_ += format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", at, y(point.ratio),
                      kColours[number % kColourCount]);
      if (point.high > point.low) {
        text_ += format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", at, y(point.low), at,
                        y(point.high), kColours[number % kColourCount]);
      }
    }
  }

  void legend(double left, const std::vector<Line>& lines) {
    double top = kTop + 10;
    for (size_t i = 0; i < lines.size(); i++, top += 20) {
      text_ += format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", left, top, left + 26, top,
                      stroke(i).c_str());
      text_ += format("<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", left + 34, top + 4, lines[i].name.c_str());
    }
  }

  const TransportSettings& settings_;
  std::vector<std::vector<Line>> panels_;
  double mostRatio_ = 2, leastRatio_ = 1;
  int mostCount_ = 2, leastCount_ = 2;
  std::string text_;
};

}  // namespace

std::string transportChart(const TransportSettings& settings, const Results& results) {
  return Chart(settings, results).svg();
}

}  // namespace parallax::bench
