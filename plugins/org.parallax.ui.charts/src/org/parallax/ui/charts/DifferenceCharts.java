package org.parallax.ui.charts;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Paint;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.eclipse.osgi.util.NLS;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.CategoryItemRendererState;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.renderer.xy.XYDifferenceRenderer;
import org.jfree.chart.renderer.xy.XYStepRenderer;
import org.jfree.chart.title.TextTitle;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.parallax.analysis.compare.ComparisonReport;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;

/** Charts of the differences of runs, as {@link ComparisonReport} has them. */
public final class DifferenceCharts {
  private static final int MOST_BARS = 16;
  /** Of the largest: what is less is no longer seen beside it. */
  private static final double LEAST_SHARE = 0.001;
  private static final int LONGEST_NAME = 36;
  /** Of the size of the font. */
  private static final double LINE_HEIGHT = 1.5;
  private static final int LINES_OF_AXES = 4;
  private static final float WHISKER = 1.4f;

  private DifferenceCharts() {
  }

  private record Bar(int index, Row row, double difference, double low, double high,
      String verdict) implements Comparable<Bar> {
    @Override
    public int compareTo(Bar other) {
      return Integer.compare(index, other.index);
    }

    @Override
    public String toString() {
      String name = row.name();
      return name.length() <= LONGEST_NAME ? name
          : name.substring(0, LONGEST_NAME - 1) + "\u2026";
    }
  }

  private static Color color(String verdict, ChartTheme theme) {
    return switch (verdict) {
      case "more" -> theme.slower();
      case "less" -> theme.faster();
      case "noise" -> theme.none();
      default -> theme.unsure();
    };
  }

