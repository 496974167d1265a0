package org.parallax.ui.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.util.List;
import java.util.Map;
import org.eclipse.jface.preference.PreferenceDialog;
import org.eclipse.jface.preference.PreferencePage;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.dialogs.PreferencesUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.replay.Weight;
import org.parallax.model.program.Level;
import org.parallax.ui.platform.Settings;
import org.parallax.ui.preferences.Preferences;
import org.parallax.ui.preferences.StateColorChoices;
import org.parallax.ui.testing.AccessibleNames;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.Views;

/** What a person sets on the preference page acts. */
class PreferencesTest {
  private PreferenceDialog dialog;

  @BeforeEach
  void open() throws Exception {
    Workbench.reset();
    dialog = PreferencesUtil.createPreferenceDialogOn(Workbench.window().getShell(),
        "org.parallax.ui.preferences", null, null);
    dialog.setBlockOnOpen(false);
    dialog.open();
    Workbench.handleEvents();
  }

  @AfterEach
  void forget() {
    if (dialog.getShell() != null) {
      dialog.close();
    }
    for (String key : new String[] {"criticalPathLevel", "criticalPathWeight", "ownColors",
        "histogramBinPoints"}) {
      Settings.preferences().setToDefault(key);
    }
  }

  @Test
  void criticalPathsBeginWithTheLevelAndTheWeight() throws Exception {
    List<Combo> combos = Workbench.find(page(), Combo.class, Combo::isVisible);
    Views.choose(combos.get(0), "Process");
    Views.choose(combos.get(1), "Wall time");
    Workbench.press(Workbench.button(dialog.getShell(), "Apply and Close"));
    assertNull(dialog.getShell());
    assertEquals(Level.PROCESS, Preferences.level());
    assertEquals(Weight.WALL, Preferences.weight());
    var view = Views.criticalPath();
    Workbench.page().hideView(view);
    Views.criticalPath();
    List<String> shown = Workbench.find(Workbench.window().getShell(), Combo.class, each -> true)
        .stream().map(Combo::getText).toList();
    assertTrue(shown.contains("Process") && shown.contains("Wall time"), shown::toString);
  }

  @Test
  void binsOfHistogramsAreAsWideAsChosen() {
    assertEquals(3, Preferences.pointsPerBin());
    Views.choose(Workbench.find(page(), Combo.class, Combo::isVisible).get(2),
        "smooth, 12 points wide");
    Workbench.press(Workbench.button(dialog.getShell(), "Apply and Close"));
    assertEquals(12, Preferences.pointsPerBin());
  }

  @Test
  void coloursAreOnesOwnOnlyWhenAskedFor() {
    assertEquals(Color.PINK, Preferences.pathColor(Color.PINK));
    Button own = Workbench.find(page(), Button.class,
        each -> each.getText().contains("in my own colours")).get(0);
    assertFalse(own.getSelection());
    own.setSelection(true);
    Workbench.press(own);
    Workbench.press(Workbench.button(dialog.getShell(), "Apply and Close"));
    assertEquals(new Color(214, 64, 48), Preferences.pathColor(Color.PINK));
  }

  @Test
  void statesHaveChosenColoursByGroupAndByName() {
    PreferenceDialog colors = PreferencesUtil.createPreferenceDialogOn(
        Workbench.window().getShell(), "org.parallax.ui.preferences.colors", null, null);
    colors.setBlockOnOpen(false);
    colors.open();
    Composite page = (Composite) ((PreferencePage) colors.getSelectedPage()).getControl();
    Button set = Workbench.find(page, Button.class, each -> each.getText().equals("&Set")).get(0);
    assertFalse(set.isEnabled());
    Workbench.find(page, Text.class, Text::isVisible).get(0).setText("MPI_Allreduce");
    Workbench.press(set);
    assertEquals("MPI_Allreduce",
        Workbench.find(page, Table.class, Table::isVisible).get(0).getItem(0).getText());
    assertTrue(StateColorChoices.load().names().isEmpty(), "not before it is applied");
    Workbench.press(Workbench.button(colors.getShell(), "Apply and Close"));
    assertEquals(Map.of("MPI_Allreduce", new Color(240, 140, 0)),
        StateColorChoices.load().names());
    new StateColorChoices(Map.of(), Map.of()).save();
  }

  @Test
  void everyFieldHasALabel() {
    for (Text text : Workbench.find(page(), Text.class, Text::isVisible)) {
      assertFalse(AccessibleNames.of(text).isBlank());
    }
  }

  private Composite page() {
    return (Composite) ((PreferencePage) dialog.getSelectedPage())
        .getControl();
  }
}
