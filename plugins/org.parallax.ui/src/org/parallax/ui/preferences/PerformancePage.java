package org.parallax.ui.preferences;

import org.eclipse.jface.dialogs.IDialogSettings;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.preference.BooleanFieldEditor;
import org.eclipse.jface.preference.ColorFieldEditor;
import org.eclipse.jface.preference.ComboFieldEditor;
import org.eclipse.jface.preference.DirectoryFieldEditor;
import org.eclipse.jface.preference.FieldEditorPreferencePage;
import org.eclipse.jface.util.PropertyChangeEvent;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchPreferencePage;
import org.parallax.analysis.replay.Weight;
import org.parallax.model.program.Level;
import org.parallax.ui.platform.InstalledAgent;
import org.parallax.ui.platform.Settings;

/** The first of the preference pages of Parallax. */
public final class PerformancePage extends FieldEditorPreferencePage
    implements IWorkbenchPreferencePage {
  /** Where tables remember their columns, among the dialog settings of the plug-in. */
  private static final String TABLES = "tables";

  private BooleanFieldEditor ownColors;
  private ColorFieldEditor pathColor;

  public PerformancePage() {
    super(GRID);
  }

  @Override
  public void init(IWorkbench workbench) {
    setPreferenceStore(Preferences.store());
    setDescription(Messages.description);
  }

  @Override
  protected void createFieldEditors() {
    Composite parent = getFieldEditorParent();
    addField(new ComboFieldEditor(Preferences.LEVEL, Messages.level, new String[][] {
        {Messages.levelMachine, Level.MACHINE.name()},
        {Messages.levelProcess, Level.PROCESS.name()},
        {Messages.levelThread, Level.THREAD.name()},
        {Messages.levelProcedure, Level.PROCEDURE.name()}}, parent));
    addField(new ComboFieldEditor(Preferences.WEIGHT, Messages.weight, new String[][] {
        {Messages.weightCpu, Weight.CPU.name()}, {Messages.weightWall, Weight.WALL.name()}},
        parent));
    addField(new ComboFieldEditor(Preferences.BIN, Messages.bins, new String[][] {
        {Messages.binsFine, "3"}, {Messages.binsMiddle, "6"}, {Messages.binsWide, "12"}}, parent));
    ownColors = new BooleanFieldEditor(Preferences.OWN_COLORS, Messages.ownColors, parent);
    addField(ownColors);
    pathColor = new ColorFieldEditor(Preferences.PATH_COLOR, Messages.pathColor, parent);
    addField(pathColor);
    addField(new BooleanFieldEditor(Preferences.REOPEN, Messages.reopen, parent));
    DirectoryFieldEditor programs =
        new DirectoryFieldEditor(InstalledAgent.DIRECTORY, Messages.programs, parent);
    programs.getLabelControl(parent).setToolTipText(Messages.programsTip);
    addField(programs);
  }

  @Override
  protected Control createContents(Composite parent) {
    Control contents = super.createContents(parent);
    Button forget = new Button((Composite) contents, SWT.PUSH);
    forget.setText(Messages.forgetColumns);
    forget.setToolTipText(Messages.forgetColumnsTip);
    GridDataFactory.swtDefaults().applyTo(forget);
    forget.addListener(SWT.Selection, event -> {
      IDialogSettings settings = Settings.dialogs();
      settings.addNewSection(TABLES);
      forget.setEnabled(false);
    });
    enableColors(Preferences.store().getBoolean(Preferences.OWN_COLORS));
    return contents;
  }

  @Override
  public void propertyChange(PropertyChangeEvent event) {
    super.propertyChange(event);
    if (event.getSource() == ownColors) {
      enableColors(ownColors.getBooleanValue());
    }
  }

  @Override
  protected void performDefaults() {
    super.performDefaults();
    enableColors(ownColors.getBooleanValue());
  }

  private void enableColors(boolean enabled) {
    pathColor.setEnabled(enabled, getFieldEditorParent());
  }
}
