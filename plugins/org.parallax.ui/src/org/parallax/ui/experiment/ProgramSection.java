package org.parallax.ui.experiment;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.DirectoryDialog;
import org.eclipse.swt.widgets.FileDialog;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.forms.widgets.FormToolkit;
import org.parallax.model.Experiment;
import org.parallax.record.CommandLine;

/** What a trial runs: command, directory, the program that has the places. */
final class ProgramSection extends FormPart {
  private final Text command;
  private final Text directory;
  private final Text program;
  private boolean filling;

  ProgramSection(ExperimentEditor editor, FormToolkit toolkit, Composite parent) {
    super(editor, toolkit, parent, Messages.programTitle, "", 3);
    command = field(Messages.command, Messages.commandTip,
        (experiment, text) -> {
          experiment.getArguments().clear();
          experiment.getArguments().addAll(CommandLine.split(text));
        }, () -> {
          FileDialog dialog = new FileDialog(client.getShell(), SWT.OPEN);
          return dialog.open();
        });
    directory = field(Messages.directory, Messages.directoryTip, Experiment::setDirectory,
        () -> new DirectoryDialog(client.getShell()).open());
    program = field(Messages.program, Messages.programTip,
        (experiment, text) -> experiment.setProgram(text.isEmpty() ? null : text),
        () -> new FileDialog(client.getShell(), SWT.OPEN).open());
  }

  private Text field(String label, String tip, BiConsumer<Experiment, String> setter,
      java.util.function.Supplier<String> browse) {
    toolkit.createLabel(client, label);
    Text text = toolkit.createText(client, "", SWT.SINGLE);
    text.setToolTipText(tip);
    text.setMessage(tip);
    GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER).hint(200, SWT.DEFAULT)
        .applyTo(text);
    text.addListener(SWT.Modify, event -> {
      if (!filling && editor.experiment() != null) {
        editor.change(text, false,
            experiment -> setter.accept(experiment, text.getText().strip()));
      }
    });
    text.addListener(SWT.FocusOut, event -> editor.endField());
    button(client, Messages.browse, () -> {
      String chosen = browse.get();
      if (chosen != null) {
        text.setText(text == command ? CommandLine.join(List.of(chosen)) : chosen);
      }
    });
    return text;
  }

  @Override
  void fill(Experiment experiment) {
    filling = true;
    set(command, CommandLine.join(experiment.getArguments()));
    set(directory, orEmpty(experiment, Experiment::getDirectory));
    set(program, orEmpty(experiment, Experiment::getProgram));
    filling = false;
  }

  private static void set(Text text, String value) {
    if (!text.getText().equals(value)) {
      text.setText(value);
    }
  }

  private static String orEmpty(Experiment experiment, Function<Experiment, String> getter) {
    String value = getter.apply(experiment);
    return value == null ? "" : value;
  }

  Text command() {
    return command;
  }
}
