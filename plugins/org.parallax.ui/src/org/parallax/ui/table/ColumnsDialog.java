package org.parallax.ui.table;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.dialogs.TrayDialog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.viewers.ArrayContentProvider;
import org.eclipse.jface.viewers.CheckboxTableViewer;
import org.eclipse.jface.viewers.ColumnLabelProvider;
import org.eclipse.jface.viewers.ColumnViewerToolTipSupport;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Shell;

/** Which columns a table has and in which order. */
final class ColumnsDialog extends TrayDialog {
  private static final int RESET = IDialogConstants.CLIENT_ID + 1;
  private static final int ROWS = 14;

  private final Columns table;
  private final List<Integer> order;
  private CheckboxTableViewer viewer;

  ColumnsDialog(Shell shell, Columns table) {
    super(shell);
    this.table = table;
    order = new ArrayList<>(table.columnOrder());
  }

  @Override
  protected boolean isResizable() {
    return true;
  }

  @Override
  protected void configureShell(Shell shell) {
    super.configureShell(shell);
    shell.setText(Messages.columnsTitle);
  }

  @Override
  protected Control createDialogArea(Composite parent) {
    Composite area = (Composite) super.createDialogArea(parent);
    GridLayoutFactory.swtDefaults().numColumns(2).applyTo(area);
    Label label = new Label(area, SWT.NONE);
    label.setText(Messages.columnsLabel);
    GridDataFactory.fillDefaults().span(2, 1).applyTo(label);
    viewer = CheckboxTableViewer.newCheckList(area, SWT.BORDER | SWT.SINGLE | SWT.FULL_SELECTION);
    GridDataFactory.fillDefaults().grab(true, true)
        .hint(convertWidthInCharsToPixels(40), viewer.getTable().getItemHeight() * ROWS)
        .applyTo(viewer.getTable());
    viewer.setContentProvider(ArrayContentProvider.getInstance());
    viewer.setLabelProvider(new ColumnLabelProvider() {
      @Override
      public String getText(Object element) {
        return table.heading((Integer) element);
      }

      @Override
      public String getToolTipText(Object element) {
        return table.help((Integer) element);
      }
    });
    ColumnViewerToolTipSupport.enableFor(viewer);
    viewer.setInput(order);
    order.forEach(column -> viewer.setChecked(column, table.isVisible(column)));
    // Rows without a name say nothing.
    viewer.addCheckStateListener(event -> viewer.setChecked(-1, true));
    Composite buttons = new Composite(area, SWT.NONE);
    GridLayoutFactory.fillDefaults().applyTo(buttons);
    GridDataFactory.fillDefaults().applyTo(buttons);
    button(buttons, Messages.columnUp, () -> move(-1));
    button(buttons, Messages.columnDown, () -> move(1));
    button(buttons, Messages.columnsAll, () -> viewer.setAllChecked(true));
    if (!order.isEmpty()) {
      viewer.getTable().select(0);
    }
    return area;
  }

  private void button(Composite parent, String text, Runnable action) {
    Button button = new Button(parent, SWT.PUSH);
    button.setText(text);
    button.addListener(SWT.Selection, event -> action.run());
    setButtonLayoutData(button);
  }

  private void move(int by) {
    Integer column = (Integer) viewer.getStructuredSelection().getFirstElement();
    int to = column == null ? -1 : order.indexOf(column) + by;
    if (to >= 0 && to < order.size()) {
      order.remove(column);
      order.add(to, column);
      viewer.refresh();
      viewer.reveal(column);
    }
  }

  @Override
  protected void createButtonsForButtonBar(Composite parent) {
    createButton(parent, RESET, Messages.columnsReset, false);
    super.createButtonsForButtonBar(parent);
  }

  @Override
  protected void buttonPressed(int id) {
    if (id == RESET) {
      if (!order.isEmpty()) {
        table.resetColumns();
      }
      close();
    } else {
      super.buttonPressed(id);
    }
  }

  @Override
  protected void okPressed() {
    if (!order.isEmpty()) {
      Set<Integer> visible = new HashSet<>();
      for (Object checked : viewer.getCheckedElements()) {
        visible.add((Integer) checked);
      }
      table.setColumns(order, visible);
    }
    super.okPressed();
  }
}
