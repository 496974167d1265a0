package org.parallax.ui.widgets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.layout.FillLayout;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.layout.GridLayout;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.ui.testing.Workbench;

/** All choices of a view can be reached however narrow it is. */
class ViewHeaderTest {
  private Shell shell;
  private Composite page;
  private ViewHeader header;

  @BeforeEach
  void open() {
    shell = new Shell(Workbench.window().getShell(), SWT.SHELL_TRIM);
    shell.setLayout(new FillLayout());
    page = new Composite(shell, SWT.NONE);
    page.setLayout(new GridLayout());
    header = new ViewHeader(page);
    header.control().setLayoutData(new GridData(SWT.FILL, SWT.CENTER, true, false));
    for (String label : new String[] {"Level:", "Path:", "Weight:"}) {
      Combo combo = new Combo(ViewHeader.labelled(header.choices(), label), SWT.READ_ONLY);
      combo.setItems("A choice that is long");
      combo.select(0);
    }
    header.show("all of the application", "total: 1.234 s");
    shell.open();
  }

  @AfterEach
  void close() {
    shell.close();
  }

  private void setWidth(int width) {
    shell.setSize(width, 400);
    Workbench.await("the width", () -> Math.abs(page.getSize().x - width) < 40);
    // GTK may tell the sizes of widgets that were just opened a moment later.
    Workbench.await("no choice to be cut", () -> {
      page.layout(true, true);
      return Arrays.stream(header.choices().getChildren()).allMatch(
          pair -> pair.computeSize(SWT.DEFAULT, SWT.DEFAULT).x == pair.getBounds().width);
    });
    for (Control pair : header.choices().getChildren()) {
      Rectangle bounds = pair.getBounds();
      assertTrue(bounds.x >= 0 && bounds.x + bounds.width <= header.choices().getSize().x
          && bounds.y + bounds.height <= header.choices().getSize().y, width + ": " + bounds);
    }
    Rectangle choices = header.choices().getBounds();
    assertTrue(choices.x + choices.width <= header.control().getSize().x
        && choices.y + choices.height <= header.control().getSize().y, width + ": " + choices);
  }

  private Label label(int index) {
    return (Label) header.control().getChildren()[index];
  }

  @Test
  void choicesTakeSeveralLinesWhereTheViewIsNarrow() {
    setWidth(1400);
    int line = header.control().getSize().y;
    assertTrue(label(1).getSize().x > label(1).computeSize(SWT.DEFAULT, SWT.DEFAULT).x);
    Rectangle amount = label(2).getBounds();
    assertTrue(amount.x > 1100, amount + " at the right");
    setWidth(420);
    assertTrue(header.control().getSize().y > 1.5 * line, header.control().getSize()::toString);
    assertTrue(label(2).getSize().x >= amount.width, "the amount stays");
    setWidth(1400);
    assertEquals(line, header.control().getSize().y);
  }

  private Button more() {
    return (Button) header.control().getChildren()[3];
  }

  private long inSight() {
    return Arrays.stream(header.choices().getChildren()).filter(Control::isVisible).count();
  }

  /** A table below must keep some rows. */
  @Test
  void choicesTakeOneLineOfALowViewUntilAPersonWantsTheOthers() {
    setWidth(1400);
    int line = header.control().getSize().y;
    shell.setSize(420, 120);
    Workbench.await("one line", () -> page.getSize().y < 130 && header.control().getSize().y < 1.5 * line);
    assertTrue(more().isVisible());
    assertEquals(1, inSight(), "what is not seen is not reached with the keyboard");
    assertTrue(label(2).getBounds().x >= more().getBounds().x + more().getBounds().width, "the amount is beside it");
    more().setSelection(true);
    more().notifyListeners(SWT.Selection, new Event());
    Workbench.await("all lines", () -> header.control().getSize().y > 2 * line);
    assertEquals(3, inSight());
    assertTrue(more().isVisible());
    setWidth(1400);
    assertFalse(more().isVisible());
    assertEquals(3, inSight());
    assertEquals(line, header.control().getSize().y);
  }

  /** The name of the application, which other views have, too. */
  @Test
  void aLowViewHasNoLineForWhatItIsOf() {
    setWidth(420);
    Arrays.stream(header.choices().getChildren()).forEach(Control::dispose);
    header.show("all of the application", "");
    page.layout(true, true);
    assertTrue(header.control().getSize().y > 0);
    shell.setSize(420, 120);
    Workbench.await("no line", () -> header.control().getSize().y == 0);
  }

  @Test
  void nothingIsLeftFreeForNoAmount() {
    setWidth(1400);
    int wide = label(1).getSize().x;
    header.show("all", "");
    setWidth(1400);
    assertTrue(label(1).getSize().x > wide);
  }
}
