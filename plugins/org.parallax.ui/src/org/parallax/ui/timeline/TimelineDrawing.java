package org.parallax.ui.timeline;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.eclipse.osgi.util.NLS;
import org.jfree.chart.ChartRenderingInfo;
import org.parallax.analysis.Phase;
import org.parallax.analysis.timeline.MessageLines;
import org.parallax.analysis.timeline.PathPieces;
import org.parallax.analysis.timeline.StateColumns;
import org.parallax.trace.Progress;
import org.parallax.ui.charts.ChartTheme;
import org.parallax.ui.charts.Drawing;
import org.parallax.ui.preferences.Preferences;

/** Draws a timeline: axis, names, lanes of states, phases, messages, the critical path, a legend. */
final class TimelineDrawing implements Drawing {
  private static final int POINTS_OF_A_MESSAGE = 4;
  private static final int TICK_WIDTH_IN_LINES = 6;
  private static final int SMOOTH_LINES = 200;
  /** Lines that are nearer to each other on the average are faint, without arrows. */
  private static final int POINTS_OF_AN_ARROW = 16;
  private static final int ARROW = 4;
  private static final int MARGIN = TimelineLayout.MARGIN;

  private final TimelineScene scene;
  private final ChartTheme theme;
  private final Progress progress;
  private final boolean isComplete;
  private final StateColors colors;
  private TimelineLayout layout;
  private StateColumns states;
  private List<TimelineLayout.Band> bands = List.of();
  private MessageLines messages;
  private PathPieces path;
  private int pathArcs;

  /** @param isWanted says that another scene is not waiting for this one to be drawn */
  TimelineDrawing(TimelineScene scene, ChartTheme theme, StateColors colors, BooleanSupplier isWanted) {
    this(scene, theme, colors, isWanted, false);
  }

  private TimelineDrawing(TimelineScene scene, ChartTheme theme, StateColors colors,
      BooleanSupplier isWanted, boolean isComplete) {
    this.scene = scene;
    this.theme = theme;
    progress = new Progress() {
      @Override
      public boolean isCancelled() {
        return !isWanted.getAsBoolean();
      }
    };
    this.isComplete = isComplete;
    this.colors = colors;
  }

  @Override
  public Drawing complete() {
    return new TimelineDrawing(scene, theme, colors, () -> true, true);
  }

  @Override
  public int completeHeight(int shownHeight) {
    int line = theme.font().getSize() * 3 / 2;
    return Math.max(shownHeight, (scene.lanes().rows().size() + 5) * (line + MARGIN));
  }

  @Override
  public void draw(Graphics2D graphics, int width, int height, ChartRenderingInfo info) {
    graphics.setFont(theme.font());
    graphics.setPaint(theme.background());
    graphics.fillRect(0, 0, width, height);
    FontMetrics metrics = graphics.getFontMetrics();
    layout = TimelineLayout.of(scene.lanes(), scene.frame().beside(), metrics, scene.laneHeight(),
        scene.frame().phaseRows(), width, height, isComplete);
    int scroll = scroll();
    Rectangle plot = layout.plot();
    bands = layout.bands(scroll);
    states = findStates(plot.width);
    drawAxis(graphics, metrics);
    Shape clip = graphics.getClip();
    graphics.clipRect(0, plot.y, width, plot.height);
    new LaneNames(scene, layout, theme, scroll).draw(graphics);
    graphics.setClip(clip);
    graphics.clipRect(plot.x, plot.y, plot.width, plot.height);
    Legend legend = new Legend(scene, theme, colors);
    new LanePainter(scene, plot, theme, colors, legend, isComplete).draw(graphics, bands, states.states());
    drawPhase(graphics);
    if (scene.showsMessages()) {
      drawMessages(graphics, scroll);
    }
    if (scene.showsPath()) {
      drawPath(graphics, scroll);
    }
    graphics.setClip(clip);
    new PhaseMarks(scene, layout).draw(graphics, theme);
    drawPhaseMarks(graphics);
    legend.draw(graphics, metrics, layout, width);
    if (scene.lanes().rows().isEmpty() && scene.lanes().filtered() > 0) {
      graphics.setPaint(theme.foreground());
      graphics.drawString(Messages.laneNone, plot.x + MARGIN, plot.y + metrics.getHeight());
    }
  }

