package org.parallax.launch.ui;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.DirectoryDialog;
import org.eclipse.swt.widgets.FileDialog;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.dialogs.ElementTreeSelectionDialog;
import org.eclipse.ui.model.BaseWorkbenchContentProvider;
import org.eclipse.ui.model.WorkbenchLabelProvider;
import org.parallax.model.RunMode;
import org.parallax.record.ApplicationSettings;
import org.parallax.record.LaunchAttributes.Field;

/** The fields of one application. */
final class ApplicationFields {
  private static final List<RunMode> MODES =
      List.of(RunMode.ACTIVE, RunMode.REPLAY, RunMode.COMPARISON);
  private static final String[] LAUNCHERS =
      {"", "mpirun", "mpirun.openmpi", "mpirun.mpich", "mpiexec", "srun"};

  private final Map<Field, Text> texts = new EnumMap<>(Field.class);
  private final Consumer<ApplicationSettings> edited;
  private final Combo mode;
  private final Combo launcher;
  /** What is in the row of each label, the label included, in the order of rows. */
  private final List<List<Control>> rows;
  private ApplicationSettings shown;
  private boolean isShowing;

  /** @param edited is told what the fields say after each change by a person */
  ApplicationFields(Form parent, Consumer<ApplicationSettings> edited) {
    this.edited = edited;
    Form form = Form.in(parent.group(Messages.applicationGroup).composite(), this::changed);
    texts.put(Field.NAME, form.text(Messages.name, Messages.nameTip, false));
    mode = form.combo(Messages.mode, Messages.modeTip, false,
        MODES.stream().map(ApplicationsTab::modeName).toArray(String[]::new));
    texts.put(Field.PROGRAM, form.text(Messages.program, Messages.programTip, true));
    Form browse = form.cell(3);
    browse.button(Messages.searchProjects, Messages.searchProjectsTip, this::searchProjects);
    browse.button(Messages.browseWorkspace, "", this::browseWorkspace);
    browse.button(Messages.browseFiles, "", this::browseFiles);
    texts.put(Field.ARGUMENTS, form.text(Messages.arguments, Messages.argumentsTip, false));
    texts.put(Field.DIRECTORY, form.text(Messages.directory, Messages.directoryTip, true));
    form.button(Messages.browseDirectory, "", () -> browse(Field.DIRECTORY));
    launcher = form.combo(Messages.launcher, Messages.launcherTip, true, LAUNCHERS);
    texts.put(Field.PROCESSES, form.text(Messages.processes, Messages.processesTip, false));
    texts.put(Field.LAUNCHER_ARGUMENTS,
        form.text(Messages.launcherArguments, Messages.launcherArgumentsTip, false));
    texts.put(Field.HOSTS, form.text(Messages.hosts, Messages.hostsTip, false));
    texts.put(Field.ENVIRONMENT,
        form.area(Messages.environment, Messages.environmentTip, 3, true));
    texts.put(Field.TRACE, form.text(Messages.trace, Messages.traceTip, true));
    form.button(Messages.browseTrace, "", () -> browse(Field.TRACE));
    rows = rows(form.composite().getChildren());
    show(null);
  }

  void focus() {
    texts.get(Field.PROGRAM).setFocus();
  }

  /** @param settings null for none */
  void show(ApplicationSettings settings) {
    isShowing = true;
    shown = settings;
    ApplicationSettings values = settings == null ? ApplicationSettings.EMPTY : settings;
    texts.forEach((field, text) -> ParallelTab.set(text, values.get(field)));
    mode.select(Math.max(0, MODES.indexOf(values.mode())));
    if (!launcher.getText().equals(values.get(Field.LAUNCHER))) {
      launcher.setText(values.get(Field.LAUNCHER));
    }
    enable();
    isShowing = false;
  }

  private static List<List<Control>> rows(Control[] controls) {
    List<List<Control>> rows = new ArrayList<>();
    for (Control each : controls) {
      if (each instanceof Label) {
        rows.add(new ArrayList<>());
      }
      rows.get(rows.size() - 1).add(each);
    }
    return rows;
  }

  /** Shows the rows that the mode has, and enables what the launcher needs. */
  private void enable() {
    boolean isActive = mode.getSelectionIndex() <= 0;
    Control trace = texts.get(Field.TRACE);
    Control name = texts.get(Field.NAME);
    boolean isChanged = false;
    for (List<Control> row : rows) {
      boolean isShown = row.contains(name) || row.contains(mode)
          || row.contains(trace) != isActive;
      for (Control each : row) {
        GridData data = (GridData) each.getLayoutData();
        isChanged |= data.exclude == isShown;
        data.exclude = !isShown;
        each.setVisible(isShown);
        each.setEnabled(shown != null);
      }
    }
    boolean isLaunched = shown != null && !launcher.getText().isBlank();
    for (Field field : List.of(Field.PROCESSES, Field.LAUNCHER_ARGUMENTS, Field.HOSTS)) {
      texts.get(field).setEnabled(isLaunched);
    }
    if (isChanged) {
      mode.requestLayout();
    }
  }

  private void changed() {
    if (isShowing || shown == null) {
      return;
    }
    ApplicationSettings settings = ApplicationSettings.EMPTY;
    for (Map.Entry<Field, Text> each : texts.entrySet()) {
      settings = settings.with(each.getKey(), each.getValue().getText());
    }
    RunMode chosen = MODES.get(Math.max(0, mode.getSelectionIndex()));
    shown = settings.with(Field.LAUNCHER, launcher.getText()).with(Field.MODE,
        chosen == RunMode.ACTIVE ? "" : chosen.getName().toLowerCase(Locale.ROOT));
    enable();
    edited.accept(shown);
  }

  private void browseWorkspace() {
    ElementTreeSelectionDialog dialog = new ElementTreeSelectionDialog(mode.getShell(),
        new WorkbenchLabelProvider(), new BaseWorkbenchContentProvider());
    dialog.setTitle(Messages.programTitle);
    dialog.setMessage(Messages.programMessage);
    dialog.setInput(ResourcesPlugin.getWorkspace().getRoot());
    dialog.setAllowMultiple(false);
    if (dialog.open() == org.eclipse.jface.window.Window.OK
        && dialog.getFirstResult() instanceof IFile file) {
      texts.get(Field.PROGRAM).setText(variable(file));
    }
  }

  private void searchProjects() {
    IFile program = ProgramChooser.ofWorkspace(mode.getShell());
    if (program != null) {
      texts.get(Field.PROGRAM).setText(variable(program));
    }
  }

  /** How a launch names a file of the workspace, so that it is found wherever that is. */
  static String variable(IResource resource) {
    return "${workspace_loc:" + resource.getFullPath() + "}";
  }

  private void browseFiles() {
    FileDialog dialog = new FileDialog(mode.getShell(), SWT.OPEN);
    dialog.setText(Messages.programTitle);
    String chosen = dialog.open();
    if (chosen != null) {
      texts.get(Field.PROGRAM).setText(chosen);
    }
  }

  private void browse(Field field) {
    DirectoryDialog dialog = new DirectoryDialog(mode.getShell(), SWT.OPEN);
    dialog.setText(field == Field.TRACE ? Messages.traceTitle : Messages.directoryTitle);
    String chosen = dialog.open();
    if (chosen != null) {
      texts.get(field).setText(chosen);
    }
  }
}
