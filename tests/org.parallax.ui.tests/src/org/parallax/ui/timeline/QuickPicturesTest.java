package org.parallax.ui.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** While a person goes around, pictures can be quick ones. */
class QuickPicturesTest extends TimelineFixture {
  /** Whether both columns of each pair of the first lane have the same state. */
  private static boolean isPaired(TimelineDrawing drawing) {
    return IntStream.range(0, drawing.states().columns() / 2).allMatch(
        pair -> drawing.stateOfRow(0, 2 * pair) == drawing.stateOfRow(0, 2 * pair + 1));
  }

  /** What is painted from now on; the canvas, which stays, keeps it only while somebody else does. */
  private static List<TimelineDrawing> watch(TimelineControl control) {
    List<TimelineDrawing> seen = new ArrayList<>();
    WeakReference<List<TimelineDrawing>> kept = new WeakReference<>(seen);
    control.canvas().addOverlay(gc -> {
      List<TimelineDrawing> list = kept.get();
      if (list != null) {
        list.add(control.drawn());
      }
    });
    return seen;
  }

  /** The pictures of the part of the time in sight that were painted. */
  private static List<TimelineDrawing> painted(TimelineView view, List<TimelineDrawing> seen) {
    return seen.stream().filter(each -> each.scene().window().equals(window(view))).distinct().toList();
  }

  @Test
  void stepsHaveQuickPicturesWhereFullOnesTakeLongAndTheFullOneAtRest() throws Exception {
    TimelineView view = open(token(400));
    TimelineControl control = view.control();
    List<TimelineDrawing> seen = watch(control);
    try {
      control.refinement().setLongNs(0);
      key(view, '+', '+', 0);
      List<TimelineDrawing> painted = painted(view, seen);
      TimelineDrawing quick = painted.get(0);
      TimelineDrawing full = painted.get(painted.size() - 1);
      assertEquals(Detail.QUICK, quick.scene().detail());
      assertTrue(isPaired(quick));
      assertTrue(full.scene().detail() != Detail.QUICK);
      assertFalse(isPaired(full));
      assertEquals(quick.states().columns(), full.states().columns());
      // Where full ones take no time, steps have these.
      control.refinement().setLongNs(Long.MAX_VALUE);
      key(view, '+', '+', 0);
      assertTrue(painted(view, seen).stream().noneMatch(each -> each.scene().detail() == Detail.QUICK));
    } finally {
      control.refinement().setLongNs(Refinement.LONG_NS);
    }
  }

  private static TimelineDrawing draw(TimelineControl control, boolean isWanted) {
    BufferedImage image = new BufferedImage(800, 300, BufferedImage.TYPE_INT_RGB);
    TimelineDrawing drawing = new TimelineDrawing(
        control.scene(), control.canvas().theme(), control.drawn().colors(), () -> isWanted);
    drawing.draw(image.createGraphics(), image.getWidth(), image.getHeight(), null);
    return drawing;
  }

  @Test
  void fullPicturesAreQuickOnesWhenTheNextOneIsWaiting() throws Exception {
    TimelineControl control = open(token(400)).control();
    assertFalse(isPaired(draw(control, true)));
    assertTrue(isPaired(draw(control, false)));
  }

  @Test
  void lanesThatBecomeHigherHaveAQuickPictureFirst() throws Exception {
    TimelineView view = open(token(50));
    TimelineControl control = view.control();
    List<TimelineDrawing> seen = watch(control);
    try {
      control.refinement().setLongNs(0);
      control.zoomLanes(2);
      awaitPicture(view);
      List<Detail> details = seen.stream()
          .filter(each -> each.scene().laneHeight().equals(control.scene().laneHeight()))
          .map(each -> each.scene().detail()).distinct().toList();
      assertEquals(List.of(Detail.QUICK, Detail.FULL), details);
    } finally {
      control.setLaneHeight(LaneHeight.READABLE);
      control.refinement().setLongNs(Refinement.LONG_NS);
    }
  }
}
