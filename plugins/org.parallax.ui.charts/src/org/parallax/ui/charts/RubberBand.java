package org.parallax.ui.charts;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Canvas;
import org.eclipse.swt.widgets.Event;

/**
 * Lets a person drag over a part of the width of a canvas. The band is shown while it is drawn; Escape
 * gives it up.
 */
public final class RubberBand {
  private static final int LEAST = 4;
  private static final int MARGIN = 4;
  private static final int SHADE = 70;

  /** What drags are for. */
  public interface Target {
    /** Where a drag can begin, and how far it goes; null for nowhere. */
    Rectangle area();

    /** What is told of a band while it is drawn; positions from left to right. */
    String text(int fromX, int toX, int stateMask);

    /** A band has been drawn; positions from left to right. */
    void dragged(int fromX, int toX, int stateMask);

    /** A place was clicked at without drawing a band. */
    default void clicked(int x) {
    }
  }

  private final Canvas canvas;
  private final Target target;
  private boolean active;
  private int fromX;
  private int toX;
  private int stateMask;

  /** Draws on a canvas, which must call {@link #paint} last when it paints. */
  public RubberBand(Canvas canvas, Target target) {
    this.canvas = canvas;
    this.target = target;
    canvas.addListener(SWT.MouseDown, this::down);
    canvas.addListener(SWT.MouseMove, this::move);
    canvas.addListener(SWT.MouseUp, this::up);
    canvas.addListener(SWT.KeyDown, event -> {
      if (active && event.keyCode == SWT.ESC) {
        end();
        event.doit = false;
      }
    });
  }

  private void down(Event event) {
    Rectangle area = target.area();
    if (event.button == 1 && event.count < 2 && area != null && area.contains(event.x, event.y)) {
      active = true;
      fromX = event.x;
      toX = event.x;
      stateMask = event.stateMask & SWT.MODIFIER_MASK;
      canvas.setFocus();
    }
  }

  private void move(Event event) {
    if (active) {
      toX = within(event.x);
      stateMask = event.stateMask & SWT.MODIFIER_MASK;
      canvas.redraw();
    }
  }

  private void up(Event event) {
    if (!active || event.button != 1) {
      return;
    }
    toX = within(event.x);
    boolean wide = Math.abs(toX - fromX) >= LEAST;
    end();
    if (wide) {
      target.dragged(Math.min(fromX, toX), Math.max(fromX, toX),
          event.stateMask & SWT.MODIFIER_MASK);
    } else {
      target.clicked(toX);
    }
  }

  private int within(int x) {
    Rectangle area = target.area();
    return area == null ? x : Math.max(area.x, Math.min(area.x + area.width, x));
  }

  private void end() {
    active = false;
    canvas.redraw();
  }

  /** Whether a band is being drawn. */
  public boolean isActive() {
    return active && Math.abs(toX - fromX) >= LEAST;
  }

  /** Draws the band. */
  public void paint(GC gc) {
    Rectangle area = target.area();
    if (!isActive() || area == null) {
      return;
    }
    int left = Math.min(fromX, toX);
    int right = Math.max(fromX, toX);
    gc.setBackground(canvas.getDisplay().getSystemColor(SWT.COLOR_LIST_SELECTION));
    gc.setForeground(canvas.getDisplay().getSystemColor(SWT.COLOR_LIST_SELECTION));
    gc.setAlpha(SHADE);
    gc.fillRectangle(left, area.y, right - left, area.height);
    gc.setAlpha(255);
    gc.drawLine(left, area.y, left, area.y + area.height);
    gc.drawLine(right, area.y, right, area.y + area.height);
    String text = target.text(left, right, stateMask);
    if (!text.isEmpty()) {
      Point size = gc.textExtent(text);
      int x = Math.max(area.x,
          Math.min(area.x + area.width - size.x - 2 * MARGIN, (left + right - size.x) / 2));
      gc.setBackground(canvas.getDisplay().getSystemColor(SWT.COLOR_INFO_BACKGROUND));
      gc.setForeground(canvas.getDisplay().getSystemColor(SWT.COLOR_INFO_FOREGROUND));
      gc.fillRoundRectangle(x, area.y + MARGIN, size.x + 2 * MARGIN, size.y + MARGIN, MARGIN,
          MARGIN);
      gc.drawText(text, x + MARGIN, area.y + MARGIN + MARGIN / 2, true);
    }
  }
}
