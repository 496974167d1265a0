package org.parallax.ui.experiment;

import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.ui.forms.widgets.FormToolkit;
import org.eclipse.ui.forms.widgets.Section;
import org.parallax.model.Experiment;

/** A titled part of the experiment editor. */
abstract class FormPart {
  protected final ExperimentEditor editor;
  protected final FormToolkit toolkit;
  protected final Composite client;
  private final Section section;

  FormPart(ExperimentEditor editor, FormToolkit toolkit, Composite parent, String title,
      String description, int columns) {
    this.editor = editor;
    this.toolkit = toolkit;
    // No title bar: on scaled screens, GTK paints parts of its gradient black.
    section = toolkit.createSection(parent, description.isEmpty() ? 0 : Section.DESCRIPTION);
    section.setText(title);
    if (!description.isEmpty()) {
      section.setDescription(description);
    }
    client = toolkit.createComposite(section);
    GridLayoutFactory.fillDefaults().numColumns(columns).margins(2, 4).spacing(6, 5)
        .applyTo(client);
    section.setClient(client);
    toolkit.paintBordersFor(client);
  }

  Control control() {
    return section;
  }

  /** Shows an experiment that was read. */
  abstract void fill(Experiment experiment);

  void setEnabled(boolean enabled) {
    enable(client, enabled);
  }

  private static void enable(Composite parent, boolean enabled) {
    for (Control child : parent.getChildren()) {
      if (child instanceof Composite composite && child.getClass() == Composite.class) {
        enable(composite, enabled);
      } else {
        child.setEnabled(enabled);
      }
    }
  }

  protected Button button(Composite parent, String text, Runnable action) {
    Button button = toolkit.createButton(parent, text, SWT.PUSH);
    button.addListener(SWT.Selection, event -> action.run());
    return button;
  }
}
