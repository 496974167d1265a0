package org.parallax.ui.widgets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.FillLayout;
import org.eclipse.swt.layout.GridLayout;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Link;
import org.eclipse.swt.widgets.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.ui.testing.Workbench;

/** Warnings leave room for the result below them. */
class MessageBarTest {
  private static final List<String> LONG = List.of("The start and the end of MPI take 10 % of the run; the phase "
      + "mpi is the time between them", "Another warning");

  private Shell shell;
  private Composite page;
  private MessageBar bar;

  @BeforeEach
  void open() {
    shell = new Shell(Workbench.window().getShell(), SWT.SHELL_TRIM);
    shell.setLayout(new FillLayout());
    page = new Composite(shell, SWT.NONE);
    page.setLayout(new GridLayout());
    bar = new MessageBar(page, MessageBar::summary);
    shell.setSize(420, 500);
    shell.open();
  }

  @AfterEach
  void close() {
    shell.close();
  }

  private String text() {
    return Workbench.find(bar, Link.class, link -> true).get(0).getText();
  }

  @Test
  void aLowViewHasOneLineWithALink() {
    Workbench.await("the size", () -> page.getSize().y > 400);
    bar.show(null, List.of("Short"));
    int line = bar.getSize().y;
    bar.show(null, LONG);
    assertTrue(bar.getSize().y > 1.5 * line, "there is room for several lines");
    assertTrue(text().startsWith(LONG.get(0)), text());
    shell.setSize(420, 160);
    Workbench.await("one line", () -> bar.getSize().y <= line);
    assertTrue(text().matches("The start and the end.*\u2026  <a>and 1 more</a>"), text());
    assertEquals(String.join("\n\n", LONG), bar.details());
    bar.show(null, List.of("Short"));
    assertEquals("Short", text());
    bar.show(null, LONG);
    shell.setSize(420, 500);
    Workbench.await("several lines", () -> bar.getSize().y > 1.5 * line);
    assertTrue(text().startsWith(LONG.get(0)), text());
  }
}
