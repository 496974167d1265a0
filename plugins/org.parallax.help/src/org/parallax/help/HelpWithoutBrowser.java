package org.parallax.help;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.core.runtime.Platform;
import org.eclipse.core.runtime.preferences.DefaultScope;
import org.eclipse.ui.IStartup;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.PlatformUI;

/** Lets the help system use {@link TextBrowser} where SWT has no browser of its own. */
public final class HelpWithoutBrowser implements IStartup {
  private static final String SYSTEM = "org.eclipse.help.base";
  /** Lets a person choose a browser. */
  private static final String CHOICE = "org.eclipse.ui.browser";
  /** What SWT loads, in GTK 3 and 4. */
  private static final List<String> LIBRARIES =
      List.of("libwebkit2gtk-4.1.so.0", "libwebkit2gtk-4.0.so.37", "libwebkitgtk-6.0.so.4");

  @Override
  public void earlyStartup() {
    if (Platform.getBundle(SYSTEM) != null && Platform.getBundle(CHOICE) == null && !hasBrowser()) {
      // Else the help view makes a browser in itself, and fails.
      DefaultScope.INSTANCE.getNode(SYSTEM).put("help_view_open_mode", "in browser");
      IWorkbench workbench = PlatformUI.getWorkbench();
      workbench.getDisplay().asyncExec(() -> {
        // The help system is made when it is asked for, and sets a browser then.
        if (workbench.getHelpSystem().hasHelpUI()) {
          TextBrowser.use();
        }
      });
    }
  }

  /** Looks for the library only: to load it would take hundreds of milliseconds. */
  static boolean hasBrowser() {
    if (!Platform.WS_GTK.equals(Platform.getWS())) {
      return true;
    }
    String more = System.getenv("LD_LIBRARY_PATH");
    String machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
    Stream<String> folders = Stream.concat(
        more == null ? Stream.of() : Stream.of(more.split(File.pathSeparator)),
        Stream.of("/usr/lib/" + machine + "-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib",
            "/lib/" + machine + "-linux-gnu", "/lib64", "/lib"));
    return folders.anyMatch(
        folder -> LIBRARIES.stream().anyMatch(name -> Files.exists(Path.of(folder, name))));
  }
}
