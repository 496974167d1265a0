package org.parallax.ui.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.eclipse.swt.SWT;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.time.ThreadMetric;
import org.parallax.analysis.timeline.StateColumns;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;

/** Many lanes in a real workbench: made lower until all are in sight, grouped, sorted and folded. */
class TimelineLanesTest extends TimelineFixture {
  @AfterEach
  void plainLanes() throws Exception {
    view().lanes().arrange(LaneArrangement.PLAIN);
    view().control().setLaneHeight(LaneHeight.READABLE);
  }

  /** Of 1,000 ranks those from 400 to 599 are in {@code slow}, the others in {@code fast}. */
  private TimelineView thousand() throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve("thousand"));
    for (int rank = 0; rank < 1000; rank++) {
      TracedProcess process = trace.process("node" + rank / 500, "/opt/big").mpi(7, rank, 1000);
      String procedure = rank >= 400 && rank < 600 ? "main/slow" : "main/fast";
      process.thread(0).threadBegin(0, -1).enter(0, procedure).leave(100 * MS).threadEnd(100 * MS);
      process.exit(100 * MS, 0);
    }
    return open(trace.write());
  }

  private static String atHeight(TimelineView view, double part) {
    TimelineDrawing drawn = view.control().drawn();
    TimelineLayout layout = drawn.layout();
    int row = layout.rowAt(layout.plot().y + (int) (part * layout.plot().height),
        drawn.scene().scroll());
    int state = drawn.stateOfRow(row, drawn.states().columns() / 2);
    return state == StateColumns.NONE ? "" : drawn.scene().timeline().name(state);
  }

  @Test
  void aThousandLanesAreInSightAtOnce() throws Exception {
    TimelineView view = thousand();
    assertTrue(view.control().drawn().layout().mostScroll() > 0, "names are readable at first");
    view.lanes().fit().run();
    awaitPicture(view);
    TimelineLayout layout = view.control().drawn().layout();
    assertEquals(0, layout.mostScroll());
    assertTrue(layout.rowHeight() < 1, "several lanes share a line: " + layout.rowHeight());
    assertEquals("fast", atHeight(view, 0.2));
    assertEquals("slow", atHeight(view, 0.5));
    assertEquals("fast", atHeight(view, 0.8));
    // The picture has their colours there.
    BufferedImage image = new BufferedImage(900, 500, BufferedImage.TYPE_INT_RGB);
    TimelineDrawing again = new TimelineDrawing(view.control().scene(),
        view.control().canvas().theme(), view.control().drawn().colors(), () -> true);
    again.draw(image.createGraphics(), 900, 500, null);
    int x = again.layout().plot().x + again.layout().plot().width / 3;
    for (double part : new double[] {0.2, 0.45, 0.55, 0.8}) {
      int y = again.layout().plot().y + (int) (part * again.layout().plot().height);
      String wanted = part > 0.4 && part < 0.6 ? "slow" : "fast";
      int state = IntStream.range(0, again.scene().timeline().stateCount())
          .filter(each -> again.scene().timeline().name(each).equals(wanted)).findFirst().orElseThrow();
      assertEquals(again.colors().of(state).getRGB(), image.getRGB(x, y), "at " + part);
    }
    // The pointer tells which lanes share the line.
    TimelineLayout.Band band = view.control().drawn().band(0);
    String tip = TimelineTips.describe(view.control().drawn(), band, 10);
    assertTrue(tip.startsWith("big[0] to big[" + (band.toRow() - 1) + "] (" + band.toRow()
        + " threads) at "), tip);
    assertTrue(tip.endsWith("fast 100 %"), tip);
    key(view, '0', '0', SWT.MOD1);
    assertTrue(view.control().drawn().layout().mostScroll() > 0, "and back");
  }

  @Test
  void lanesAreZoomedAroundThePointer() throws Exception {
    TimelineView view = open(SampleTraces.wide(Files.createDirectory(directory.resolve("wide")), 300));
    key(view, 'f', 'f', 0);
    TimelineLayout all = view.control().drawn().layout();
    assertEquals(0, all.mostScroll());
    int y = all.plot().y + all.plot().height / 2;
    int row = all.rowAt(y, 0);
    for (int i = 0; i < 10; i++) {
      mouse(view, SWT.MouseVerticalWheel, all.plot().x + 9, y, SWT.MOD1 | SWT.SHIFT, 3);
      awaitPicture(view);
    }
    TimelineLayout high = view.control().drawn().layout();
    assertTrue(high.rowHeight() > 5 * all.rowHeight(), high.rowHeight() + " points");
    assertEquals(row, high.rowAt(y, view.control().scene().scroll()), 2, "it stays below the pointer");
    assertEquals(view.control().scene().all(), window(view), "the time is not zoomed");
    for (int i = 0; i < 14; i++) {
      key(view, '-', '-', SWT.MOD1);
    }
    assertEquals(LaneHeight.FIT, view.control().laneHeight());
  }

  @Test
  void lanesAreSortedAndGroupsAreFolded() throws Exception {
    TimelineView view = open(SampleTraces.ring(Files.createDirectory(directory.resolve("ring")), 8, 4));
    LaneMenu lanes = view.lanes();
    lanes.arrange(lanes.arrangement().with(new LaneArrangement.Order(
        false, LaneMetric.of(ThreadMetric.BYTES_SENT), false)));
    awaitPicture(view);
    assertEquals("circle[7]", view.control().scene().lanes().rows().get(0).name());
    assertEquals("circle[0]", view.control().scene().lanes().rows().get(7).name());
    lanes.arrange(LaneArrangement.PLAIN.with(LaneArrangement.Grouping.MACHINE));
    awaitPicture(view);
    assertEquals(10, view.control().scene().lanes().rows().size());
    // A click on the mark folds; the lane has the threads of the group.
    for (int machine = 0; machine < 2; machine++) {
      mouse(view, SWT.MouseDown, 10, y(view, machine), 0, 1);
      mouse(view, SWT.MouseUp, 10, y(view, machine), 0, 1);
      awaitPicture(view);
    }
    List<Lanes.Lane> rows = view.control().scene().lanes().rows();
    assertEquals(List.of("node1", "node2"), rows.stream().map(Lanes.Lane::name).toList());
    assertEquals(4, rows.get(0).threads().size());
    assertEquals("compute", state(view, rows.get(0).thread(), MS));
    // Messages between the machines are lines between their lanes.
    assertFalse(view.control().drawn().messages().lines().isEmpty());
    // A click on the lane selects the machine.
    mouse(view, SWT.MouseDown, x(view, MS), y(view, 1), 0, 1);
    mouse(view, SWT.MouseUp, x(view, MS), y(view, 1), 0, 1);
    awaitPicture(view);
    assertEquals(4, OpenSession.current().state().selection().nodes().get(0).threads().size());
    key(view, 'o', 'o', 0);
    assertEquals(6, view.control().scene().lanes().rows().size());
    lanes.arrange(lanes.arrangement().withFolded(Set.of()).with(
        new LaneFilter("[3]", LaneFilter.Choice.ALL, null, 0)));
    awaitPicture(view);
    assertTrue(view.control().status().contains("1 of 8 threads are shown (filter)"),
        view.control().status());
    lanes.arrange(lanes.arrangement().with(new LaneFilter("nobody", LaneFilter.Choice.ALL, null, 0)));
    Workbench.settle();
    Workbench.await("no lane", () -> view.control().scene().lanes().rows().isEmpty()
        && view.control().status().contains("0 of 8 threads are shown (filter)"));
  }
}
