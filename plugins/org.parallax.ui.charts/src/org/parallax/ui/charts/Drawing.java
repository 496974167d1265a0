package org.parallax.ui.charts;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.JFreeChart;

/** Something that can be drawn on any thread, in points. */
public interface Drawing {
  /** @param info is told where parts with tool tips are; or null */
  void draw(Graphics2D graphics, int width, int height, ChartRenderingInfo info);

  /** The same with what widgets show beside it on the screen, such as a legend: for files. */
  default Drawing complete() {
    return this;
  }

  /** How high all of it is, for files. */
  default int completeHeight(int shownHeight) {
    return shownHeight;
  }

  /** A chart. */
  static Drawing of(JFreeChart chart) {
    return (graphics, width, height, info) ->
        chart.draw(graphics, new Rectangle2D.Double(0, 0, width, height), null, info);
  }
}
