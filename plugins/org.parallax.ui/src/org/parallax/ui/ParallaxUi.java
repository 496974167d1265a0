package org.parallax.ui;

import java.nio.file.Path;
import java.util.Collection;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.jface.resource.ImageDescriptor;
import org.eclipse.jface.resource.ImageRegistry;
import org.eclipse.jface.resource.ResourceLocator;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.plugin.AbstractUIPlugin;
import org.osgi.framework.BundleContext;
import org.parallax.trace.TraceFormat;
import org.parallax.trace.TraceFormats;
import org.parallax.ui.open.TraceOpening;
import org.parallax.ui.session.InstalledPlugins;
import org.parallax.ui.session.OpenRun;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.views.FirstResult;

/** The plug-in: the names of what it contributes, its icons, and the session that is open. */
public final class ParallaxUi extends AbstractUIPlugin {
  public static final String ID = "org.parallax.ui";
  public static final String PERSPECTIVE = "org.parallax.ui.perspective";
  public static final String TREES_VIEW = "org.parallax.ui.views.trees";
  public static final String CRITICAL_PATH_VIEW = "org.parallax.ui.views.criticalPath";
  public static final String PROFILE_VIEW = "org.parallax.ui.views.profile";
  public static final String METRICS_VIEW = "org.parallax.ui.views.metrics";
  public static final String TIMELINE_VIEW = "org.parallax.ui.views.timeline";
  public static final String HISTOGRAM_VIEW = "org.parallax.ui.views.histogram";
  public static final String CALL_TREE_VIEW = "org.parallax.ui.views.callTree";
  public static final String FLAME_GRAPH_VIEW = "org.parallax.ui.views.flameGraph";
  public static final String NPT_VIEW = "org.parallax.ui.views.npt";
  public static final String GPROF_VIEW = "org.parallax.ui.views.gprof";
  public static final String WAITS_VIEW = "org.parallax.ui.views.waits";
  public static final String EFFICIENCY_VIEW = "org.parallax.ui.views.efficiency";
  public static final String COMMUNICATION_VIEW = "org.parallax.ui.views.communication";
  public static final String EVENTS_VIEW = "org.parallax.ui.views.events";
  public static final String PHASES_VIEW = "org.parallax.ui.views.phases";
  public static final String COMPARISON_VIEW = "org.parallax.ui.views.comparison";
  public static final String REPORT_VIEW = "org.parallax.ui.views.report";
  public static final String RUN_VIEW = "org.parallax.ui.views.experimentRun";
  public static final String EFFECTS_VIEW = "org.parallax.ui.views.effects";
  public static final String IMPORT_WIZARD = "org.parallax.ui.importTrace";

  private static ParallaxUi plugin;

  private final OpenSession session = new OpenSession();

  @Override
  public void start(BundleContext context) throws Exception {
    super.start(context);
    plugin = this;
    TraceFormats.install(
        InstalledPlugins.contributions(TraceFormats.POINT, TraceFormat.class));
    FirstResult.prepare();
  }

  @Override
  public void stop(BundleContext context) throws Exception {
    session.dispose();
    plugin = null;
    super.stop(context);
  }

  public static ParallaxUi plugin() {
    return plugin;
  }

  /** The session that this workbench has open. */
  public static OpenSession session() {
    return plugin.session;
  }

  /**
   * Opens traces in the session, and brings what they say into sight in a window that shows the
   * perspective; on the UI thread, returns at once.
   */
  public static void open(Collection<Path> directories) {
    open(directories, OpenRun.Series.NONE);
  }

  /** As {@link #open(Collection)}, of a run of a launch: former runs of it are closed but for some. */
  public static void open(Collection<Path> directories, OpenRun.Series series) {
    IWorkbenchWindow window = PlatformUI.getWorkbench().getActiveWorkbenchWindow();
    IWorkbenchPage page = window == null ? null : window.getActivePage();
    if (page != null && page.getPerspective() != null
        && page.getPerspective().getId().equals(PERSPECTIVE)) {
      TraceOpening.open(window, directories, series);
    } else {
      session().open(directories, series);
    }
  }

  /** An icon of this plug-in by its name without folder and extension. */
  public static ImageDescriptor descriptor(String icon) {
    return ResourceLocator.imageDescriptorFromBundle(ID, "icons/" + icon + ".png").orElseThrow();
  }

  /** As {@link #descriptor}, kept until the plug-in stops; on the UI thread only. */
  public static Image image(String icon) {
    ImageRegistry registry = plugin.getImageRegistry();
    Image image = registry.get(icon);
    if (image == null) {
      registry.put(icon, descriptor(icon));
      image = registry.get(icon);
    }
    return image;
  }

  /** Has F1 in a view open what the help book says of the view. */
  public static void offerHelp(Control control, String view) {
    PlatformUI.getWorkbench().getHelpSystem().setHelp(control,
        "org.parallax.help." + view.substring(view.lastIndexOf('.') + 1));
  }

  /** Runs an action on the UI thread later; drops it when the workbench has ended. */
  public static void onUiThread(Runnable action) {
    Display display = PlatformUI.isWorkbenchRunning() ? PlatformUI.getWorkbench().getDisplay() : null;
    if (display != null && !display.isDisposed()) {
      display.asyncExec(action);
    }
  }

  /** A message of the core, which may follow a program's name on the command line, on its own. */
  public static String sentence(String message) {
    return message.isEmpty() ? message
        : Character.toUpperCase(message.charAt(0)) + message.substring(1);
  }

  /** A status that shows its message and nothing else. */
  public static IStatus error(String message) {
    return new Status(IStatus.ERROR, ID, message);
  }

  /** Writes a failure of the program itself to the workbench's log. */
  public static void log(String message, Throwable failure) {
    plugin.getLog().log(new Status(IStatus.ERROR, ID, message, failure));
  }
}
