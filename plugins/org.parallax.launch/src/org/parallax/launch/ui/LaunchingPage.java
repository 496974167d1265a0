package org.parallax.launch.ui;

import org.eclipse.jface.dialogs.MessageDialogWithToggle;
import org.eclipse.jface.preference.BooleanFieldEditor;
import org.eclipse.jface.preference.FieldEditorPreferencePage;
import org.eclipse.jface.preference.IntegerFieldEditor;
import org.eclipse.jface.preference.RadioGroupFieldEditor;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchPreferencePage;
import org.parallax.launch.LaunchingPreferences;

/** What holds for all launches; here a question that was answered for ever can be asked again. */
public final class LaunchingPage extends FieldEditorPreferencePage
    implements IWorkbenchPreferencePage {
  private static final int MOST_RUNS = 100;

  public LaunchingPage() {
    super(GRID);
  }

  @Override
  public void init(IWorkbench workbench) {
    setPreferenceStore(LaunchingPreferences.store());
    setDescription(Messages.prefDescription);
  }

  @Override
  protected void createFieldEditors() {
    Composite parent = getFieldEditorParent();
    addField(new BooleanFieldEditor(LaunchingPreferences.SHOW, Messages.prefShow, parent));
    IntegerFieldEditor former =
        new IntegerFieldEditor(LaunchingPreferences.FORMER, Messages.prefFormer, parent);
    former.setValidRange(0, MOST_RUNS);
    former.getTextControl(parent).setToolTipText(Messages.prefFormerTip);
    addField(former);
    addField(new RadioGroupFieldEditor(LaunchingPreferences.WARNINGS, Messages.prefWarnings, 1,
        new String[][] {{Messages.prefWarningsAsk, MessageDialogWithToggle.PROMPT},
            {Messages.prefWarningsAlways, MessageDialogWithToggle.ALWAYS}}, parent, true));
  }
}