  private StateColumns findStates(int columns) {
    TimeWindow window = scene.window();
    int[][] threads = bands.stream()
        .map(band -> scene.lanes().threads(band.fromRow(), band.toRow())).toArray(int[][]::new);
    try {
      return scene.timeline().states(threads, window.beginNs(), window.endNs(), columns,
          scene.detail() == Detail.EXACT || isComplete, progress);
    } catch (CancellationException e) {
      return scene.timeline().states(
          threads, window.beginNs(), window.endNs(), columns, false, Progress.NONE);
    }
  }

  private int scroll() {
    return isComplete ? 0 : Math.min(scene.scroll(), layout.mostScroll());
  }

  private double x(long timeNs) {
    return layout.plot().x + scene.window().place(timeNs, layout.plot().width);
  }

  private int pixel(long timeNs) {
    return layout.pixel(scene.window(), timeNs);
  }

  private void drawAxis(Graphics2D graphics, FontMetrics metrics) {
    Rectangle plot = layout.plot();
    TimeAxis axis = TimeAxis.of(scene.told(scene.window()),
        plot.width / (TICK_WIDTH_IN_LINES * layout.fontHeight()));
    int baseline = MARGIN + metrics.getAscent();
    graphics.setPaint(theme.foreground());
    graphics.drawString(axis.base(), MARGIN, baseline);
    int free = axis.base().isEmpty() ? 0 : 2 * MARGIN + metrics.stringWidth(axis.base());
    for (TimeAxis.Tick tick : axis.ticks()) {
      int x = (int) Math.round(x(tick.timeNs() + scene.frame().originNs()));
      graphics.setPaint(theme.grid());
      graphics.drawLine(x, plot.y - MARGIN, x, plot.y + plot.height);
      int textWidth = metrics.stringWidth(tick.text());
      int left = Math.min(plot.x + plot.width - textWidth, x - textWidth / 2);
      if (left >= free) {
        graphics.setPaint(theme.foreground());
        graphics.drawString(tick.text(), left, baseline);
        free = left + textWidth + 2 * MARGIN;
      }
    }
  }

  private void drawPhase(Graphics2D graphics) {
    if (scene.phase() == null) {
      return;
    }
    // What is not in the phase steps back.
    Rectangle plot = layout.plot();
    Color back = theme.background();
    graphics.setPaint(new Color(back.getRed(), back.getGreen(), back.getBlue(), 150));
    int from = plot.x;
    for (int i = 0; i < scene.phase().window().count(); i++) {
      int begin = Math.max(from, pixel(scene.phase().window().beginNs(i)));
      graphics.fillRect(from, plot.y, Math.max(0, begin - from), plot.height);
      from = Math.max(from, pixel(scene.phase().window().endNs(i)));
    }
    graphics.fillRect(from, plot.y, Math.max(0, plot.x + plot.width - from), plot.height);
  }

  /** Brackets on the axis: the phases that were defined, and the one that is selected. */
  private void drawPhaseMarks(Graphics2D graphics) {
    for (Phase phase : scene.phases()) {
      drawPhaseMark(graphics, phase, theme.none());
    }
    if (scene.phase() != null) {
      drawPhaseMark(graphics, scene.phase(), theme.line(0));
    }
  }

  private void drawPhaseMark(Graphics2D graphics, Phase phase, Color color) {
    Rectangle plot = layout.plot();
    graphics.setPaint(color);
    for (int i = 0; i < phase.window().count(); i++) {
      int from = Math.max(plot.x, pixel(phase.window().beginNs(i)));
      int to = Math.min(plot.x + plot.width, pixel(phase.window().endNs(i)));
      if (to > from) {
        graphics.fillRect(from, plot.y - 3, Math.max(2, to - from), 3);
      }
    }
  }

  private int middle(int thread, int scroll) {
    return layout.middle(scene.lanes().rowOfThread()[thread], scroll);
  }

