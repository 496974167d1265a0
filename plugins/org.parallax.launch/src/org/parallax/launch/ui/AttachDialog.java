package org.parallax.launch.ui;

import static org.parallax.record.LaunchAttributes.ATTACH_PROGRAM;
import static org.parallax.record.LaunchAttributes.ATTACH_TIME;

import java.util.List;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.debug.core.ILaunchConfigurationWorkingCopy;
import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.dialogs.TitleAreaDialog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.TabFolder;
import org.eclipse.swt.widgets.TabItem;
import org.eclipse.swt.widgets.Text;
import org.parallax.record.RunningProgram;
import org.parallax.ui.platform.UiLog;

/** Asks which running programs are recorded, for how long, and how they are measured. */
final class AttachDialog extends TitleAreaDialog {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 640;

  private final ILaunchConfigurationWorkingCopy configuration;
  private final List<ParallelTab> options =
      List.of(new MeasurementTab(true), new CollectorsTab(), new TuningTab());
  private ProcessList list;
  private Text time;
  private Button together;
  private List<RunningProgram> programs = List.of();

  /** @param configuration whose options are shown, and are saved if the person changes and confirms them */
  AttachDialog(Shell parent, ILaunchConfigurationWorkingCopy configuration) {
    super(parent);
    this.configuration = configuration;
  }

  /** What was chosen. */
  List<RunningProgram> programs() {
    return programs;
  }

  @Override
  protected void configureShell(Shell shell) {
    super.configureShell(shell);
    shell.setText(Messages.attachTitle);
  }

  @Override
  protected boolean isResizable() {
    return true;
  }

  @Override
  protected Point getInitialSize() {
    return new Point(WIDTH, HEIGHT);
  }

  @Override
  protected Control createDialogArea(Composite parent) {
    Composite area = (Composite) super.createDialogArea(parent);
    setTitle(Messages.attachHeading);
    setMessage(Messages.attachIntroHint);
    TabFolder folder = new TabFolder(area, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, true).indent(6, 6).applyTo(folder);
    add(folder, Messages.attachProcesses, createProcesses(folder));
    for (ParallelTab each : options) {
      each.createControl(folder);
      each.initializeFrom(configuration);
      add(folder, each.getName(), each.getControl());
    }
    return area;
  }

  private static void add(TabFolder folder, String name, Control control) {
    TabItem item = new TabItem(folder, SWT.NONE);
    item.setText(name);
    item.setControl(control);
  }

  private Control createProcesses(Composite parent) {
    Composite page = new Composite(parent, SWT.NONE);
    GridLayoutFactory.swtDefaults().applyTo(page);
    list = new ProcessList(page, attribute(ATTACH_PROGRAM), this::changed);
    GridDataFactory.fillDefaults().grab(true, true).applyTo(list);
    Composite below = new Composite(page, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, false).applyTo(below);
    Form form = Form.in(below, this::changed);
    time = form.text(Messages.attachTime, Messages.attachTimeTip, true);
    time.setText(attribute(ATTACH_TIME));
    Form buttons = form.cell(2);
    together = buttons.button(Messages.attachTogether, Messages.attachTogetherTip, list::selectTogether);
    together.setEnabled(false);
    buttons.button(Messages.attachRefresh, Messages.attachRefreshTip, list::refresh);
    return page;
  }

  private String attribute(String key) {
    try {
      return configuration.getAttribute(key, "");
    } catch (CoreException e) {
      UiLog.log(e.getMessage(), e);
      return "";
    }
  }

  @Override
  protected void createButtonsForButtonBar(Composite parent) {
    createButton(parent, IDialogConstants.OK_ID, Messages.attachRecord, true).setEnabled(false);
    createButton(parent, IDialogConstants.CANCEL_ID, IDialogConstants.CANCEL_LABEL, false);
  }

  /** Something else is chosen, or the list has come. */
  private void changed() {
    Button ok = getButton(IDialogConstants.OK_ID);
    if (ok == null || time == null) {
      return;
    }
    List<RunningProgram> chosen = list.selection();
    String problem = list.failure() != null ? list.failure()
        : !RunningTab.isTime(time.getText()) ? Messages.attachTimeWrong
            : chosen.stream().map(RunningProgram::problem).filter(text -> !text.isEmpty())
                .findFirst().orElse(null);
    setErrorMessage(problem);
    setMessage(chosen.size() < 2 ? Messages.attachIntroHint
        : NLS.bind(Messages.attachSeveral, chosen.size()));
    ok.setEnabled(problem == null && !chosen.isEmpty());
    together.setEnabled(list.hasTogether());
  }

  @Override
  protected void okPressed() {
    programs = list.selection();
    configuration.setAttribute(ATTACH_TIME, time.getText().strip());
    if (time.getText().isBlank()) {
      configuration.removeAttribute(ATTACH_TIME);
    }
    options.forEach(each -> each.performApply(configuration));
    try {
      if (configuration.isDirty() && configuration.getOriginal() != null) {
        configuration.doSave();
      }
    } catch (CoreException e) {
      UiLog.log(e.getMessage(), e);
    }
    super.okPressed();
  }

  @Override
  public boolean close() {
    options.forEach(ParallelTab::dispose);
    return super.close();
  }
}
