package org.parallax.ui.tables;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.parallax.analysis.graph.Weight;

/** Choices that several views have. */
final class Choices {
  private Choices() {
  }

  /** A label and a combo after it. */
  static Combo combo(Composite parent, String label, Runnable changed, String... items) {
    new Label(parent, SWT.NONE).setText(label);
    Combo combo = new Combo(parent, SWT.READ_ONLY);
    combo.setItems(items);
    if (items.length > 0) {
      combo.select(0);
    }
    combo.addListener(SWT.Selection, event -> changed.run());
    return combo;
  }

  /** Which clock counts. */
  static Combo weight(Composite parent, Runnable changed) {
    return combo(parent, org.parallax.ui.Messages.weight, changed,
        org.parallax.ui.Messages.weightCpu, org.parallax.ui.Messages.weightWall);
  }

  static Weight weight(Combo combo) {
    return combo.getSelectionIndex() == 0 ? Weight.CPU : Weight.WALL;
  }
}
