package org.parallax.ui.widgets;

import java.util.Arrays;
import org.eclipse.swt.SWT;
import org.eclipse.swt.accessibility.AccessibleAdapter;
import org.eclipse.swt.accessibility.AccessibleEvent;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.layout.GridLayout;
import org.eclipse.swt.layout.RowData;
import org.eclipse.swt.layout.RowLayout;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Layout;

/**
 * The line above a result: choices, what the result is of, and what it amounts to. Where a view is
 * narrow, the choices take several lines, and what the result is of is left out first. Where it is also low, so
 * that these lines would take too much of it, the first line is shown, with a button for the others.
 */
public final class ViewHeader {
  private static final int MARGIN_WIDTH = 6;
  private static final int MARGIN_HEIGHT = 3;
  private static final int SPACING = 12;
  /** Choices that have several lines take at most this part of a view. */
  private static final int MOST_PART = 3;
  private static final int LOW = 260;
  private static final String MORE = "\u2026";

  private final Composite header;
  private final Composite choices;
  private final Label scope;
  private final Label total;
  private final Button more;
  private boolean isUnfolded;

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
    more = new Button(header, SWT.TOGGLE | SWT.FLAT);
    more.setText(MORE);
    more.setToolTipText(Messages.moreChoices);
    more.getAccessible().addAccessibleListener(new AccessibleAdapter() {
      @Override
      public void getName(AccessibleEvent event) {
        event.result = Messages.moreChoices;
      }
    });
    more.addListener(SWT.Selection, event -> {
      isUnfolded = more.getSelection();
      header.requestLayout();
    });
    // How high the line is depends on the height of the view, too.
    parent.addListener(SWT.Resize, event -> header.requestLayout());
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

  /** Whether a view has no room for what can be left out, such as the second line of a warning. */
  public static boolean isLow(Composite page) {
    int height = page.getClientArea().height;
    return height > 0 && height < LOW;
  }

  private boolean isLow() {
    return isLow(header.getParent());
  }

  private final class HeaderLayout extends Layout {
    /** How much room there is for choices, and for the button beside them, in a header of that width. */
    private int choicesWidth(int width) {
      int wanted = choices.computeSize(SWT.DEFAULT, SWT.DEFAULT).x;
      int amount = total.getText().isEmpty() ? 0
          : total.computeSize(SWT.DEFAULT, SWT.DEFAULT).x + SPACING;
      return width == SWT.DEFAULT ? wanted
          : Math.max(0, Math.min(wanted, width - 2 * MARGIN_WIDTH - amount));
    }

    private int firstLine() {
      return Arrays.stream(choices.getChildren()).filter(ViewHeader::isOffered)
          .mapToInt(each -> each.computeSize(SWT.DEFAULT, SWT.DEFAULT).y).max().orElse(0);
    }

    /** Whether choices have several lines that would take too much of the view. */
    private boolean isFoldable(int height) {
      return height > firstLine() * 3 / 2 && height > header.getParent().getClientArea().height / MOST_PART;
    }

    /** How high the choices are in a header of that width, as they are folded now. */
    private int choicesHeight(int width) {
      if (choices.getChildren().length == 0) {
        return 0;
      }
      int height = choices.computeSize(choicesWidth(width), SWT.DEFAULT).y;
      if (!isFoldable(height)) {
        return height;
      }
      return isUnfolded ? choices.computeSize(foldedWidth(width), SWT.DEFAULT).y : firstLine();
    }

    /** With the button beside them. */
    private int foldedWidth(int width) {
      return Math.max(0, choicesWidth(width) - more.computeSize(SWT.DEFAULT, SWT.DEFAULT).x - SPACING / 2);
    }

    @Override
    protected Point computeSize(Composite composite, int widthHint, int heightHint, boolean flush) {
      Point of = scope.computeSize(SWT.DEFAULT, SWT.DEFAULT);
      Point amount = total.computeSize(SWT.DEFAULT, SWT.DEFAULT);
      int made = choicesHeight(widthHint);
      int width = widthHint != SWT.DEFAULT ? widthHint
          : choicesWidth(widthHint) + of.x + amount.x + 2 * (SPACING + MARGIN_WIDTH);
      boolean isNothing = made == 0 && total.getText().isEmpty() && (scope.getText().isEmpty() || isLow());
      return new Point(width, isNothing ? 0 : Math.max(made, Math.max(of.y, amount.y)) + 2 * MARGIN_HEIGHT);
    }

    @Override
    protected void layout(Composite composite, boolean flush) {
      Rectangle area = composite.getClientArea();
      int width = choicesWidth(area.width);
      boolean folds = isFoldable(choices.computeSize(width, SWT.DEFAULT).y);
      int height = choicesHeight(area.width);
      if (folds) {
        width = foldedWidth(area.width);
      }
      choices.setBounds(MARGIN_WIDTH, (area.height - height) / 2, width, height);
      choices.layout();
      hideBelow(folds && !isUnfolded ? height : Integer.MAX_VALUE);
      Point amount = total.computeSize(SWT.DEFAULT, SWT.DEFAULT);
      int right = area.width - MARGIN_WIDTH - amount.x;
      total.setBounds(right, (area.height - amount.y) / 2, amount.x, amount.y);
      int left = MARGIN_WIDTH + width + (width == 0 ? 0 : SPACING);
      more.setVisible(folds);
      if (folds) {
        Point button = more.computeSize(SWT.DEFAULT, SWT.DEFAULT);
        more.setBounds(left - SPACING / 2, (area.height - button.y) / 2, button.x, button.y);
        left += button.x;
      }
      int line = scope.computeSize(SWT.DEFAULT, SWT.DEFAULT).y;
      scope.setBounds(left, (area.height - line) / 2, Math.max(0, right - SPACING - left), line);
    }

    /** What cannot be seen cannot be reached with the keyboard either. */
    private void hideBelow(int height) {
      for (Control each : choices.getChildren()) {
        if (isOffered(each)) {
          each.setVisible(each.getBounds().y < height - 1);
        }
      }
    }
  }

  /** Whether a view has not left out a choice, which then has nothing to choose from. */
  private static boolean isOffered(Control choice) {
    return !(choice.getLayoutData() instanceof RowData data && data.exclude);
  }
}
