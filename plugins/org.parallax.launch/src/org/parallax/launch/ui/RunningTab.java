package org.parallax.launch.ui;

import static org.parallax.record.LaunchAttributes.ATTACH_PROGRAM;
import static org.parallax.record.LaunchAttributes.ATTACH_TIME;
import static org.parallax.record.LaunchAttributes.OUTPUT;
import static org.parallax.record.LaunchAttributes.RUN_NAME;

import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.DirectoryDialog;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Text;

/** Which running programs a launch offers, for how long it records them, and where its traces go. */
public final class RunningTab extends ParallelTab {
  private Text program;
  private Text time;
  private Text runName;
  private Text output;

  public RunningTab() {
    super(Messages.runningTab, "applications");
  }

  /** Whether the recorder takes it as a time; empty for none. */
  static boolean isTime(String text) {
    return text.strip().matches("|\\d{1,7}(\\.\\d+)?[smh]?");
  }

  @Override
  void createFields(Form form) {
    Form programs = form.group(Messages.runningGroup);
    program = programs.text(Messages.runningProgram, Messages.runningProgramTip, false);
    time = programs.text(Messages.attachTime, Messages.attachTimeTip, false);
    note(programs, Messages.runningNote);
    Form traces = form.group(Messages.tracesGroup);
    runName = traces.text(Messages.runName, Messages.runningNameTip, false);
    output = traces.text(Messages.output, Messages.runningOutputTip, true);
    traces.button(Messages.browseOutput, "", this::browse);
    note(traces, Messages.tracesNote);
  }

  private static void note(Form form, String text) {
    Label note = new Label(form.composite(), SWT.WRAP);
    note.setText(text);
    GridDataFactory.fillDefaults().grab(true, false).span(3, 1)
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
    set(program, attributes.getOrDefault(ATTACH_PROGRAM, ""));
    set(time, attributes.getOrDefault(ATTACH_TIME, ""));
    set(runName, attributes.getOrDefault(RUN_NAME, ""));
    set(output, attributes.getOrDefault(OUTPUT, ""));
  }

  @Override
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put(ATTACH_PROGRAM, program.getText().strip());
    values.put(ATTACH_TIME, time.getText().strip());
    values.put(RUN_NAME, runName.getText().strip());
    values.put(OUTPUT, output.getText().strip());
    return values;
  }

  @Override
  public boolean isValid(ILaunchConfiguration configuration) {
    setErrorMessage(isTime(time.getText()) ? null : Messages.attachTimeWrong);
    return getErrorMessage() == null;
  }
}
