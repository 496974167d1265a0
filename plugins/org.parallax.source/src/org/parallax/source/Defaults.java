package org.parallax.source;

import org.eclipse.core.runtime.preferences.AbstractPreferenceInitializer;
import org.eclipse.core.runtime.preferences.DefaultScope;
import org.eclipse.core.runtime.preferences.IEclipsePreferences;

/** What is shown before a person has chosen. */
public final class Defaults extends AbstractPreferenceInitializer {
  @Override
  public void initializeDefaultPreferences() {
    IEclipsePreferences defaults = DefaultScope.INSTANCE.getNode(SourcePreferences.ID);
    defaults.put(SourceNumber.SHOWN, "EXCLUSIVE,INCLUSIVE,PATH,SENSITIVITY");
    defaults.put(SourceNumber.HEAT, "EXCLUSIVE");
    defaults.putBoolean(LineHover.SHOWN, true);
    defaults.put(DisassemblyView.SYNTAX, "INTEL");
  }
}
