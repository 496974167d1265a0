package org.parallax.ui.preferences;

import org.eclipse.core.runtime.preferences.AbstractPreferenceInitializer;
import org.eclipse.jface.preference.PreferenceConverter;
import org.eclipse.swt.graphics.RGB;
import org.parallax.analysis.replay.Weight;
import org.parallax.model.program.Level;
import org.parallax.ui.platform.InstalledAgent;

/** What holds until a person chooses something else. */
public final class PreferenceDefaults extends AbstractPreferenceInitializer {
  @Override
  public void initializeDefaultPreferences() {
    var store = Preferences.store();
    store.setDefault(Preferences.LEVEL, Level.PROCEDURE.name());
    store.setDefault(Preferences.WEIGHT, Weight.CPU.name());
    store.setDefault(Preferences.BIN, 3);
    store.setDefault(Preferences.OWN_COLORS, false);
    PreferenceConverter.setDefault(store, Preferences.PATH_COLOR, new RGB(214, 64, 48));
    store.setDefault(StateColorChoices.KEY, "");
    store.setDefault(Preferences.REOPEN, true);
    store.setDefault(InstalledAgent.DIRECTORY, "");
  }
}
