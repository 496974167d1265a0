#include "bench/study_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/study_text.h"

namespace parallax::bench {
namespace {

constexpr double kPanelWidth = 470, kPanelHeight = 380, kLeft = 70, kTop = 50, kGap = 60, kLegendWidth = 190;
// Colours that people who see no red or green can tell apart (Okabe and Ito 2008), then the same with dashes.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
constexpr size_t kColourCount = sizeof kColours / sizeof *kColours;
constexpr double kRounding = 1.001;

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart), most_(chart.most), least_(chart.least) {
    for (const ChartPanel& panel : chart.panels) {
      for (const ChartLine& line : panel.lines) {
        for (const double x : line.beyond) include(x);
        for (const ChartPoint& point : line.points) {
          include(point.x);
          most_ = std::max({most_, point.y, point.high});
          least_ = std::min({least_, point.y, point.low});
        }
      }
    }
    if (xMost_ < xLeast_) xLeast_ = xMost_ = 1;
    // Whole decades above.
    most_ = std::pow(10, std::ceil(std::log10(most_)));
    least_ = std::max(least_ * 0.9, chart.floor);
  }

  std::string svg() {
    double left = kLeft;
    for (const ChartPanel& panel : chart_.panels) {
      axes(left, panel.title);
      for (size_t line = 0; line < panel.lines.size(); line++) draw(left, panel.lines[line], line);
      left += kPanelWidth + kGap;
      if (panel.hasLegend) {
        legend(left - kGap + 15, panel.lines);
        left += kLegendWidth - kGap / 2;
      }
    }
    const double height = kTop + kPanelHeight + 70;
    return format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                  "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" "
                  "fill=\"white\"/>\n", left, height) + text_ + "</svg>\n";
  }

 private:
  void include(double x) {
    xMost_ = std::max(xMost_, x);
    xLeast_ = std::min(xLeast_, x);
  }

  double x(double left, double value) const {
    constexpr double kMargin = 0.3;
    return left + kPanelWidth * (std::log2(value / xLeast_) + kMargin) / (std::log2(xMost_ / xLeast_) + 2 * kMargin);
  }

  double y(double value) const {
    const double position = std::log(std::max(value, least_) / least_) / std::log(most_ / least_);
    return kTop + kPanelHeight * (1 - position);
  }

  void axes(double left, const std::string& title) {
    text_ += format("<text x=\"%.1f\" y=\"%.1f\" font-size=\"15\">%s</text>\n", left, kTop - 18, title.c_str());
    text_ += format("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#888\"/>\n", left,
                    kTop, kPanelWidth, kPanelHeight);
    for (double decade = std::pow(10, std::floor(std::log10(least_))); decade <= most_ * kRounding; decade *= 10) {
      for (const double value : {decade, 2 * decade, 5 * decade}) {
        if (value > most_ * kRounding || value < least_) continue;
        text_ += format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", left, y(value),
                        left + kPanelWidth, y(value), value == 1 ? "#444" : "#ddd");
        text_ += format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", left - 6, y(value) + 4, value);
      }
    }
    for (double value = xLeast_; value <= xMost_ * kRounding; value *= chart_.xStep) {
      text_ += format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g</text>\n", x(left, value),
                      kTop + kPanelHeight + 18, value);
    }
    text_ += format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", left + kPanelWidth / 2,
                    kTop + kPanelHeight + 40, chart_.xTitle.c_str());
    text_ += format("<text transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>\n", left - 45,
                    kTop + kPanelHeight / 2, chart_.yTitle.c_str());
  }

  static std::string stroke(size_t line) {
    return format("stroke=\"%s\" stroke-width=\"2\"%s", kColours[line % kColourCount],
                  line >= kColourCount ? " stroke-dasharray=\"6 4\"" : "");
  }

  void draw(double left, const ChartLine& line, size_t number) {
    // Beyond the upper edge, beside each other.
    for (const double value : line.beyond) {
      const double at = x(left, value) + 4 * (static_cast<double>(number) - 3);
      text_ += format("<path d=\"M%.1f %.1f l-4 8 h8 z\" fill=\"%s\"><title>%s: %s</title></path>\n", at, kTop - 4,
                      kColours[number % kColourCount], line.name.c_str(), line.beyondText.c_str());
    }
    if (line.points.empty()) return;
    std::string path;
    for (const ChartPoint& point : line.points) path += format(" %.1f,%.1f", x(left, point.x), y(point.y));
    text_ += "<polyline fill=\"none\" " + stroke(number) + " points=\"" + path.substr(1) + "\"/>\n";
    for (const ChartPoint& point : line.points) {
      const double at = x(left, point.x);
      text_ += format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", at, y(point.y),
                      kColours[number % kColourCount]);
      if (point.high > point.low) {
        text_ += format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", at, y(point.low), at,
                        y(point.high), kColours[number % kColourCount]);
      }
    }
  }

  void legend(double left, const std::vector<ChartLine>& lines) {
    double top = kTop + 10;
    for (size_t i = 0; i < lines.size(); i++, top += 20) {
      text_ += format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", left, top, left + 26, top,
                      stroke(i).c_str());
      text_ += format("<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", left + 34, top + 4, lines[i].name.c_str());
    }
  }

  const Chart& chart_;
  double most_, least_;
  double xMost_ = 0, xLeast_ = std::numeric_limits<double>::infinity();
  std::string text_;
};

}  // namespace

std::string svgOf(const Chart& chart) { return Drawing(chart).svg(); }

}  // namespace parallax::bench
