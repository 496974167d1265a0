package org.parallax.ui.charts;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.osgi.util.NLS;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnitSource;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.IntervalMarker;
import org.jfree.chart.plot.SeriesRenderingOrder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYStepRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.Range;
import org.jfree.data.xy.DefaultXYDataset;
import org.parallax.analysis.Phase;
import org.parallax.analysis.metrics.HistogramCurves;
import org.parallax.analysis.metrics.HistogramCurves.Curve;
import org.parallax.analysis.table.Unit;

/**
 * Draws the curves of time histograms. Those of another run are dashed, in the colours of what they
 * correspond to.
 *
 * @param shown indices of the curves that are shown
 * @param phase that is shaded; null for none
 * @param withLegend whether a legend is a part of it
 */
public record HistogramDrawing(HistogramCurves curves, Set<Integer> shown, Phase phase,
    ChartTheme theme, boolean withLegend) implements Drawing {
  private static final float LINE = 1.5f;
  private static final float[] DASHES = {5, 3};
  private static final int SHADE = 48;
  private static final double PART_OF_A_LABEL = 0.8;

  @Override
  public Drawing complete() {
    return new HistogramDrawing(curves, shown, phase, theme, true);
  }

  @Override
  public void draw(Graphics2D graphics, int width, int height, ChartRenderingInfo info) {
    JFreeChart chart = chart();
    ValueAxis values = chart.getXYPlot().getRangeAxis();
    if (graphics.getFontMetrics(values.getLabelFont()).stringWidth(values.getLabel()) > height * PART_OF_A_LABEL) {
      // It would be cut; the choice of the metric has it, too.
      values.setLabel(null);
    }
    chart.draw(graphics, new Rectangle2D.Double(0, 0, width, height), null, info);
  }

  /** The colour of a curve: the same for those of several runs that belong together. */
  public static Color color(HistogramCurves curves, int index, ChartTheme theme) {
    List<String> keys =
        new ArrayList<>(new LinkedHashSet<>(curves.curves().stream().map(Curve::key).toList()));
    boolean single = curves.curves().stream().filter(each -> !each.isOther()).count() == 1;
    Curve curve = curves.curves().get(index);
    // One curve is compared with one, whatever they are called.
    return theme.line(single && curve.isOther()
        && curves.curves().stream().filter(Curve::isOther).count() == 1
        ? 0 : keys.indexOf(curve.key()));
  }

  /** In which unit times are written on the axis of time. */
  private Scale timeScale() {
    return Scale.of(Unit.NANOSECONDS,
        curves.visible().endNs() - curves.visible().beginNs());
  }

  private Scale valueScale() {
    double largest = 0;
    for (int index : shown) {
      for (double value : curves.curves().get(index).values()) {
        largest = Double.isNaN(value) ? largest : Math.max(largest, Math.abs(value));
      }
    }
    return Scale.of(curves.metric().unit(), largest);
  }

  JFreeChart chart() {
    Scale time = timeScale();
    Scale scale = valueScale();
    DefaultXYDataset data = new DefaultXYDataset();
    XYStepRenderer renderer = new XYStepRenderer();
    renderer.setDefaultCreateEntities(false);
    renderer.setLegendItemLabelGenerator((values, series) -> {
      String key = values.getSeriesKey(series).toString();
      return key.substring(key.indexOf('\n') + 1);
    });
    for (int index : shown.stream().sorted().toList()) {
      Curve curve = curves.curves().get(index);
      int series = data.getSeriesCount();
      data.addSeries(index + "\n" + curve.name(), points(curve, time, scale));
      renderer.setSeriesPaint(series, color(curves, index, theme));
      renderer.setSeriesStroke(series, curve.isOther()
          ? new BasicStroke(LINE, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 1, DASHES, 0)
          : new BasicStroke(LINE));
    }
    NumberAxis x = new NumberAxis(null);
    x.setRange(new Range(time.of(curves.visible().beginNs()),
        Math.max(time.of(curves.visible().endNs()),
            Math.nextUp(time.of(curves.visible().beginNs())))));
    x.setLabel(time.label(Messages.time));
    x.setStandardTickUnits(new NumberTickUnitSource(false));
    NumberAxis y = new NumberAxis(valueLabel(scale));
    y.setAutoRangeIncludesZero(true);
    XYPlot plot = new XYPlot(data, x, y, renderer);
    plot.setSeriesRenderingOrder(SeriesRenderingOrder.REVERSE);
    plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
    plot.setAxisOffset(new RectangleInsets(0, 0, 0, 0));
    theme.apply(plot);
    shade(plot, time);
    return theme.apply(new JFreeChart(null, null, plot, withLegend));
  }

  /** What happened is in bins; where there are values between 0 and 100, they are not. */
  private String valueLabel(Scale scale) {
    String label = scale.label(curves.metric().label());
    return switch (curves.metric().unit()) {
      case NANOSECONDS, COUNT, BYTES -> NLS.bind(Messages.perBin, label, TimeLabel.of(binNs()));
      case PERCENT -> label + " (%)";
      default -> label;
    };
  }

  private long binNs() {
    return (curves.visible().endNs() - curves.visible().beginNs())
        / Math.max(1, curves.borders().length - 1);
  }

  private double[][] points(Curve curve, Scale time, Scale scale) {
    int bins = curve.values().length;
    double[] x = new double[bins + 1];
    double[] y = new double[bins + 1];
    for (int i = 0; i <= bins; i++) {
      x[i] = time.of(curves.borders()[i]);
      y[i] = scale.of(curve.values()[Math.min(i, bins - 1)]);
    }
    return new double[][] {x, y};
  }

  private void shade(XYPlot plot, Scale time) {
    for (int i = 0; phase != null && i < phase.window().count(); i++) {
      Color color = theme.unsure();
      IntervalMarker marker = new IntervalMarker(time.of(phase.window().beginNs(i)),
          time.of(phase.window().endNs(i)),
          new Color(color.getRed(), color.getGreen(), color.getBlue(), SHADE));
      if (i == 0) {
        marker.setLabel(phase.name());
        marker.setLabelFont(theme.font());
        marker.setLabelPaint(theme.foreground());
        marker.setLabelBackgroundColor(new Color(0, 0, 0, 0));
        marker.setLabelAnchor(RectangleAnchor.TOP_LEFT);
        marker.setLabelTextAnchor(TextAnchor.TOP_LEFT);
        marker.setLabelOffset(new RectangleInsets(4, 4, 4, 4));
      }
      plot.addDomainMarker(marker, Layer.BACKGROUND);
    }
  }

  /** A value of a curve with its unit, for people. */
  public String text(double value) {
    Unit unit = curves.metric().unit();
    String text = unit == Unit.NANOSECONDS ? TimeLabel.of(Math.round(value))
        : valueScale().text(value);
    return Double.isFinite(value) && unit == Unit.PERCENT ? text + " %" : text;
  }
}
