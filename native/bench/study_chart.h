// Charts of studies: SVG that needs nothing outside it.
#pragma once

#include <string>
#include <vector>

namespace parallax::bench {

struct ChartPoint {
  double x, y, low, high;  // the interval is drawn where it is longer than nothing
};

struct ChartLine {
  std::string name;
  std::vector<ChartPoint> points;
  std::vector<double> beyond = {};  // places of points above the upper edge
  std::string beyondText = {};      // why they are there
};

struct ChartPanel {
  std::string title;
  std::vector<ChartLine> lines;
  bool hasLegend = true;
};

// Panels beside each other whose axes are the same, both logarithmic.
struct Chart {
  std::string xTitle, yTitle;
  std::vector<ChartPanel> panels;
  double xStep;          // from one label of the axis to the next, which is so many times as large
  double least = 1, most = 1;  // values that are on the vertical axis in any case
  double floor = 0;            // what is less lies on the lower edge
};

std::string svgOf(const Chart& chart);

}  // namespace parallax::bench
