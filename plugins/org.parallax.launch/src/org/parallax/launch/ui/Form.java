package org.parallax.launch.ui;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.swt.SWT;
import org.eclipse.swt.accessibility.ACC;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Group;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Spinner;
import org.eclipse.swt.widgets.Text;

/** Rows of a label and a field, in three columns; sizes follow the font. */
final class Form {
  private static final int COLUMNS = 3;

  private final Composite composite;
  private final Runnable changed;

  private Form(Composite composite, Runnable changed) {
    this.composite = composite;
    this.changed = changed;
    GridLayoutFactory.swtDefaults().numColumns(COLUMNS).applyTo(composite);
  }

  private Form(Runnable changed, Composite cell) {
    this.composite = cell;
    this.changed = changed;
  }

  /** @param changed is told of each change */
  static Form in(Composite composite, Runnable changed) {
    return new Form(composite, changed);
  }

  Composite composite() {
    return composite;
  }

  /** A titled group over the whole width, with rows of its own. */
  Form group(String title) {
    Group group = new Group(composite, SWT.NONE);
    group.setText(title);
    GridDataFactory.fillDefaults().grab(true, false).span(COLUMNS, 1).applyTo(group);
    return new Form(group, changed);
  }

  /** The last column of a row, for several buttons. */
  Form cell(int columns) {
    Composite cell = new Composite(composite, SWT.NONE);
    GridLayoutFactory.fillDefaults().numColumns(columns).applyTo(cell);
    GridDataFactory.fillDefaults().align(SWT.FILL, SWT.CENTER).applyTo(cell);
    return new Form(changed, cell);
  }

  /** Width of so many letters. */
  static int letters(Control control, int count) {
    org.eclipse.swt.graphics.GC gc = new org.eclipse.swt.graphics.GC(control);
    try {
      gc.setFont(JFaceResources.getDialogFont());
      return (int) Math.ceil(gc.getFontMetrics().getAverageCharacterWidth() * count);
    } finally {
      gc.dispose();
    }
  }

  Label label(String text) {
    Label label = new Label(composite, SWT.NONE);
    label.setText(text);
    GridDataFactory.fillDefaults().align(SWT.BEGINNING, SWT.CENTER).applyTo(label);
    return label;
  }

  private static <T extends Control> T named(Label label, T control, String tip) {
    control.setToolTipText(tip.isEmpty() ? null : tip);
    control.getAccessible().addRelation(ACC.RELATION_LABELLED_BY, label.getAccessible());
    return control;
  }

  /** A line of text; with {@code browse} it leaves a column for a button. */
  Text text(String label, String tip, boolean browse) {
    Label before = label(label);
    Text text = named(before, new Text(composite, SWT.BORDER | SWT.SINGLE), tip);
    GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER)
        .hint(letters(text, 30), SWT.DEFAULT).span(browse ? 1 : COLUMNS - 1, 1).applyTo(text);
    text.addListener(SWT.Modify, event -> changed.run());
    return text;
  }

  /** Some lines of text. */
  Text area(String label, String tip, int lines, boolean grab) {
    Label before = label(label);
    GridDataFactory.fillDefaults().align(SWT.BEGINNING, SWT.BEGINNING).applyTo(before);
    Text text = named(before,
        new Text(composite, SWT.BORDER | SWT.MULTI | SWT.V_SCROLL | SWT.H_SCROLL), tip);
    GridDataFactory.fillDefaults().grab(true, grab)
        .hint(letters(text, 30), text.getLineHeight() * lines).span(COLUMNS - 1, 1).applyTo(text);
    // The tabulator leaves the field, as it does elsewhere.
    text.addListener(SWT.Traverse, event -> event.doit = event.doit
        || event.detail == SWT.TRAVERSE_TAB_NEXT || event.detail == SWT.TRAVERSE_TAB_PREVIOUS);
    text.addListener(SWT.Modify, event -> changed.run());
    return text;
  }

  Combo combo(String label, String tip, boolean editable, String... items) {
    Label before = label(label);
    Combo combo = named(before,
        new Combo(composite, SWT.DROP_DOWN | (editable ? SWT.NONE : SWT.READ_ONLY)), tip);
    combo.setItems(items);
    GridDataFactory.fillDefaults().align(SWT.BEGINNING, SWT.CENTER).span(COLUMNS - 1, 1)
        .hint(letters(combo, 22), SWT.DEFAULT).applyTo(combo);
    combo.addListener(editable ? SWT.Modify : SWT.Selection, event -> changed.run());
    return combo;
  }

  Spinner spinner(String label, String tip, int least, int most) {
    Label before = label(label);
    Spinner spinner = named(before, new Spinner(composite, SWT.BORDER), tip);
    spinner.setMinimum(least);
    spinner.setMaximum(most);
    GridDataFactory.fillDefaults().align(SWT.BEGINNING, SWT.CENTER).span(COLUMNS - 1, 1)
        .applyTo(spinner);
    spinner.addListener(SWT.Modify, event -> changed.run());
    return spinner;
  }

  /** A button that acts, in the last column of a row. */
  Button button(String text, String tip, Runnable action) {
    Button button = new Button(composite, SWT.PUSH);
    button.setText(text);
    button.setToolTipText(tip.isEmpty() ? null : tip);
    GridDataFactory.fillDefaults().align(SWT.FILL, SWT.CENTER).applyTo(button);
    button.addListener(SWT.Selection, event -> action.run());
    return button;
  }

  /** A choice of yes or no over the whole width. */
  Button check(String text, String tip) {
    Button button = new Button(composite, SWT.CHECK);
    button.setText(text);
    button.setToolTipText(tip.isEmpty() ? null : tip);
    GridDataFactory.fillDefaults().span(COLUMNS, 1).applyTo(button);
    button.addListener(SWT.Selection, event -> changed.run());
    return button;
  }
}
