package org.parallax.ui.charts;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Paint;
import java.awt.geom.Ellipse2D;
import java.util.List;
import org.eclipse.osgi.util.NLS;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.annotations.XYLineAnnotation;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.effects.Effect;
import org.parallax.experiment.effects.Effects;
import org.parallax.experiment.effects.Plots;

/** Charts of all effects of an experiment: which are larger than noise. */
public final class EffectCharts {
  private static final int MOST_BARS = 40;
  private static final double RADIUS = 3.5;
  private static final float LINE = 1.2f;
  private static final float DASH = 4;

  private EffectCharts() {
  }

  /** The colour of an effect tells its verdict. */
  static Color color(Effect effect, ChartTheme theme) {
    return switch (effect.verdict()) {
      case SLOWER -> theme.slower();
      case FASTER -> theme.faster();
      case UNSURE -> theme.unsure();
      default -> theme.none();
    };
  }

  private static Unit unit(Effects effects) {
    return effects.responses().unit();
  }

  private static String label(Effects effects, Scale scale) {
    return scale.label(NLS.bind(Messages.effectOn, effects.responses().response()));
  }

  private static String toolTip(Effect effect, Scale scale) {
    return NLS.bind(Messages.tooltipEffect, effect.name(),
        scale.text(effect.estimate()) + (Double.isNaN(effect.standardError()) ? ""
            : " ± " + scale.text(effect.standardError())));
  }

  /**
   * The effects against what they would be were they noise alone (Daniel 1959), with the line on
   * which noise lies.
   */
  public static JFreeChart halfNormal(Effects effects, List<Plots.HalfNormal> points,
      ChartTheme theme) {
    double largest = points.isEmpty() ? 1 : points.get(points.size() - 1).absolute();
    Scale scale = Scale.of(unit(effects), largest);
    XYSeries series = new XYSeries(Messages.effect, false);
    points.forEach(point -> series.add(point.quantile(), scale.of(point.absolute())));
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(false, true) {
      private static final long serialVersionUID = 1L;

      @Override
      public Paint getItemPaint(int row, int item) {
        return color(points.get(item).effect(), theme);
      }
    };
    renderer.setSeriesShape(0,
        new Ellipse2D.Double(-RADIUS, -RADIUS, 2 * RADIUS, 2 * RADIUS));
    renderer.setDefaultToolTipGenerator((data, row, item) ->
        toolTip(points.get(item).effect(), scale));
    renderer.setDefaultItemLabelGenerator((data, row, item) -> {
      Effect effect = points.get(item).effect();
      return switch (effect.verdict()) {
        case SLOWER, FASTER, UNSURE -> effect.name();
        default -> "";
      };
    });
    renderer.setDefaultItemLabelsVisible(true);
    renderer.setDefaultItemLabelFont(theme.font());
    renderer.setDefaultItemLabelPaint(theme.foreground());
    renderer.setDefaultPositiveItemLabelPosition(
        new ItemLabelPosition(ItemLabelAnchor.OUTSIDE9, TextAnchor.CENTER_RIGHT));
    NumberAxis x = new NumberAxis(Messages.quantile);
    NumberAxis y = new NumberAxis(label(effects, scale));
    XYPlot plot = new XYPlot(new XYSeriesCollection(series), x, y, renderer);
    theme.apply(plot);
    x.setLowerBound(0);
    x.setAutoRangeIncludesZero(true);
    y.setLowerBound(0);
    y.setUpperMargin(0.1);
    if (!points.isEmpty() && effects.noise().isKnown()) {
      double reach = points.get(points.size() - 1).quantile();
      double error = points.get(0).effect().standardError();
      plot.addAnnotation(new XYLineAnnotation(0, 0, reach, scale.of(reach * error), dashed(),
          theme.none()));
    }
    return theme.apply(new JFreeChart(null, null, plot, false));
  }

  /** The effects from the largest, with the limit from which a single one is believed. */
  public static JFreeChart pareto(Effects effects, List<Plots.Bar> bars, ChartTheme theme) {
    List<Plots.Bar> shown = bars.subList(0, Math.min(MOST_BARS, bars.size()));
    Scale scale = Scale.of(unit(effects), shown.isEmpty() ? 1 : shown.get(0).absolute());
    DefaultCategoryDataset data = new DefaultCategoryDataset();
    for (int i = 0; i < shown.size(); i++) {
      data.addValue(scale.of(shown.get(i).absolute()), Messages.effect, new Key(i, shown.get(i)));
    }
    BarRenderer renderer = new BarRenderer() {
      private static final long serialVersionUID = 1L;

      @Override
      public Paint getItemPaint(int row, int column) {
        return color(shown.get(column).effect(), theme);
      }
    };
    renderer.setBarPainter(new StandardBarPainter());
    renderer.setShadowVisible(false);
    renderer.setMaximumBarWidth(0.08);
    renderer.setDefaultToolTipGenerator((values, row, column) ->
        toolTip(shown.get(column).effect(), scale));
    CategoryAxis names = new CategoryAxis();
    names.setMaximumCategoryLabelWidthRatio(0.45f);
    names.setLowerMargin(0.01);
    names.setUpperMargin(0.01);
    NumberAxis axis = new NumberAxis(label(effects, scale));
    CategoryPlot plot = new CategoryPlot(data, names, axis, renderer);
    plot.setOrientation(PlotOrientation.HORIZONTAL);
    plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
    theme.apply(plot);
    shown.stream().mapToDouble(Plots.Bar::limit).filter(Double::isFinite).max().ifPresent(limit -> {
      ValueMarker marker = new ValueMarker(scale.of(limit), theme.foreground(), dashed());
      marker.setLabel(Messages.limit);
      marker.setLabelFont(theme.font());
      marker.setLabelPaint(theme.foreground());
      marker.setLabelBackgroundColor(new Color(0, 0, 0, 0));
      marker.setLabelAnchor(org.jfree.chart.ui.RectangleAnchor.BOTTOM_RIGHT);
      marker.setLabelTextAnchor(TextAnchor.BOTTOM_LEFT);
      plot.addRangeMarker(marker);
    });
    JFreeChart chart = theme.apply(new JFreeChart(null, null, plot, false));
    if (shown.size() < bars.size()) {
      TextTitle title = new TextTitle(NLS.bind(Messages.first, shown.size(), bars.size()),
          theme.font());
      title.setPaint(theme.foreground());
      chart.addSubtitle(title);
    }
    return chart;
  }

  /** The name of an effect, which need not be unique. */
  private record Key(int index, Plots.Bar bar) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      return Integer.compare(index, other.index);
    }

    @Override
    public String toString() {
      return bar.effect().name();
    }
  }

  private static BasicStroke dashed() {
    return new BasicStroke(LINE, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, DASH,
        new float[] {DASH, DASH}, 0);
  }
}
