package org.parallax.ui.charts;

import java.awt.BasicStroke;
import java.awt.Color;
import java.text.NumberFormat;
import java.util.List;
import java.util.Locale;
import org.eclipse.osgi.util.NLS;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYStepAreaRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** How fast events and bytes arrive while a program is recorded or tuned: the ones above the others. */
public final class RateCharts {
  private static final double GAP = 6;

  private RateCharts() {
  }

  /** Rates in a part of the time. */
  public record Rate(double fromSeconds, double toSeconds, double events, double bytes) {}

  /** @param rates in the order of time, without gaps; those of a program that has just begun are none */
  public static JFreeChart arrivals(List<Rate> rates, ChartTheme theme) {
    return chart(Messages.eventsRate, rates, theme);
  }

  /** As {@link #arrivals}, of the visits of a measure point. */
  public static JFreeChart visits(List<Rate> rates, ChartTheme theme) {
    return chart(Messages.visitsRate, rates, theme);
  }

  private static JFreeChart chart(String first, List<Rate> rates, ChartTheme theme) {
    XYSeries events = new XYSeries(first, false, true);
    XYSeries bytes = new XYSeries(Messages.bytesRate, false, true);
    for (Rate rate : rates) {
      events.add(rate.fromSeconds(), rate.events());
      bytes.add(rate.fromSeconds(), rate.bytes());
    }
    if (!rates.isEmpty()) {
      // A step lasts until the next one.
      Rate last = rates.get(rates.size() - 1);
      events.add(last.toSeconds(), last.events());
      bytes.add(last.toSeconds(), last.bytes());
    }
    NumberAxis time = new NumberAxis(Messages.rateTime);
    time.setAutoRangeIncludesZero(true);
    time.setLowerMargin(0);
    time.setUpperMargin(0);
    CombinedDomainXYPlot plot = new CombinedDomainXYPlot(time);
    plot.setGap(GAP);
    plot.add(plot(events, theme.line(0), theme));
    plot.add(plot(bytes, theme.line(1), theme));
    theme.apply(plot);
    return theme.apply(new JFreeChart(null, null, plot, false));
  }

  private static XYPlot plot(XYSeries series, Color color, ChartTheme theme) {
    XYStepAreaRenderer area = new XYStepAreaRenderer(XYStepAreaRenderer.AREA,
        (data, row, item) -> NLS.bind(Messages.tooltipRate, new Object[] {data.getSeriesKey(row),
            NumberFormat.getIntegerInstance(Locale.ENGLISH).format(data.getYValue(row, item)),
            String.format(Locale.ENGLISH, "%.1f", data.getXValue(row, item))}), null);
    area.setSeriesPaint(0, color);
    area.setOutline(false);
    area.setSeriesStroke(0, new BasicStroke(1));
    NumberAxis axis = new NumberAxis(series.getKey().toString());
    NumberFormat format = NumberFormat.getCompactNumberInstance(Locale.ENGLISH, NumberFormat.Style.SHORT);
    format.setMaximumFractionDigits(1);
    axis.setNumberFormatOverride(format);
    axis.setAutoRangeMinimumSize(1);
    XYPlot plot = new XYPlot(new XYSeriesCollection(series), null, axis, area);
    theme.apply(plot);
    return plot;
  }
}
