package org.parallax.ui.charts;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleInsets;

/**
 * The colours and the font of charts: those of the widgets around them, dark or light.
 *
 * @param series colours of lines, in their order
 * @param slower of what makes the program slower
 * @param faster of what makes it faster
 * @param none of what is no more than noise
 */
public record ChartTheme(Color background, Color foreground, Color grid, Color[] series,
    Color slower, Color faster, Color unsure, Color none, Font font) {
  private static final int HALF = 128;

  /** A theme for colours of widgets. */
  public static ChartTheme of(Color background, Color foreground, Font font) {
    boolean dark = isDark(background);
    Color[] series = dark
        ? colors(0x6cb6ff, 0xf5a45d, 0x7ddb8f, 0xdc8cff, 0xffe066, 0x5ee0d8)
        : colors(0x1f6fb5, 0xc75b12, 0x2d8a3e, 0x8a3fb0, 0x8f7400, 0x0b8a83);
    return new ChartTheme(background, foreground, mix(background, foreground, 0.18), series,
        new Color(dark ? 0xff7b6b : 0xc0392b), new Color(dark ? 0x5fd38d : 0x1e8449),
        new Color(dark ? 0xf0c05a : 0xb9770e), mix(background, foreground, 0.45), font);
  }

  private static Color[] colors(int... rgb) {
    Color[] colors = new Color[rgb.length];
    for (int i = 0; i < rgb.length; i++) {
      colors[i] = new Color(rgb[i]);
    }
    return colors;
  }

  static boolean isDark(Color color) {
    return brightness(color) < HALF;
  }

  /**
   * How well two colours are told apart, after the Web Content Accessibility Guidelines 2.1: from 1, not
   * at all, to 21, black on white. Text needs 4.5, lines and areas need 3.
   */
  public static double contrast(Color one, Color other) {
    double light = Math.max(luminance(one), luminance(other));
    return (light + 0.05) / (Math.min(luminance(one), luminance(other)) + 0.05);
  }

  private static double luminance(Color color) {
    return 0.2126 * linear(color.getRed()) + 0.7152 * linear(color.getGreen())
        + 0.0722 * linear(color.getBlue());
  }

  private static double linear(int part) {
    double share = part / 255.0;
    return share <= 0.03928 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
  }

  static int brightness(Color color) {
    return (299 * color.getRed() + 587 * color.getGreen() + 114 * color.getBlue()) / 1000;
  }

  static Color mix(Color from, Color to, double share) {
    return new Color((int) (from.getRed() + share * (to.getRed() - from.getRed())),
        (int) (from.getGreen() + share * (to.getGreen() - from.getGreen())),
        (int) (from.getBlue() + share * (to.getBlue() - from.getBlue())));
  }

  /** The colour of a series of lines. */
  public Color line(int index) {
    return series[index % series.length];
  }

  /** Gives a chart these colours. */
  JFreeChart apply(JFreeChart chart) {
    chart.setBackgroundPaint(background);
    chart.setPadding(new RectangleInsets(6, 4, 4, 10));
    if (chart.getLegend() != null) {
      chart.getLegend().setBackgroundPaint(background);
      chart.getLegend().setItemPaint(foreground);
      chart.getLegend().setItemFont(font);
      chart.getLegend().setFrame(new org.jfree.chart.block.BlockBorder(background));
    }
    return chart;
  }

  void apply(XYPlot plot) {
    common(plot);
    plot.setDomainGridlinePaint(grid);
    plot.setRangeGridlinePaint(grid);
    plot.setDomainGridlineStroke(new BasicStroke(1));
    plot.setRangeGridlineStroke(new BasicStroke(1));
    if (plot.getDomainAxis() != null) {
      apply(plot.getDomainAxis());
    }
    if (plot.getRangeAxis() != null) {
      apply(plot.getRangeAxis());
    }
  }

  void apply(CategoryPlot plot) {
    common(plot);
    plot.setRangeGridlinePaint(grid);
    plot.setRangeGridlineStroke(new BasicStroke(1));
    apply(plot.getRangeAxis());
    CategoryAxis axis = plot.getDomainAxis();
    axis.setTickLabelFont(font);
    axis.setTickLabelPaint(foreground);
    axis.setLabelFont(font);
    axis.setLabelPaint(foreground);
    axis.setAxisLinePaint(grid);
  }

  private void common(Plot plot) {
    plot.setBackgroundPaint(background);
    plot.setOutlineVisible(false);
    plot.setNoDataMessageFont(font);
    plot.setNoDataMessagePaint(foreground);
  }

  private void apply(ValueAxis axis) {
    axis.setTickLabelFont(font);
    axis.setTickLabelPaint(foreground);
    axis.setLabelFont(font);
    axis.setLabelPaint(foreground);
    axis.setAxisLinePaint(grid);
    axis.setTickMarkPaint(grid);
  }
}
