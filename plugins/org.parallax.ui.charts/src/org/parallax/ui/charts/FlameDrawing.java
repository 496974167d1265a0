package org.parallax.ui.charts;

import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.util.function.Predicate;
import org.jfree.chart.ChartRenderingInfo;
import org.parallax.analysis.calls.CallTree.Node;
import org.parallax.analysis.calls.CallTreeDifference;
import org.parallax.model.program.Procedure;

/**
 * Draws a flame graph. Procedures have warm colours by their names, the same in all runs; those of
 * libraries are green, calls that wait or communicate blue and violet. In a differential one what takes
 * longer is red and what takes less is blue, the stronger the more of all time it is.
 *
 * @param difference null for a graph of one run
 * @param found what a search has found; null without a search
 * @param marked what is selected elsewhere; null for nothing
 */
public record FlameDrawing(FlameLayout layout, ChartTheme theme, CallTreeDifference difference,
    Predicate<Node> found, Predicate<Node> marked) implements Drawing {
  /** A change of this share of all time is as strong as it gets. */
  private static final double STRONGEST = 0.05;
  private static final int PADDING = 4;
  private static final int LEAST_TEXT = 18;
  private static final int MIDDLE = 128;
  private static final double DIM = 0.72;
  /** Of call paths of threads that were waited for. */
  private static final double PALE = 0.5;

  @Override
  public Drawing complete() {
    FlameLayout all = new FlameLayout(layout.tree(), layout.weight(), layout.zoom(),
        layout.width(), layout.rows() * layout.rowHeight(), layout.rowHeight(), 0,
        layout.upwards());
    return new FlameDrawing(all, theme, difference, found, marked);
  }

  @Override
  public int completeHeight(int shownHeight) {
    return layout.height();
  }

  @Override
  public void draw(Graphics2D graphics, int width, int height, ChartRenderingInfo info) {
    graphics.setColor(theme.background());
    graphics.fillRect(0, 0, width, height);
    Font font = theme.font();
    graphics.setFont(font);
    FontMetrics metrics = graphics.getFontMetrics();
    int baseline = (layout.rowHeight() - 1 - metrics.getHeight()) / 2 + metrics.getAscent();
    int zoomDepth = layout.zoom().depth();
    layout.visit((node, x, y, frameWidth) -> {
      int left = (int) Math.round(x);
      int right = (int) Math.round(x + frameWidth);
      int top = (int) Math.round(y);
      int wide = Math.max(1, right - left - (right - left > 2 ? 1 : 0));
      if (node == null) {
        graphics.setColor(ChartTheme.mix(theme.background(), theme.foreground(), 0.12));
        graphics.fillRect(left, top, wide, layout.rowHeight() - 1);
        return;
      }
      Color color = color(node);
      if (node.depth() < zoomDepth || found != null && !found.test(node)) {
        color = ChartTheme.mix(color, theme.background(), DIM);
      }
      graphics.setColor(color);
      graphics.fillRect(left, top, wide, layout.rowHeight() - 1);
      if (marked != null && marked.test(node)) {
        graphics.setColor(theme.foreground());
        graphics.drawRect(left, top, wide - 1, layout.rowHeight() - 2);
      }
      if (wide >= LEAST_TEXT) {
        String text = fitting(node.name(), wide - 2 * PADDING, metrics);
        graphics.setColor(ChartTheme.brightness(color) > MIDDLE ? Color.BLACK : Color.WHITE);
        graphics.drawString(text, left + PADDING, top + baseline);
      }
    });
  }

  /** As much of a name as there is room for. */
  private static String fitting(String name, int width, FontMetrics metrics) {
    // Widths are measured of what can be seen only: names of templates are long.
    int most = Math.min(name.length(), width / 3);
    if (most == name.length() && metrics.stringWidth(name) <= width) {
      return name;
    }
    for (int letters = most; letters > 0; letters--) {
      String shown = name.substring(0, letters) + "\u2026";
      if (metrics.stringWidth(shown) <= width) {
        return shown;
      }
    }
    return "";
  }

  /** The colour of a frame. */
  Color color(Node node) {
    if (difference != null) {
      return difference(difference.change(node));
    }
    if (found != null && found.test(node)) {
      return new Color(isDark() ? 0xd05ce3 : 0xb02fc4);
    }
    Procedure procedure = node.procedure();
    if (procedure == null) {
      return ChartTheme.mix(theme.background(), theme.foreground(), 0.3);
    }
    int hash = node.name().hashCode() * 0x9E3779B1;
    float first = (hash >>> 24) / 255f;
    float second = (hash >>> 16 & 255) / 255f;
    Color color = switch (procedure.getKind()) {
      case MPI, PVM -> shade(0.56f + 0.05f * first, 0.62f, 0.02f, second);
      case PTHREAD, OPENMP -> shade(0.73f + 0.05f * first, 0.48f, 0.02f, second);
      case PROCESS, STREAM, FILE -> shade(0.48f + 0.03f * first, 0.55f, -0.08f, second);
      case UNRESOLVED, AGENT -> shade(0f, 0f, -0.14f - 0.06f * first, second);
      default -> procedure.getModule().contains(".so")
          ? shade(0.22f + 0.08f * first, 0.5f, -0.06f, second)
          : shade(0.035f + 0.095f * first, 0.68f, 0.04f, second);
    };
    return node.isOfOther() ? ChartTheme.mix(color, theme.background(), PALE) : color;
  }

  private Color shade(float hue, float saturation, float lighter, float variation) {
    float brightness = (isDark() ? 0.7f : 0.9f) + lighter + 0.06f * variation - 0.04f;
    return Color.getHSBColor(hue, saturation - 0.12f * variation * Math.signum(saturation),
        Math.max(0, Math.min(1, brightness)));
  }

  private Color difference(double change) {
    Color none = ChartTheme.mix(theme.background(), theme.foreground(), 0.13);
    double strength = Math.min(1, Math.abs(change) / STRONGEST);
    if (strength < 0.01) {
      return none;
    }
    Color full = change > 0 ? new Color(isDark() ? 0xe5483c : 0xd62f22)
        : new Color(isDark() ? 0x3f8cff : 0x2366d1);
    return ChartTheme.mix(none, full, 0.12 + 0.88 * strength);
  }

  private boolean isDark() {
    return ChartTheme.isDark(theme.background());
  }
}
