package org.parallax.ui.widgets;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.layout.GridLayout;
import org.eclipse.swt.layout.RowLayout;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Layout;

/**
 * The line above a result: choices, what the result is of, and what it amounts to. Where a view is
 * narrow, the choices take several lines, and what the result is of is left out first.
 */
public final class ViewHeader {
  private static final int MARGIN_WIDTH = 6;
  private static final int MARGIN_HEIGHT = 3;
  private static final int SPACING = 12;

  private final Composite header;
  private final Composite choices;
  private final Label scope;
  private final Label total;

  /** Makes an empty line at the top of a parent. */
  public ViewHeader(Composite parent) {
    header = new Composite(parent, SWT.NONE);
    header.setLayout(new HeaderLayout());
    choices = new Composite(header, SWT.NONE);
    RowLayout row = new RowLayout();
    row.center = true;
    row.spacing = 6;
    row.marginLeft = row.marginTop = row.marginRight = row.marginBottom = 0;
    choices.setLayout(row);
    scope = new Label(header, SWT.NONE);
    total = new Label(header, SWT.RIGHT);
  }

  /** The line, to be laid out in its parent. */
  public Composite control() {
    return header;
  }

  /** Where choices are made; one that has a label is made in {@link #labelled}. */
  public Composite choices() {
    return choices;
  }

  /** A label and room for the choice after it, which stay together. */
  public static Composite labelled(Composite choices, String label) {
    Composite pair = new Composite(choices, SWT.NONE);
    GridLayout layout = new GridLayout(2, false);
    layout.marginWidth = layout.marginHeight = 0;
    pair.setLayout(layout);
    new Label(pair, SWT.NONE).setText(label);
    return pair;
  }

  /**
   * Shows what belongs to a result.
   *
   * @param of what the result is of
   * @param amount what it amounts to; empty for nothing
   */
  public void show(String of, String amount) {
    scope.setText(of);
    scope.setToolTipText(of);
    total.setText(amount);
    header.requestLayout();
  }

  private final class HeaderLayout extends Layout {
    /** How wide the choices are in a header of that width. */
    private int choicesWidth(int width) {
      int wanted = choices.computeSize(SWT.DEFAULT, SWT.DEFAULT).x;
      int amount = total.getText().isEmpty() ? 0
          : total.computeSize(SWT.DEFAULT, SWT.DEFAULT).x + SPACING;
      return width == SWT.DEFAULT ? wanted
          : Math.max(0, Math.min(wanted, width - 2 * MARGIN_WIDTH - amount));
    }

    @Override
    protected Point computeSize(Composite composite, int widthHint, int heightHint, boolean flush) {
      Point made = choices.computeSize(choicesWidth(widthHint), SWT.DEFAULT);
      Point of = scope.computeSize(SWT.DEFAULT, SWT.DEFAULT);
      Point amount = total.computeSize(SWT.DEFAULT, SWT.DEFAULT);
      int width = widthHint != SWT.DEFAULT ? widthHint
          : made.x + of.x + amount.x + 2 * (SPACING + MARGIN_WIDTH);
      return new Point(width, Math.max(made.y, Math.max(of.y, amount.y)) + 2 * MARGIN_HEIGHT);
    }

    @Override
    protected void layout(Composite composite, boolean flush) {
      Rectangle area = composite.getClientArea();
      int width = choicesWidth(area.width);
      Point made = choices.computeSize(width, SWT.DEFAULT);
      choices.setBounds(MARGIN_WIDTH, (area.height - made.y) / 2, width, made.y);
      Point amount = total.computeSize(SWT.DEFAULT, SWT.DEFAULT);
      int right = area.width - MARGIN_WIDTH - amount.x;
      total.setBounds(right, (area.height - amount.y) / 2, amount.x, amount.y);
      int left = MARGIN_WIDTH + width + (width == 0 ? 0 : SPACING);
      int height = scope.computeSize(SWT.DEFAULT, SWT.DEFAULT).y;
      scope.setBounds(left, (area.height - height) / 2, Math.max(0, right - SPACING - left), height);
    }
  }
}
