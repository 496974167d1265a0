package org.parallax.ui.preferences;

import java.awt.Color;
import org.eclipse.jface.preference.IPreferenceStore;
import org.eclipse.jface.preference.PreferenceConverter;
import org.eclipse.swt.graphics.RGB;
import org.parallax.analysis.replay.Weight;
import org.parallax.model.program.Level;
import org.parallax.ui.platform.Settings;

/** What a person has chosen for all sessions. */
public final class Preferences {
  static final String LEVEL = "criticalPathLevel";
  static final String WEIGHT = "criticalPathWeight";
  static final String BIN = "histogramBinPoints";
  static final String OWN_COLORS = "ownColors";
  static final String PATH_COLOR = "criticalPathColor";
  static final String WAIT_COLOR = "waitColor";

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
    return color(PATH_COLOR, usual);
  }

  /** @return the colour of waiting, {@code usual} unless another was chosen */
  public static Color waitColor(Color usual) {
    return color(WAIT_COLOR, usual);
  }

  private static Color color(String key, Color usual) {
    if (!store().getBoolean(OWN_COLORS)) {
      return usual;
    }
    RGB rgb = PreferenceConverter.getColor(store(), key);
    return new Color(rgb.red, rgb.green, rgb.blue);
  }
}
