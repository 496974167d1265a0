package org.parallax.ui.testing;

import java.util.Arrays;
import java.util.List;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.views.IViewDescriptor;

/** The views of the category Parallel Performance, of whatever bundle. */
public final class OurViews {
  private static final String CATEGORY = "org.parallax.ui.views";

  private OurViews() {
  }

  public static List<IViewDescriptor> all() {
    return Arrays.stream(PlatformUI.getWorkbench().getViewRegistry().getCategories())
        .filter(category -> category.getId().equals(CATEGORY))
        .flatMap(category -> Arrays.stream(category.getViews())).toList();
  }

  public static List<String> ids() {
    return all().stream().map(IViewDescriptor::getId).sorted().toList();
  }
}
