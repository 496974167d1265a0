package org.parallax.ui.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.util.List;
import org.eclipse.jface.preference.PreferenceDialog;
import org.eclipse.jface.preference.PreferencePage;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.dialogs.PreferencesUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.replay.Weight;
import org.parallax.model.program.Level;
import org.parallax.ui.platform.Settings;
import org.parallax.ui.preferences.Preferences;
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
    assertEquals(new Color(230, 140, 40), Preferences.waitColor(Color.PINK));
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
