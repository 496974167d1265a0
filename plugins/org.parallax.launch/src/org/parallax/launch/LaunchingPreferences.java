package org.parallax.launch;

import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.jface.dialogs.MessageDialogWithToggle;
import org.eclipse.jface.preference.IPreferenceStore;
import org.eclipse.ui.preferences.ScopedPreferenceStore;

/** What a person has chosen for all launches. */
public final class LaunchingPreferences {
  /** Whether warnings are passed over: as {@link MessageDialogWithToggle} keeps answers. */
  public static final String WARNINGS = "launchDespiteWarnings";
  /** Whether the view of measurements comes into sight when one begins. */
  public static final String SHOW = "showMeasurements";
  /** How many runs of a launch stay open beside the newest. */
  public static final String FORMER = "formerRuns";

  private static final IPreferenceStore STORE =
      new ScopedPreferenceStore(InstanceScope.INSTANCE, ParallelLaunchDelegate.ID);

  private LaunchingPreferences() {
  }

  /** Where the answers are kept, and their defaults. */
  public static IPreferenceStore store() {
    return STORE;
  }

  /** How many runs of a launch stay open beside the newest. */
  public static int formerRuns() {
    return STORE.getInt(FORMER);
  }
}
