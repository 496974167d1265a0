package org.parallax.ui.widgets;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.function.BooleanSupplier;
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

  /** Events of a former size can still come, and change both for a moment. */
  private void awaitText(String text, BooleanSupplier size) {
    Workbench.await(text, () -> size.getAsBoolean() && text().matches(text));
  }

  @Test
  void aLowViewHasOneLineWithALink() {
    Workbench.await("the size", () -> page.getSize().y > 400);
    bar.show(null, List.of("Short"));
    int line = bar.getSize().y;
    bar.show(null, LONG);
    awaitText(LONG.get(0) + ".*", () -> bar.getSize().y > 1.5 * line);
    shell.setSize(420, 160);
    awaitText("The start and the end.*\u2026  <a>and 1 more</a>", () -> bar.getSize().y <= line);
    assertEquals(String.join("\n\n", LONG), bar.details());
    bar.show(null, List.of("Short"));
    assertEquals("Short", text());
    bar.show(null, LONG);
    shell.setSize(420, 500);
    awaitText(LONG.get(0) + ".*", () -> bar.getSize().y > 1.5 * line);
  }
}
