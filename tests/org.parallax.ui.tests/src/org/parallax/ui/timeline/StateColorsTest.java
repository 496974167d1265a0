package org.parallax.ui.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.Font;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.timeline.ProgramTimeline;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;
import org.parallax.ui.charts.ChartTheme;
import org.parallax.ui.charts.ColorVision;
import org.parallax.ui.preferences.StateColorChoices;
import org.parallax.ui.preferences.StateGroup;

/** Colours of states are told apart by people with any kind of colour vision, in both themes. */
class StateColorsTest {
  private static final long MS = 1_000_000;
  /** Several times what is noticeable between large areas. */
  private static final double LEAST = 8;

  private static final List<String> POINT_TO_POINT = List.of("MPI_Send", "MPI_Recv", "MPI_Isend",
      "MPI_Irecv", "MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Sendrecv", "MPI_Sendrecv_replace",
      "MPI_Probe", "MPI_Test", "MPI_Ssend");
  private static final List<String> COLLECTIVES = List.of("MPI_Allreduce", "MPI_Bcast",
      "MPI_Barrier", "MPI_Reduce", "MPI_Allgather", "MPI_Alltoall", "MPI_Iallreduce", "MPI_Scan",
      "MPI_Gather", "MPI_Scatter", "MPI_Alltoallv", "MPI_Reduce_scatter");
  private static final List<String> LOCKS = List.of("pthread_mutex_lock", "pthread_cond_wait",
      "pthread_join", "pthread_barrier_wait", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock",
      "pthread_mutex_unlock", "pthread_create", "pthread_cond_signal", "pthread_once",
      "pthread_spin_lock", "pthread_cond_timedwait");

  private final List<Trace> open = new ArrayList<>();
  @TempDir Path directory;

  @BeforeEach
  @AfterEach
  void usualColors() {
    new StateColorChoices(Map.of(), Map.of()).save();
    open.forEach(Trace::close);
    open.clear();
  }

  private static ChartTheme theme(boolean isDark) {
    return isDark ? ChartTheme.of(new Color(0x2f2f2f), new Color(0xdddddd), new Font("x", 0, 10))
        : ChartTheme.of(Color.WHITE, Color.BLACK, new Font("x", 0, 10));
  }

