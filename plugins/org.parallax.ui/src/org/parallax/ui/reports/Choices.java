package org.parallax.ui.reports;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.ParameterValues;
import org.parallax.ui.widgets.ViewHeader;

/** Choices that several views have. */
final class Choices {
  private Choices() {
  }

  /** A label and a combo after it. */
  static Combo combo(Composite parent, String label, Runnable changed, String... items) {
    Combo combo = new Combo(ViewHeader.labelled(parent, label), SWT.READ_ONLY);
    combo.setItems(items);
    if (items.length > 0) {
      combo.select(0);
    }
    combo.addListener(SWT.Selection, event -> changed.run());
    return combo;
  }

  /** Which clock counts. */
  static Combo weight(Composite parent, Runnable changed) {
    return combo(parent, Messages.weight, changed,
        Messages.weightCpu, Messages.weightWall);
  }

  /** What a combo of clocks gives to a report. */
  static ParameterValues values(Combo weights) {
    return ParameterValues.NONE.with(Parameter.WEIGHT.name(),
        Parameter.WEIGHT.allowed().get(weights.getSelectionIndex()));
  }
}