  private static double number(Table table, Row row, String column, String part) {
    Object value = row.values().get(table.column(column + "." + part));
    return value instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  /**
   * The largest differences of a column, with the intervals in which they lie: as many as have room for
   * their names.
   *
   * @param column of {@link ComparisonReport#comparedColumns}
   */
  public static Drawing bars(Table table, String column, ChartTheme theme) {
    double line = LINE_HEIGHT * theme.font().getSize2D();
    return (graphics, width, height, info) -> {
      int most = (int) Math.max(1, Math.min(MOST_BARS, (height - LINES_OF_AXES * line) / line));
      Drawing.of(bars(table, column, most, theme)).draw(graphics, width, height, info);
    };
  }

  private static JFreeChart bars(Table table, String column, int most, ChartTheme theme) {
    List<Row> rows = table.rows().stream()
        .filter(row -> !Double.isNaN(number(table, row, column, "difference")))
        .sorted(Comparator.comparingDouble(
            (Row row) -> -Math.abs(number(table, row, column, "difference")))).toList();
    List<Bar> bars = new ArrayList<>();
    double largest = 0;
    double least = rows.isEmpty() ? 0
        : LEAST_SHARE * Math.abs(number(table, rows.get(0), column, "difference"));
    for (Row row : rows.subList(0, Math.min(most, rows.size()))) {
      if (Math.abs(number(table, row, column, "difference")) < least) {
        break;
      }
      Bar bar = new Bar(bars.size(), row, number(table, row, column, "difference"),
          number(table, row, column, "low"), number(table, row, column, "high"),
          (String) row.values().get(table.column(column + ".verdict")));
      largest = Math.max(largest, Math.max(Math.abs(lowest(bar)), Math.abs(highest(bar))));
      bars.add(bar);
    }
    Scale scale = Scale.of(unit(table, column), largest);
    DefaultCategoryDataset data = new DefaultCategoryDataset();
    bars.forEach(bar -> data.addValue(scale.of(bar.difference), column, bar));
    BarRenderer renderer = new Whiskers(bars, scale, theme);
    renderer.setBarPainter(new StandardBarPainter());
    renderer.setShadowVisible(false);
    renderer.setMaximumBarWidth(0.08);
    renderer.setDefaultToolTipGenerator((values, series, item) -> toolTip(bars.get(item), scale));
    CategoryAxis names = new CategoryAxis();
    names.setMaximumCategoryLabelWidthRatio(0.45f);
    NumberAxis axis = new NumberAxis(scale.label(NLS.bind(Messages.differenceOf, column)));
    CategoryPlot plot = new CategoryPlot(data, names, axis, renderer);
    plot.setOrientation(PlotOrientation.HORIZONTAL);
    plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
    theme.apply(plot);
    axis.setAutoRangeIncludesZero(true);
    double from = bars.stream().mapToDouble(bar -> lowest(bar)).min().orElse(0);
    double to = bars.stream().mapToDouble(bar -> highest(bar)).max().orElse(1);
    double space = Math.max((to - from) * 0.04, 1e-9);
    axis.setRange(scale.of(Math.min(0, from) - space), scale.of(Math.max(0, to) + space));
    JFreeChart chart = theme.apply(new JFreeChart(null, null, plot, false));
    if (bars.size() < rows.size()) {
      TextTitle title = new TextTitle(
          NLS.bind(Messages.firstDifferences, bars.size(), rows.size()), theme.font());
      title.setPaint(theme.foreground());
      chart.addSubtitle(title);
    }
    return chart;
  }

  private static double lowest(Bar bar) {
    return Double.isNaN(bar.low) ? bar.difference : Math.min(bar.low, bar.difference);
  }

  private static double highest(Bar bar) {
    return Double.isNaN(bar.high) ? bar.difference : Math.max(bar.high, bar.difference);
  }

  private static Unit unit(Table table, String column) {
    Column base = table.columns().get(table.column(column + ".base"));
    return base.unit();
  }

  private static String toolTip(Bar bar, Scale scale) {
    return NLS.bind(Messages.tooltipDifference, new Object[] {bar.row.name(),
        scale.text(bar.difference), Double.isNaN(bar.low) ? "" : NLS.bind(Messages.tooltipInterval,
            scale.text(bar.low), scale.text(bar.high)), bar.verdict});
  }

  /** Bars with the interval of each across its end. */
  private static final class Whiskers extends BarRenderer {
    private static final long serialVersionUID = 1L;

    private final transient List<Bar> bars;
    private final transient Scale scale;
    private final transient ChartTheme theme;

    Whiskers(List<Bar> bars, Scale scale, ChartTheme theme) {
      this.bars = bars;
      this.scale = scale;
      this.theme = theme;
    }

    @Override
    public Paint getItemPaint(int row, int column) {
      return color(bars.get(column).verdict, theme);
    }

    @Override
    public void drawItem(Graphics2D graphics, CategoryItemRendererState state, Rectangle2D area,
        CategoryPlot plot, CategoryAxis names, ValueAxis values, CategoryDataset data, int row,
        int column, int pass) {
      super.drawItem(graphics, state, area, plot, names, values, data, row, column, pass);
      Bar bar = bars.get(column);
      if (Double.isNaN(bar.low)) {
        return;
      }
      double middle = names.getCategoryMiddle(column, data.getColumnCount(), area,
          plot.getDomainAxisEdge());
      double from = values.valueToJava2D(scale.of(bar.low), area, plot.getRangeAxisEdge());
      double to = values.valueToJava2D(scale.of(bar.high), area, plot.getRangeAxisEdge());
      double cap = Math.min(4, state.getBarWidth() / 3);
      graphics.setPaint(theme.foreground());
      graphics.setStroke(new BasicStroke(WHISKER));
      graphics.draw(new Line2D.Double(from, middle, to, middle));
      graphics.draw(new Line2D.Double(from, middle - cap, from, middle + cap));
      graphics.draw(new Line2D.Double(to, middle - cap, to, middle + cap));
    }
  }

  /** A histogram over time of both, and below it what the new runs have more or less. */
  public static JFreeChart histogram(Table table, ChartTheme theme) {
    String column = ComparisonReport.comparedColumns(table).get(0);
    Scale time = Scale.of(Unit.NANOSECONDS, table.rows().stream()
        .mapToDouble(row -> at(table, row, "to")).max().orElse(1));
    Unit unit = unit(table, column);
    Scale scale = Scale.of(unit, table.rows().stream().mapToDouble(row -> Math.max(
        known(number(table, row, column, "base")), known(number(table, row, column, "new"))))
        .max().orElse(1));
    XYSeriesCollection both = new XYSeriesCollection();
    both.addSeries(series(table, column, "base", table.parameters().get("base"), time, scale));
    both.addSeries(series(table, column, "new", table.parameters().get("new"), time, scale));
    XYStepRenderer lines = new XYStepRenderer();
    for (int i = 0; i < 2; i++) {
      lines.setSeriesPaint(i, i == 0 ? theme.none() : theme.line(0));
      lines.setSeriesStroke(i, new BasicStroke(1.8f));
    }
    NumberAxis x = new NumberAxis(time.label(Messages.timeAxis));
    x.setAutoRangeIncludesZero(false);
    x.setLowerMargin(0);
    x.setUpperMargin(0);
    CombinedDomainXYPlot plot = new CombinedDomainXYPlot(x);
    plot.setGap(8);
    XYPlot upper = new XYPlot(both, null, new NumberAxis(scale.label(column)), lines);
    theme.apply(upper);
    plot.add(upper, 3);
    XYSeries zero = new XYSeries("0");
    XYSeries difference =
        series(table, column, "difference", Messages.difference, time, scale);
    for (int i = 0; i < difference.getItemCount(); i++) {
      zero.add(difference.getX(i).doubleValue(), 0);
    }
    XYSeriesCollection below = new XYSeriesCollection(difference);
    below.addSeries(zero);
    XYDifferenceRenderer area =
        new XYDifferenceRenderer(theme.slower(), theme.faster(), false);
    area.setRoundXCoordinates(true);
    area.setSeriesPaint(0, theme.foreground());
    area.setSeriesPaint(1, theme.grid());
    area.setSeriesVisibleInLegend(0, false);
    area.setSeriesVisibleInLegend(1, false);
    XYPlot lower = new XYPlot(below, null,
        new NumberAxis(scale.label(Messages.difference)), area);
    theme.apply(lower);
    plot.add(lower, 2);
    theme.apply((XYPlot) plot);
    return theme.apply(new JFreeChart(null, null, plot, true));
  }

  private static double known(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  private static double at(Table table, Row row, String key) {
    return ((Number) row.values().get(table.column(key))).doubleValue();
  }

  /** Each bin from its begin to its end. */
  private static XYSeries series(Table table, String column, String part, String name, Scale time,
      Scale scale) {
    XYSeries series = new XYSeries(name == null ? part : name, false, true);
    for (Row row : table.rows()) {
      double value = scale.of(known(number(table, row, column, part)));
      series.add(time.of(at(table, row, "from")), value);
      series.add(time.of(at(table, row, "to")), value);
    }
    return series;
  }
}
