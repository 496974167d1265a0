package org.parallax.ui.charts;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.geom.Ellipse2D;
import java.util.List;
import org.eclipse.osgi.util.NLS;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.parallax.experiment.effects.Plots;
import org.parallax.experiment.effects.Ranking;
import org.parallax.experiment.effects.Responses;

/** Charts of what trials responded. */
public final class ResponseCharts {
  private static final double RADIUS = 3.5;
  /** How far from its name the levels of a factor are. */
  private static final double SPREAD = 0.28;

  private ResponseCharts() {
  }

  private static Ellipse2D dot() {
    return new Ellipse2D.Double(-RADIUS, -RADIUS, 2 * RADIUS, 2 * RADIUS);
  }

  /** The sign of a level, or its number from 1. */
  static String level(int level, int levels) {
    return levels > 2 ? Integer.toString(level + 1) : level < 0 ? "\u2212" : level > 0 ? "+" : "0";
  }

  private static double place(int level, int levels) {
    return SPREAD * (levels == 2 ? level : 2.0 * level / (levels - 1) - 1);
  }

  /** What the trials at each level of each factor responded on average. */
  public static JFreeChart mainEffects(Responses responses, List<Ranking.Level> levels,
      ChartTheme theme) {
    int count = responses.design().levels();
    Scale scale = Scale.of(responses.unit(),
        levels.stream().mapToDouble(level -> Math.abs(level.mean())).max().orElse(1));
    XYIntervalSeriesCollection data = new XYIntervalSeriesCollection();
    List<String> names = responses.factors();
    for (int factor = 0; factor < names.size(); factor++) {
      XYIntervalSeries series = new XYIntervalSeries(names.get(factor));
      for (Ranking.Level level : levels) {
        if (level.factor() == factor) {
          double x = factor + place(level.level(), count);
          double y = scale.of(level.mean());
          series.add(x, x, x, y, level.interval() == null ? y : scale.of(level.interval().low()),
              level.interval() == null ? y : scale.of(level.interval().high()));
        }
      }
      data.addSeries(series);
    }
    XYErrorRenderer renderer = new XYErrorRenderer();
    renderer.setDefaultLinesVisible(true);
    renderer.setDrawXError(false);
    renderer.setErrorPaint(theme.none());
    renderer.setDefaultShape(dot());
    renderer.setAutoPopulateSeriesShape(false);
    for (int i = 0; i < names.size(); i++) {
      renderer.setSeriesPaint(i, theme.line(0));
      renderer.setSeriesStroke(i, new BasicStroke(1.6f));
    }
    renderer.setDefaultToolTipGenerator((values, row, item) -> {
      int factor = row;
      Ranking.Level level =
          levels.stream().filter(each -> each.factor() == factor).skip(item).findFirst().orElseThrow();
      return NLS.bind(Messages.tooltipLevel, new Object[] {names.get(factor),
          level(level.level(), count), scale.text(level.mean())});
    });
    SymbolAxis x = new SymbolAxis(null, names.toArray(String[]::new));
    x.setGridBandsVisible(false);
    x.setRange(-0.5, names.size() - 0.5);
    NumberAxis y = new NumberAxis(scale.label(responses.response()));
    y.setAutoRangeIncludesZero(false);
    XYPlot plot = new XYPlot(data, x, y, renderer);
    theme.apply(plot);
    plot.setDomainGridlinesVisible(false);
    return theme.apply(new JFreeChart(null, null, plot, false));
  }