  private void drawMessages(Graphics2D graphics, int scroll) {
    messages = scene.timeline().messages(scene.lanes().threads(), scene.window().beginNs(),
        scene.window().endNs(), layout.plot().width / POINTS_OF_A_MESSAGE);
    boolean few = messages.lines().size() <= Math.min(SMOOTH_LINES, layout.plot().width / POINTS_OF_AN_ARROW);
    smooth(graphics, few);
    Color color = theme.foreground();
    Color faint = new Color(color.getRed(), color.getGreen(), color.getBlue(),
        few ? 200 : messages.isThinned() ? 50 : 110);
    graphics.setPaint(faint);
    graphics.setStroke(new BasicStroke(1));
    // What is complete can be a file of lines.
    TranslucentLines many = few || isComplete ? null
        : new TranslucentLines(layout.plot(), graphics.getTransform().getScaleX());
    for (MessageLines.Line line : messages.lines()) {
      int x1 = pixel(line.sentNs());
      int x2 = pixel(line.receivedNs());
      int y1 = middle(line.from(), scroll);
      int y2 = middle(line.to(), scroll);
      if (many != null) {
        many.add(x1, y1, x2, y2);
        continue;
      }
      graphics.drawLine(x1, y1, x2, y2);
      if (few) {
        arrow(graphics, x1, y1, x2, y2);
      }
    }
    if (many != null) {
      many.draw(graphics, faint);
    }
    smooth(graphics, false);
  }

  private static void arrow(Graphics2D graphics, int x1, int y1, int x2, int y2) {
    double length = Math.hypot(x2 - x1, y2 - y1);
    if (length < 3 * ARROW) {
      return;
    }
    double dx = (x2 - x1) / length * ARROW;
    double dy = (y2 - y1) / length * ARROW;
    int[] xs = {x2, (int) Math.round(x2 - 2 * dx - dy), (int) Math.round(x2 - 2 * dx + dy)};
    int[] ys = {y2, (int) Math.round(y2 - 2 * dy + dx), (int) Math.round(y2 - 2 * dy - dx)};
    graphics.fillPolygon(xs, ys, xs.length);
  }

  private static void smooth(Graphics2D graphics, boolean on) {
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING,
        on ? RenderingHints.VALUE_ANTIALIAS_ON : RenderingHints.VALUE_ANTIALIAS_OFF);
  }

  private void drawPath(Graphics2D graphics, int scroll) {
    TimeWindow window = scene.window();
    path = scene.timeline().path(window.beginNs(), window.endNs(), layout.plot().width);
    PathLines lines = new PathLines(path, scene, layout, scroll);
    pathArcs = lines.arcs().length;
    smooth(graphics, path.pieces().size() <= SMOOTH_LINES);
    lines.draw(graphics, theme.background(), Preferences.pathColor(theme.foreground()));
    smooth(graphics, false);
  }

  // ------------------------------------------------------------- what was drawn

  StateColors colors() {
    return colors;
  }

  TimelineScene scene() {
    return scene;
  }

  TimelineLayout layout() {
    return layout;
  }

  StateColumns states() {
    return states;
  }

  /** The state in a column of the lane that has a thread, or NONE. */
  int state(int thread, int column) {
    int row = scene.lanes().rowOfThread()[thread];
    return row < 0 ? StateColumns.NONE : stateOfRow(row, column);
  }

  /** The state in a column of a lane, or of those with which it was drawn; NONE if it was not. */
  int stateOfRow(int row, int column) {
    int band = bandOf(row);
    return band < 0 || column < 0 || column >= states.columns() ? StateColumns.NONE
        : states.states()[band][column];
  }

  /** The lanes with which a row was drawn, or null. */
  TimelineLayout.Band band(int row) {
    int band = bandOf(row);
    return band < 0 ? null : bands.get(band);
  }

  private int bandOf(int row) {
    int low = 0;
    int high = bands.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      TimelineLayout.Band band = bands.get(middle);
      if (row >= band.toRow()) {
        low = middle + 1;
      } else if (row < band.fromRow()) {
        high = middle - 1;
      } else {
        return middle;
      }
    }
    return -1;
  }

  /** The messages that were drawn, null where none were wanted. */
  MessageLines messages() {
    return messages;
  }

  /** The path that was drawn, null where none was wanted. */
  PathPieces path() {
    return path;
  }

  /** How many lines of the path lead from lane to lane. */
  int pathArcs() {
    return pathArcs;
  }

  /** What a person must know of what is not drawn; empty for nothing. */
  String note() {
    List<String> notes = new ArrayList<>();
    if (scene.lanes().filtered() > 0) {
      int shown = scene.lanes().threadCount();
      notes.add(NLS.bind(Messages.laneFiltered, shown, shown + scene.lanes().filtered()));
    }
    if (messages != null && messages.isThinned()) {
      notes.add(NLS.bind(Messages.thinned, messages.lines().size(), messages.count()));
    }
    return String.join("   ", notes);
  }
}
