package org.parallax.ui.views;

import org.parallax.analysis.catalogue.ReportCatalogue;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.record.CodeTool;
import org.parallax.ui.platform.InstalledAgent;
import org.parallax.ui.platform.InstalledPlugins;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.platform.UiLog;

/** The reports of Parallax and of the plug-ins that are installed in this workbench. */
public final class InstalledReports {
  private static ReportCatalogue catalogue;

  private InstalledReports() {}

  /** @return the catalogue, made when first asked for; a plug-in whose report fails is in the log */
  public static synchronized ReportCatalogue catalogue() {
    if (catalogue == null) {
      catalogue = new ReportCatalogue(
          InstalledPlugins.contributions(ReportCatalogue.POINT, ReportKind.class),
          new CodeTool(InstalledAgent::find));
      catalogue.faults().forEach(fault -> UiLog.log(Texts.sentence(fault), null));
    }
    return catalogue;
  }
}
