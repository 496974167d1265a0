package org.parallax.ui.widgets;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Layout;

/**
 * Gives all of its room to what is in it, without asking how much it wants: tables and trees measure
 * every column and many rows to answer, which takes longer than a person should wait, at each layout.
 */
public final class Unmeasured extends Layout {
  private static final int SIZE = 64;

  private Unmeasured() {
  }

  /** @return a parent for one control, in a grid layout of which it takes what is left */
  public static Composite in(Composite parent) {
    Composite frame = new Composite(parent, SWT.NONE);
    frame.setLayout(new Unmeasured());
    GridDataFactory.fillDefaults().grab(true, true).applyTo(frame);
    return frame;
  }

  @Override
  protected Point computeSize(Composite frame, int wHint, int hHint, boolean flushCache) {
    return new Point(wHint == SWT.DEFAULT ? SIZE : wHint, hHint == SWT.DEFAULT ? SIZE : hHint);
  }

  @Override
  protected void layout(Composite frame, boolean flushCache) {
    for (Control child : frame.getChildren()) {
      child.setBounds(frame.getClientArea());
    }
  }
}
