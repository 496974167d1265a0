package org.parallax.ui.platform;

import org.eclipse.core.runtime.Platform;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.jface.dialogs.IDialogSettings;
import org.eclipse.jface.preference.IPreferenceStore;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.preferences.ScopedPreferenceStore;

/** Where the workbench keeps what a person has set. */
public final class Settings {
  private static final IPreferenceStore PREFERENCES =
      new ScopedPreferenceStore(InstanceScope.INSTANCE, Ids.BUNDLE);

  private Settings() {
  }

  /** The preferences of this plug-in: what a person has chosen on its pages. */
  public static IPreferenceStore preferences() {
    return PREFERENCES;
  }

  /** What views and dialogs remember; written when the plug-in stops. */
  public static IDialogSettings dialogs() {
    return PlatformUI.getDialogSettingsProvider(Platform.getBundle(Ids.BUNDLE)).getDialogSettings();
  }
}
