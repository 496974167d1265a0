package org.parallax.source;

import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.jface.preference.IPreferenceStore;
import org.eclipse.ui.preferences.ScopedPreferenceStore;

/** What a person has chosen to see beside the lines of editors. */
final class SourcePreferences {
  /** The plug-in's id, under which the preferences are kept. */
  static final String ID = "org.parallax.source";

  private static final IPreferenceStore STORE =
      new ScopedPreferenceStore(InstanceScope.INSTANCE, ID);

  private SourcePreferences() {
  }

  static IPreferenceStore store() {
    return STORE;
  }
}
