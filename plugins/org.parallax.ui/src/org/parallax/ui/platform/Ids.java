package org.parallax.ui.platform;

/** The names by which the workbench knows this plug-in and what it contributes. */
public final class Ids {
  public static final String BUNDLE = "org.parallax.ui";
  /** The type of the markers of what an experiment says of lines, and their attribute with the effect in percent. */
  public static final String SENSITIVITY_MARKER = "org.parallax.ui.sensitivity";
  public static final String SENSITIVITY_PERCENT = "sensitivityPercent";
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

  private Ids() {
  }
}
