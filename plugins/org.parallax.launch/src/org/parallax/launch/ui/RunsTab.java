package org.parallax.launch.ui;

import static org.parallax.record.LaunchAttributes.OUTPUT;
import static org.parallax.record.LaunchAttributes.REPETITIONS;
import static org.parallax.record.LaunchAttributes.RUN_NAME;

import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.DirectoryDialog;
import org.eclipse.swt.widgets.Spinner;
import org.eclipse.swt.widgets.Text;

/** How often a launch runs, what its runs are called, and where their traces go. */
public final class RunsTab extends ParallelTab {
  private static final int MOST = 1000;

  private Spinner repetitions;
  private Text runName;
  private Text output;

  public RunsTab() {
    super(Messages.runsTab, "runs");
  }

  @Override
  void createFields(Form form) {
    Form runs = form.group(Messages.repetitionsGroup);
    repetitions = runs.spinner(Messages.repetitions, Messages.repetitionsTip, 1, MOST);
    Form traces = form.group(Messages.tracesGroup);
    runName = traces.text(Messages.runName, Messages.runNameTip, false);
    output = traces.text(Messages.output, Messages.outputTip, true);
    traces.button(Messages.browseOutput, "", this::browse);
    org.eclipse.swt.widgets.Label note =
        new org.eclipse.swt.widgets.Label(traces.composite(), SWT.WRAP);
    note.setText(Messages.tracesNote);
    org.eclipse.jface.layout.GridDataFactory.fillDefaults().grab(true, false).span(3, 1)
        .hint(Form.letters(note, 60), SWT.DEFAULT).applyTo(note);
  }

  private void browse() {
    DirectoryDialog dialog = new DirectoryDialog(getShell(), SWT.SAVE);
    dialog.setText(Messages.outputTitle);
    String chosen = dialog.open();
    if (chosen != null) {
      output.setText(chosen);
    }
  }

  @Override
  void fill(Map<String, String> attributes) {
    String number = attributes.getOrDefault(REPETITIONS, "").strip();
    repetitions.setSelection(number.matches("\\d{1,4}") ? Integer.parseInt(number) : 1);
    set(runName, attributes.getOrDefault(RUN_NAME, ""));
    set(output, attributes.getOrDefault(OUTPUT, ""));
  }

  @Override
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put(REPETITIONS, unlessUsual(Integer.toString(repetitions.getSelection()), "1"));
    values.put(RUN_NAME, runName.getText().strip());
    values.put(OUTPUT, output.getText().strip());
    return values;
  }
}
