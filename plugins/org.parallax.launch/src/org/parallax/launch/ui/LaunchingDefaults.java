package org.parallax.launch.ui;

import org.eclipse.core.runtime.preferences.AbstractPreferenceInitializer;
import org.eclipse.jface.dialogs.MessageDialogWithToggle;
import org.eclipse.jface.preference.IPreferenceStore;
import org.parallax.launch.LaunchingPreferences;

/** What holds for launches until a person chooses something else. */
public final class LaunchingDefaults extends AbstractPreferenceInitializer {
  /** The newest run is compared with the one before. */
  private static final int FORMER_RUNS = 1;

  @Override
  public void initializeDefaultPreferences() {
    IPreferenceStore store = LaunchingPreferences.store();
    store.setDefault(LaunchingPreferences.WARNINGS, MessageDialogWithToggle.PROMPT);
    store.setDefault(LaunchingPreferences.SHOW, true);
    store.setDefault(LaunchingPreferences.FORMER, FORMER_RUNS);
  }
}