  /** A thread that is in each of the states, in the first for longest. */
  private ProgramTimeline timeline(List<String> states) throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve("states" + open.size()));
    TracedThread thread = trace.process("node1", "/opt/states").mpi(7, 0, 1).thread(0);
    thread.threadBegin(0, -1);
    long now = MS;
    for (int i = 0; i < states.size(); i++) {
      long length = (states.size() - i) * MS;
      if (states.get(i).startsWith("MPI_") || states.get(i).startsWith("pthread_")) {
        thread.enter(now, "main/" + states.get(i)).leave(now + length - 1);
      } else {
        thread.sample(now + length / 2, "main/" + states.get(i));
      }
      now += length;
    }
    thread.threadEnd(now);
    trace.process(0).exit(now, 0);
    Trace opened = Trace.open(trace.write());
    open.add(opened);
    ProgramTimeline timeline =
        new ApplicationAnalysis(SessionBuilder.of(opened).getApplications().get(0)).timeline();
    timeline.read(new int[] {0}, () -> { }, Progress.NONE);
    timeline.readInterplay(Progress.NONE);
    return timeline;
  }

  private static int state(ProgramTimeline timeline, String name) {
    for (int state = 0; state < timeline.stateCount(); state++) {
      if (timeline.name(state).equals(name)) {
        return state;
      }
    }
    throw new AssertionError(name + " is no state");
  }

  private static Color color(ProgramTimeline timeline, boolean isDark, String name) {
    return new StateColors(timeline, theme(isDark)).of(state(timeline, name));
  }

  private static List<String> functions(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add("function" + i);
    }
    return names;
  }

  @Test
  void noStateOfALegendHasTheColourOfAnother() throws Exception {
    List<String> names = new ArrayList<>(POINT_TO_POINT);
    names.addAll(COLLECTIVES);
    names.addAll(LOCKS);
    ProgramTimeline timeline = timeline(names);
    int[] longest = timeline.longest(StateColors.DIFFERENT);
    assertEquals(StateColors.DIFFERENT, longest.length);
    for (boolean isDark : new boolean[] {false, true}) {
      StateColors colors = new StateColors(timeline, theme(isDark));
      Map<Color, String> seen = new HashMap<>();
      for (int state : longest) {
        String other = seen.put(colors.of(state), timeline.name(state));
        assertNull(other, timeline.name(state) + " has the colour of " + other);
      }
    }
  }

  private void assertToldApart(List<String> names) throws Exception {
    ProgramTimeline timeline = timeline(names);
    for (boolean isDark : new boolean[] {false, true}) {
      StateColors colors = new StateColors(timeline, theme(isDark));
      List<ColorVision.Seen> seen = new ArrayList<>();
      seen.add(new ColorVision.Seen(theme(isDark).background()));
      int[] longest = timeline.longest(StateColors.FREQUENT);
      assertEquals(StateColors.FREQUENT, longest.length);
      for (int state : longest) {
        ColorVision.Seen one = new ColorVision.Seen(colors.of(state));
        for (ColorVision.Seen other : seen) {
          for (ColorVision.Kind kind : ColorVision.Kind.values()) {
            assertTrue(one.distance(other, kind) >= LEAST, timeline.name(state) + " of " + names
                + " is alike another for " + kind + (isDark ? " on dark: " : ": ")
                + one.distance(other, kind));
          }
        }
        seen.add(one);
      }
    }
  }

  @Test
  void statesOfOneGroupAreToldApart() throws Exception {
    assertToldApart(POINT_TO_POINT);
    assertToldApart(COLLECTIVES);
    assertToldApart(LOCKS);
    assertToldApart(functions(12));
  }

  @Test
  void eachGroupHasShadesThatAreToldApart() {
    for (StateGroup group : StateGroup.values()) {
      for (boolean isDark : new boolean[] {false, true}) {
        GroupShades shades = GroupShades.of(group.usual(), isDark);
        List<GroupShades.Shade> taken =
            new ArrayList<>(List.of(new GroupShades.Shade(theme(isDark).background())));
        for (int i = 0; i < StateColors.FREQUENT && group != StateGroup.OTHER; i++) {
          GroupShades.Shade next = shades.farthest(taken);
          assertTrue(next.distance(taken) >= 7, group + " " + i + ": " + next.distance(taken));
          taken.add(next);
        }
      }
    }
  }

  @Test
  void statesOfAllGroupsAreToldApartWhicheverAreFrequent() throws Exception {
    List<String> all = new ArrayList<>(functions(12));
    all.addAll(POINT_TO_POINT);
    all.addAll(COLLECTIVES);
    all.addAll(LOCKS);
    for (int seed = 1; seed <= 40; seed++) {
      Collections.shuffle(all, new Random(seed));
      assertToldApart(all.subList(0, 16));
    }
  }

  /** Both were of one colour. */
  @Test
  void aCollectiveAndAMessageHaveDifferentHues() throws Exception {
    ProgramTimeline timeline = timeline(List.of("MPI_Sendrecv_replace", "MPI_Allreduce", "solve"));
    for (boolean isDark : new boolean[] {false, true}) {
      double message = ColorVision.lch(color(timeline, isDark, "MPI_Sendrecv_replace"))[2];
      double collective = ColorVision.lch(color(timeline, isDark, "MPI_Allreduce"))[2];
      assertEquals(Math.floorMod(Math.round(message), 360),
          ColorVision.lch(StateGroup.POINT_TO_POINT.usual())[2] + 360, 30);
      assertEquals(Math.floorMod(Math.round(collective), 360),
          ColorVision.lch(StateGroup.COLLECTIVE.usual())[2] + 360, 30);
    }
  }

  @Test
  void aStateThatIsNotAlikeAnotherHasTheSameColourInEachTrace() throws Exception {
    ProgramTimeline one = timeline(List.of("solve", "MPI_Allreduce"));
    ProgramTimeline other = timeline(List.of("prepare", "solve", "pthread_mutex_lock"));
    assertEquals(color(one, false, "solve"), color(other, false, "solve"));
  }

  @Test
  void colorsOfGroupsAndNamesAreChosenAndKeptInBothThemes() throws Exception {
    ProgramTimeline timeline = timeline(List.of("solve", "MPI_Allreduce", "MPI_Send"));
    Color before = color(timeline, false, "MPI_Allreduce");
    new StateColorChoices(Map.of(), Map.of()).with(StateGroup.COLLECTIVE, new Color(0x0f8a3c))
        .with("solve", new Color(0x123456)).with("MPI_Send", Color.WHITE).save();
    assertEquals(0x123456, StateColorChoices.load().names().get("solve").getRGB() & 0xffffff);
    assertNotEquals(before, color(timeline, false, "MPI_Allreduce"));
    double hue = ColorVision.lch(new Color(0x0f8a3c))[2];
    for (boolean isDark : new boolean[] {false, true}) {
      assertEquals(hue, ColorVision.lch(color(timeline, isDark, "MPI_Allreduce"))[2], 30);
    }
    assertEquals(new Color(0x123456), color(timeline, false, "solve"));
    // What the background hides becomes lighter or darker.
    assertEquals(Color.WHITE, color(timeline, true, "MPI_Send"));
    Color onWhite = color(timeline, false, "MPI_Send");
    assertTrue(new ColorVision.Seen(onWhite).distance(new ColorVision.Seen(Color.WHITE)) > 20);
    StateColorChoices.load().with("solve", null).save();
    assertFalse(StateColorChoices.load().names().containsKey("solve"));
  }
}
