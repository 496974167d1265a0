package org.parallax.cdt;

import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.parallax.ui.testing.Workbench;

/** A question that a test does not expect is closed after a minute, so that the test fails. */
final class DialogGuard implements BeforeEachCallback, AfterEachCallback {
  private static final int PATIENCE_MS = 60_000;
  private static final Runnable CLOSE = DialogGuard::close;

  @Override
  public void beforeEach(ExtensionContext context) {
    Display.getCurrent().timerExec(PATIENCE_MS, CLOSE);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Display.getCurrent().timerExec(-1, CLOSE);
  }

  private static void close() {
    for (Shell shell : Display.getCurrent().getShells()) {
      if (!shell.isDisposed() && shell.isVisible() && shell != Workbench.window().getShell()) {
        shell.close();
      }
    }
  }
}
