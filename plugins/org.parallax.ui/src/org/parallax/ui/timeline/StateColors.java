package org.parallax.ui.timeline;

import java.awt.Color;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.parallax.analysis.replay.WaitState;
import org.parallax.analysis.timeline.ProgramTimeline;
import org.parallax.model.program.ProcedureInfo;
import org.parallax.model.program.ProcedureName;
import org.parallax.model.program.Procedures;
import org.parallax.ui.charts.ChartTheme;
import org.parallax.ui.charts.ColorVision;
import org.parallax.ui.preferences.StateColorChoices;
import org.parallax.ui.preferences.StateGroup;
import org.parallax.ui.timeline.GroupShades.Shade;

/**
 * The colours of states: a hue for each {@link StateGroup}, and a shade of it that follows from the state's name, so
 * that a state has the same colour in every trace. Only where two of the {@value #FREQUENT} states with most time would
 * look alike, to people with any kind of colour vision, the one with less time has another shade of its group. So does
 * one of the next states that has the very colour of another.
 * Colours that a person chose are not changed, but for their lightness if the background hides them.
 */
final class StateColors {
  /** So many states with most time are told apart from each other. */
  static final int FREQUENT = 12;
  /** So many states with most time do not have the same colour: no legend has more. */
  static final int DIFFERENT = 36;
  /** Colours that are nearer look alike. */
  private static final double ALIKE = 13;
  private static final double SAME = 4;
  private static final double HIDDEN = 20;
  private static final int HALF = 128;

  private final ProgramTimeline timeline;
  private final boolean isDark;
  private final Shade background;
  private final Color nothing;
  private final StateColorChoices choices;
  private final int[] frequent;
  private final Color[] colors;
  /** Those of another run, whose states of the same names look the same; null for none. */
  private final StateColors model;

  StateColors(ProgramTimeline timeline, ChartTheme theme) {
    this(timeline, theme, StateColorChoices.load(), timeline.longest(DIFFERENT), null);
  }

  private StateColors(
      ProgramTimeline timeline, ChartTheme theme, StateColorChoices choices, int[] frequent,
      StateColors model) {
    this.timeline = timeline;
    this.model = model;
    this.choices = choices;
    this.frequent = frequent;
    background = new Shade(theme.background());
    isDark = isDark(theme.background());
    nothing = theme.grid();
    colors = new Color[timeline.stateCount()];
    if (model != null) {
      takeOver();
    }
    List<Shade> taken = new ArrayList<>(List.of(background, new Shade(nothing)));
    frequentColors().forEach(color -> taken.add(new Shade(color)));
    for (boolean isChosen : new boolean[] {true, false}) {
      for (int i = 0; i < frequent.length; i++) {
        int state = frequent[i];
        if (colors[state] == null && state != Procedures.NOT_SAMPLED && isChosen == choices.names().containsKey(timeline.name(state))) {
          Shade shade = isChosen ? new Shade(usual(state)) : apart(state, taken, i < FREQUENT ? ALIKE : SAME);
          colors[state] = shade.color();
          taken.add(shade);
        }
      }
    }
  }

  private void takeOver() {
    Map<String, Integer> known = new HashMap<>();
    for (int state = 0; state < model.colors.length; state++) {
      known.putIfAbsent(key(model.timeline, state), state);
    }
    for (int state = 0; state < colors.length; state++) {
      Integer same = known.get(key(timeline, state));
      if (same != null) {
        colors[state] = model.of(same);
      }
    }
  }

  /** The colours of the most frequent states that another run has given. */
  private List<Color> frequentColors() {
    return IntStream.of(frequent).mapToObj(state -> colors[state]).filter(Objects::nonNull).toList();
  }

  private static String key(ProgramTimeline timeline, int state) {
    if (timeline.wait(state) != null) {
      return timeline.wait(state).label();
    }
    return key(timeline.workload().procedures().get(state));
  }

  private static String key(ProcedureInfo info) {
    ProcedureName name = ProcedureName.of(info);
    return name.name() + '|' + name.file();
  }

  /** These, if they are still those of a timeline in a theme; else others. */
  static StateColors of(ProgramTimeline timeline, ChartTheme theme, StateColors before) {
    return of(timeline, theme, before, null);
  }

  /** @param colorsOf the timeline whose states have the colours that states of the same names take over; null for none */
  static StateColors of(ProgramTimeline timeline, ChartTheme theme, StateColors before,
      ProgramTimeline colorsOf) {
    StateColors model = colorsOf == null ? null
        : of(colorsOf, theme, before == null ? null : before.model, null);
    StateColorChoices choices = StateColorChoices.load();
    int[] frequent = timeline.longest(DIFFERENT);
    boolean same = before != null && before.timeline == timeline
        && before.background.color().equals(theme.background())
        && before.nothing.equals(theme.grid()) && before.choices.equals(choices)
        && before.model == model
        && Arrays.equals(before.frequent, frequent);
    return same ? before : new StateColors(timeline, theme, choices, frequent, model);
  }

  private static boolean isDark(Color back) {
    return back.getRed() + back.getGreen() + back.getBlue() < 3 * HALF;
  }

  /** The colour of a state; it is the same whichever thread asks. */
  Color of(int state) {
    Color color = colors[state];
    if (color == null) {
      color = state == Procedures.NOT_SAMPLED ? nothing : usual(state);
      colors[state] = color;
    }
    return color;
  }

  private Shade apart(int state, List<Shade> taken, double least) {
    GroupShades shades = shades(state);
    Shade usual = usual(shades, state);
    return usual.distance(taken) >= least ? usual : shades.farthest(taken);
  }

  private Color usual(int state) {
    Color chosen = choices.names().get(timeline.name(state));
    return chosen != null ? seen(chosen) : usual(shades(state), state).color();
  }

  private Shade usual(GroupShades shades, int state) {
    WaitState wait = timeline.wait(state);
    int place = wait != null ? wait.ordinal() : hash(timeline.workload().procedures().get(state));
    return shades.usual().get(Math.floorMod(place, shades.usual().size()));
  }

  private static int hash(ProcedureInfo info) {
    int hash = key(info).hashCode() * 0x9E3779B1;
    return hash >>> 16;
  }

  private GroupShades shades(int state) {
    StateGroup group = timeline.wait(state) != null ? StateGroup.WAIT
        : StateGroup.of(timeline.workload().procedures().get(state));
    return GroupShades.of(choices.of(group), isDark);
  }

  /** A colour that was chosen for a light background can be lost on a dark one. */
  private Color seen(Color chosen) {
    if (new Shade(chosen).distance(List.of(background)) >= HIDDEN) {
      return chosen;
    }
    double[] lch = ColorVision.lch(chosen);
    double lightness = isDark ? Math.max(lch[0], 45) : Math.min(lch[0], 70);
    for (double chroma = lch[1]; chroma > 0; chroma -= 2) {
      Color color = ColorVision.ofLch(lightness, chroma, lch[2]);
      if (color != null) {
        return color;
      }
    }
    return ColorVision.ofLch(lightness, 0, 0);
  }
}
