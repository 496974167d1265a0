package org.parallax.ui.timeline;

import java.awt.Color;
import org.parallax.analysis.replay.WaitState;
import org.parallax.analysis.timeline.ProgramTimeline;
import org.parallax.model.program.ProcedureInfo;
import org.parallax.model.program.ProcedureKind;
import org.parallax.model.program.Procedures;
import org.parallax.ui.charts.ChartTheme;
import org.parallax.ui.preferences.Preferences;

/**
 * The colours of states. That of a procedure follows from its name, so that it is the same in every
 * trace and on every day: greens to violets for the program's own, paler ones for routines. Waits are
 * reds, which no procedure has.
 */
final class StateColors {
  private static final float FIRST_HUE = 0.22f;
  private static final float HUES = 0.62f;
  private static final int HUE_COUNT = 24;
  private static final int SHADES = 3;
  private static final int HALF = 128;

  private final ProgramTimeline timeline;
  private final boolean isDark;
  private final Color nothing;
  private final Color[] colors;

  StateColors(ProgramTimeline timeline, ChartTheme theme) {
    this.timeline = timeline;
    Color back = theme.background();
    isDark = back.getRed() + back.getGreen() + back.getBlue() < 3 * HALF;
    nothing = theme.grid();
    colors = new Color[timeline.stateCount()];
  }

  /** The colour of a state; of one thread's use only. */
  Color of(int state) {
    if (colors[state] == null) {
      WaitState wait = timeline.wait(state);
      colors[state] = wait != null ? wait(wait) : state == Procedures.NOT_SAMPLED ? nothing
          : procedure(timeline.workload().procedures().get(state));
    }
    return colors[state];
  }

  private Color wait(WaitState wait) {
    float share = wait.ordinal() / (float) WaitState.values().length;
    // From purple-red by red to orange, in turns lighter and darker.
    float hue = 0.90f + 0.18f * share;
    float brightness = 0.92f - 0.14f * (wait.ordinal() % SHADES);
    return Preferences.waitColor(Color.getHSBColor(hue, isDark ? 0.70f : 0.76f, brightness));
  }

  private Color procedure(ProcedureInfo info) {
    int hash = (info.name() + '|' + fileName(info.file())).hashCode();
    hash = hash * 0x9E3779B1;
    int shade = (hash >>> 8 & 0xff) % SHADES;
    float hue = FIRST_HUE + HUES * ((hash >>> 16) % HUE_COUNT) / HUE_COUNT;
    boolean routine = info.kind() != ProcedureKind.USER && info.kind() != ProcedureKind.UNRESOLVED;
    float saturation = routine ? 0.25f : 0.48f + 0.12f * shade;
    float brightness = isDark ? 0.60f + 0.11f * shade : 0.88f - 0.11f * shade;
    return Color.getHSBColor(hue, saturation, routine ? (isDark ? 0.52f : 0.90f) : brightness);
  }

  private static String fileName(String file) {
    return file.substring(file.lastIndexOf('/') + 1);
  }
}