  /** Whether the effect of one factor depends on another: two lines that are not parallel. */
  public static JFreeChart interaction(Responses responses, Plots.Interaction pair,
      ChartTheme theme) {
    double largest = Math.max(Math.max(pair.bothLow(), pair.bothHigh()),
        Math.max(pair.firstHigh(), pair.secondHigh()));
    Scale scale = Scale.of(responses.unit(), largest);
    String first = responses.factors().get(pair.first());
    String second = responses.factors().get(pair.second());
    XYSeries low = new XYSeries(NLS.bind(Messages.with, second, "\u2212"));
    low.add(0, scale.of(pair.bothLow()));
    low.add(1, scale.of(pair.firstHigh()));
    XYSeries high = new XYSeries(NLS.bind(Messages.with, second, "+"));
    high.add(0, scale.of(pair.secondHigh()));
    high.add(1, scale.of(pair.bothHigh()));
    XYSeriesCollection data = new XYSeriesCollection(low);
    data.addSeries(high);
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, true);
    for (int i = 0; i < 2; i++) {
      renderer.setSeriesPaint(i, theme.line(i));
      renderer.setSeriesShape(i, dot());
      renderer.setSeriesStroke(i, new BasicStroke(1.8f));
    }
    renderer.setDefaultToolTipGenerator((values, row, item) -> NLS.bind(Messages.tooltipLevel,
        new Object[] {first, level(2 * item - 1, 2) + ", " + data.getSeriesKey(row),
            scale.text(values.getYValue(row, item) * scale.unit())}));
    SymbolAxis x = new SymbolAxis(null,
        new String[] {NLS.bind(Messages.with, first, "\u2212"), NLS.bind(Messages.with, first, "+")});
    x.setGridBandsVisible(false);
    x.setRange(-0.3, 1.3);
    NumberAxis y = new NumberAxis(scale.label(responses.response()));
    y.setAutoRangeIncludesZero(false);
    XYPlot plot = new XYPlot(data, x, y, renderer);
    theme.apply(plot);
    plot.setDomainGridlinesVisible(false);
    return theme.apply(new JFreeChart(null, null, plot, true));
  }

  /** The trials in the order of time, and what their settings leave of them: drift and outliers. */
  public static JFreeChart runOrder(Responses responses, List<Plots.Point> points,
      ChartTheme theme) {
    Scale scale = Scale.of(responses.unit(),
        points.stream().mapToDouble(point -> Math.abs(point.value())).max().orElse(1));
    Scale residual = Scale.of(responses.unit(),
        points.stream().mapToDouble(point -> Math.abs(point.residual())).max().orElse(1));
    XYSeries values = new XYSeries(responses.response());
    XYSeries residuals = new XYSeries(Messages.residual);
    for (Plots.Point point : points) {
      values.add(point.position() + 1, scale.of(point.value()));
      residuals.add(point.position() + 1, residual.of(point.residual()));
    }
    NumberAxis time = new NumberAxis(Messages.position);
    time.setStandardTickUnits(NumberAxis.createIntegerTickUnits());
    time.setAutoRangeIncludesZero(false);
    CombinedDomainXYPlot plot = new CombinedDomainXYPlot(time);
    plot.setGap(8);
    plot.add(order(values, scale.label(responses.response()), points, scale, theme,
        theme.line(0), false), 3);
    plot.add(order(residuals, residual.label(Messages.residual), points, residual, theme,
        theme.line(1), true), 2);
    theme.apply((XYPlot) plot);
    return theme.apply(new JFreeChart(null, null, plot, false));
  }

  private static XYPlot order(XYSeries series, String label, List<Plots.Point> points, Scale scale,
      ChartTheme theme, Color color, boolean residual) {
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, true);
    renderer.setSeriesPaint(0, color);
    renderer.setSeriesShape(0, dot());
    renderer.setSeriesStroke(0, new BasicStroke(0.6f));
    renderer.setDefaultToolTipGenerator((values, row, item) -> {
      Plots.Point point = points.get(item);
      return NLS.bind(Messages.tooltipTrial, new Object[] {point.position() + 1, point.run() + 1,
          scale.text(residual ? point.residual() : point.value())});
    });
    NumberAxis axis = new NumberAxis(label);
    axis.setAutoRangeIncludesZero(residual);
    XYPlot plot = new XYPlot(new XYSeriesCollection(series), null, axis, renderer);
    theme.apply(plot);
    return plot;
  }
}
