package org.parallax.ui.timeline;

import java.awt.Color;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.util.List;
import org.parallax.analysis.compare.Change;
import org.parallax.analysis.compare.PhaseDifferences.Occurrence;
import org.parallax.ui.charts.ChartTheme;

/**
 * The phases of a run above its lanes, with their names: those that last longer than in the run with which it is
 * compared are reddish with a band at the bottom, shorter ones bluish with a band at the top.
 */
final class PhaseMarks {
  private static final int MARGIN = TimelineLayout.MARGIN;
  private static final int BAND = 3;
  /** How much of the colour of a difference is behind a name, of 1. */
  private static final double SHADE = 0.3;

  private final TimelineScene scene;
  private final TimelineLayout layout;
  private final RunDifferences differences;

  PhaseMarks(TimelineScene scene, TimelineLayout layout) {
    this.scene = scene;
    this.layout = layout;
    differences = scene.frame().differences();
  }

  void draw(Graphics2D graphics, ChartTheme theme) {
    for (int row = 0; row < layout.phaseRows(); row++) {
      int drawnX = Integer.MIN_VALUE;
      for (Occurrence phase : inSight(row)) {
        Rectangle place = place(phase, row);
        // Of many in a column of pixels one is enough, unless the next one differs.
        if (place.x > drawnX || place.width > 1 || phase.change() != null) {
          drawPhase(graphics, theme, phase, place);
          drawnX = place.x;
        }
      }
    }
  }

  /** The phases of a row that are in sight, by their begin. */
  private List<Occurrence> inSight(int row) {
    List<Occurrence> all = differences.phases().rows().get(row);
    TimeWindow window = scene.window();
    return all.subList(PhaseRows.first(all, phase -> phase.window().endNs(0) >= window.beginNs()),
        PhaseRows.first(all, phase -> phase.window().beginNs() >= window.endNs()));
  }

  /** Of a phase that is in sight. */
  private Rectangle place(Occurrence phase, int row) {
    Rectangle plot = layout.plot();
    TimeWindow window = scene.window();
    int from = plot.x + (int) Math.round(window.place(Math.max(window.beginNs(), phase.window().beginNs()), plot.width));
    int to = plot.x + (int) Math.round(window.place(Math.min(window.endNs(), phase.window().endNs(0)), plot.width));
    return new Rectangle(from, layout.phaseTop(row), Math.max(1, to - from), layout.phaseHeight() - 2);
  }

  private static void drawPhase(Graphics2D graphics, ChartTheme theme, Occurrence phase, Rectangle place) {
    Change change = phase.change();
    Color color = change == null ? theme.none()
        : change.isSlower() ? DifferenceMarks.SLOWER : DifferenceMarks.FASTER;
    graphics.setPaint(mixed(color, theme.background()));
    graphics.fillRect(place.x, place.y, place.width, place.height);
    graphics.setPaint(color);
    graphics.fillRect(place.x, place.y, 1, place.height);
    if (change != null) {
      graphics.fillRect(place.x, change.isSlower() ? place.y + place.height - BAND : place.y, place.width, BAND);
    }
    FontMetrics metrics = graphics.getFontMetrics();
    String mark = RunDifferences.mark(change);
    String name = PhaseRows.name(phase);
    for (String text : List.of(mark.isEmpty() ? name : name + "  " + mark, name, mark)) {
      if (!text.isEmpty() && metrics.stringWidth(text) + 2 * MARGIN <= place.width) {
        graphics.setPaint(theme.foreground());
        graphics.drawString(text, place.x + MARGIN,
            place.y + (place.height - metrics.getHeight()) / 2 + metrics.getAscent());
        return;
      }
    }
  }

  private static Color mixed(Color color, Color paper) {
    return new Color(mixed(color.getRed(), paper.getRed()), mixed(color.getGreen(), paper.getGreen()),
        mixed(color.getBlue(), paper.getBlue()));
  }

  private static int mixed(int color, int paper) {
    return (int) Math.round(SHADE * color + (1 - SHADE) * paper);
  }

  /** What is told of a place; null where there is no phase. */
  String at(int x, int y) {
    Rectangle plot = layout.plot();
    for (int row = 0; row < layout.phaseRows() && x >= plot.x && x < plot.x + plot.width; row++) {
      if (y >= layout.phaseTop(row) && y < layout.phaseTop(row) + layout.phaseHeight()) {
        return told(row, x);
      }
    }
    return null;
  }

  private String told(int row, int x) {
    List<Occurrence> phases = inSight(row);
    int first = PhaseRows.first(phases, phase -> place(phase, row).getMaxX() > x);
    return first < phases.size() && place(phases.get(first), row).x <= x
        ? differences.words(phases.get(first)) : null;
  }
}
