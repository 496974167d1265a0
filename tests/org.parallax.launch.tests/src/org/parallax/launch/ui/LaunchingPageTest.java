package org.parallax.launch.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.eclipse.core.runtime.Status;
import org.eclipse.jface.dialogs.MessageDialogWithToggle;
import org.eclipse.jface.preference.IPreferenceStore;
import org.eclipse.jface.preference.PreferenceDialog;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.dialogs.PreferencesUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.launch.Launching;
import org.parallax.launch.LaunchingPreferences;
import org.parallax.ui.testing.Workbench;

/** What a person sets for all launches, and takes back. */
class LaunchingPageTest {
  private final IPreferenceStore store = LaunchingPreferences.store();
  private PreferenceDialog dialog;

  @BeforeEach
  void reset() throws Exception {
    Launching.reset();
    forget();
  }

  @AfterEach
  void forget() {
    if (dialog != null && dialog.getShell() != null) {
      dialog.close();
    }
    for (String key : List.of(LaunchingPreferences.WARNINGS, LaunchingPreferences.SHOW,
        LaunchingPreferences.FORMER)) {
      store.setToDefault(key);
    }
  }

  private Shell open() {
    dialog = PreferencesUtil.createPreferenceDialogOn(Workbench.window().getShell(),
        "org.parallax.launch.preferences", null, null);
    dialog.setBlockOnOpen(false);
    dialog.open();
    Workbench.handleEvents();
    return dialog.getShell();
  }

  /** Answers the question, if it is asked. */
  private static boolean isAsked(boolean always) {
    boolean[] asked = new boolean[1];
    Runnable answering = () -> {
      Shell question = Workbench.dialog("Incomplete Trace");
      if (question != null) {
        asked[0] = true;
        Button toggle = Workbench.button(question, "Always launch");
        toggle.setSelection(always);
        Workbench.press(toggle);
        Workbench.press(Workbench.button(question, "OK"));
      }
    };
    Display.getCurrent().timerExec(200, answering);
    Object answer = new WarningsHandler().handleStatus(Status.warning("No symbols."), null);
    // Where nothing was asked, it must not answer the next question.
    Display.getCurrent().timerExec(-1, answering);
    assertEquals(true, answer);
    return asked[0];
  }

  @Test
  void alwaysCanBeTakenBack() {
    assertTrue(isAsked(true));
    assertEquals(MessageDialogWithToggle.ALWAYS, store.getString(LaunchingPreferences.WARNINGS));
    assertFalse(isAsked(false));
    Shell shell = open();
    assertTrue(Workbench.button(shell, "Always launch").getSelection());
    Workbench.press(Workbench.button(shell, "Ask"));
    Workbench.press(Workbench.button(shell, "Apply and Close"));
    assertTrue(isAsked(false));
    assertTrue(isAsked(false));
  }

  @Test
  void defaultsAreTaken() {
    store.setValue(LaunchingPreferences.FORMER, 7);
    store.setValue(LaunchingPreferences.SHOW, false);
    Shell shell = open();
    List<Text> fields = Workbench.find(shell, Text.class,
        text -> text.isVisible() && text.getText().equals("7"));
    assertEquals(1, fields.size());
    Workbench.press(Workbench.button(shell, "Restore Defaults"));
    Workbench.press(Workbench.button(shell, "Apply and Close"));
    assertEquals(1, LaunchingPreferences.formerRuns());
    assertTrue(store.getBoolean(LaunchingPreferences.SHOW));
  }
}
