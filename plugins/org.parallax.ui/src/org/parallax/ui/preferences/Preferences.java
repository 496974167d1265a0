package org.parallax.ui.preferences;

import java.awt.Color;
import java.util.Set;
import org.eclipse.jface.preference.IPreferenceStore;
import org.eclipse.jface.preference.PreferenceConverter;
import org.eclipse.jface.util.IPropertyChangeListener;
import org.eclipse.swt.graphics.RGB;
import org.parallax.analysis.replay.Weight;
import org.parallax.model.program.Level;
import org.parallax.ui.platform.Settings;
import org.parallax.ui.platform.UiThread;

/** What a person has chosen for all sessions. */
public final class Preferences {
  static final String LEVEL = "criticalPathLevel";
  static final String WEIGHT = "criticalPathWeight";
  static final String BIN = "histogramBinPoints";
  static final String OWN_COLORS = "ownColors";
  static final String PATH_COLOR = "criticalPathColor";
  static final String REOPEN = "reopenTraces";

  private Preferences() {
  }

  static IPreferenceStore store() {
    return Settings.preferences();
  }

  /** The level with which views of critical paths begin. */
  public static Level level() {
    return Level.valueOf(store().getString(LEVEL));
  }

  /** The weight with which views of critical paths begin. */
  public static Weight weight() {
    return Weight.valueOf(store().getString(WEIGHT));
  }

  /** How wide the bins of histograms are drawn. */
  public static int pointsPerBin() {
    return Math.max(1, store().getInt(BIN));
  }

  /** @return the colour of critical paths, {@code usual} unless another was chosen */
  public static Color pathColor(Color usual) {
    if (!store().getBoolean(OWN_COLORS)) {
      return usual;
    }
    RGB rgb = PreferenceConverter.getColor(store(), PATH_COLOR);
    return new Color(rgb.red, rgb.green, rgb.blue);
  }

  /** Whether the traces that were open at the end are opened at the next start. */
  public static boolean reopensTraces() {
    return store().getBoolean(REOPEN);
  }

  /** Runs an action on the UI thread whenever a person has chosen other colours. */
  public static IPropertyChangeListener onColors(Runnable action) {
    IPropertyChangeListener listener = event -> {
      if (Set.of(OWN_COLORS, PATH_COLOR, StateColorChoices.KEY).contains(event.getProperty())) {
        UiThread.later(action);
      }
    };
    store().addPropertyChangeListener(listener);
    return listener;
  }

  /** Takes out what {@link #onColors} made. */
  public static void remove(IPropertyChangeListener listener) {
    store().removePropertyChangeListener(listener);
  }
}
