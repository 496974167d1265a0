package org.parallax.ui.reports;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.dialogs.TrayDialog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.ScrolledComposite;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.DirectoryDialog;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Shell;
import org.parallax.trace.Trace;
import org.parallax.ui.reports.ComparisonView.Part;
import org.parallax.ui.session.TraceNames;

/** Which of the open runs are compared with which. */
final class RunsDialog extends TrayDialog {
  private static final int ROWS = 10;

  private static final int EARLIER = IDialogConstants.CLIENT_ID;

  private final Map<Trace, Part> parts;
  private Path earlier;

  RunsDialog(Shell shell, Map<Trace, Part> parts) {
    super(shell);
    this.parts = new LinkedHashMap<>(parts);
  }

  Map<Trace, Part> parts() {
    return parts;
  }

  /**
   * What a person wants to compare with, which is not open: a trace, or the directory of a launch; null
   * for none.
   */
  Path earlier() {
    return earlier;
  }

  @Override
  protected void createButtonsForButtonBar(Composite parent) {
    createButton(parent, EARLIER, Messages.comparisonEarlier, false);
    super.createButtonsForButtonBar(parent);
  }

  @Override
  protected void buttonPressed(int button) {
    if (button != EARLIER) {
      super.buttonPressed(button);
      return;
    }
    DirectoryDialog dialog = new DirectoryDialog(getShell(), SWT.OPEN);
    dialog.setText(Messages.comparisonEarlierTitle);
    dialog.setMessage(Messages.comparisonEarlierHint);
    parts.keySet().stream().reduce((first, second) -> second)
        .ifPresent(last -> dialog.setFilterPath(String.valueOf(last.directory().getParent())));
    String chosen = dialog.open();
    if (chosen != null) {
      earlier = Path.of(chosen);
      setReturnCode(CANCEL);
      close();
    }
  }

  @Override
  protected boolean isResizable() {
    return true;
  }

  @Override
  protected void configureShell(Shell shell) {
    super.configureShell(shell);
    shell.setText(Messages.comparisonRunsTitle);
  }

  @Override
  protected Control createDialogArea(Composite parent) {
    Composite area = (Composite) super.createDialogArea(parent);
    Label label = new Label(area, SWT.WRAP);
    label.setText(Messages.comparisonRunsHint);
    GridDataFactory.fillDefaults().hint(convertWidthInCharsToPixels(60), SWT.DEFAULT)
        .applyTo(label);
    ScrolledComposite scrolled = new ScrolledComposite(area, SWT.V_SCROLL);
    Composite list = new Composite(scrolled, SWT.NONE);
    GridLayoutFactory.swtDefaults().numColumns(2).spacing(12, 4).applyTo(list);
    Map<Trace, String> names = TraceNames.of(List.copyOf(parts.keySet()));
    parts.forEach((trace, part) -> {
      Label name = new Label(list, SWT.NONE);
      name.setText(names.get(trace).replace("&", "&&"));
      name.setToolTipText(trace.directory().toString());
      GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER).applyTo(name);
      Combo combo = new Combo(list, SWT.READ_ONLY);
      combo.setItems(Messages.comparisonBase, Messages.comparisonNew, Messages.comparisonLeftOut);
      combo.select(part.ordinal());
      combo.addListener(SWT.Selection,
          event -> parts.put(trace, Part.values()[combo.getSelectionIndex()]));
    });
    scrolled.setContent(list);
    scrolled.setExpandHorizontal(true);
    scrolled.setExpandVertical(true);
    scrolled.setMinSize(list.computeSize(SWT.DEFAULT, SWT.DEFAULT));
    GridDataFactory.fillDefaults().grab(true, true)
        .hint(SWT.DEFAULT, Math.min(parts.size(), ROWS) * convertHeightInCharsToPixels(2) + 12)
        .applyTo(scrolled);
    return area;
  }
}
