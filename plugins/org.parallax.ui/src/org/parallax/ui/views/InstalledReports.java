package org.parallax.ui.views;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IConfigurationElement;
import org.eclipse.core.runtime.Platform;
import org.parallax.analysis.reports.ReportCatalogue;
import org.parallax.analysis.reports.ReportKind;
import org.parallax.ui.ParallaxUi;

/** The reports of Parallax and of the plug-ins that are installed in this workbench. */
public final class InstalledReports {
  private static ReportCatalogue catalogue;

  private InstalledReports() {}

  /** @return the catalogue, made when first asked for; a plug-in whose report fails is in the log */
  public static synchronized ReportCatalogue catalogue() {
    if (catalogue == null) {
      List<ReportKind> kinds = new ArrayList<>();
      for (IConfigurationElement each : Platform.getExtensionRegistry()
          .getConfigurationElementsFor(ReportCatalogue.POINT)) {
        try {
          kinds.add((ReportKind) each.createExecutableExtension("class"));
        } catch (CoreException | ClassCastException e) {
          ParallaxUi.log(e.getMessage(), e);
        }
      }
      catalogue = new ReportCatalogue(kinds);
      catalogue.faults().forEach(fault -> ParallaxUi.log(ParallaxUi.sentence(fault), null));
    }
    return catalogue;
  }
}
