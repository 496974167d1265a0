package org.parallax.ui.platform;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IConfigurationElement;
import org.eclipse.core.runtime.Platform;
import org.parallax.trace.Contributions;

/** What the plug-ins of this workbench add to the extension points of the core. */
public final class InstalledPlugins {
  private InstalledPlugins() {}

  /**
   * @param point of which every element has the attribute {@code class}
   * @return an instance of each class that is named
   */
  public static <T> Contributions<T> contributions(String point, Class<T> type) {
    List<T> added = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    for (IConfigurationElement each
        : Platform.getExtensionRegistry().getConfigurationElementsFor(point)) {
      try {
        added.add(type.cast(each.createExecutableExtension("class")));
      } catch (CoreException | ClassCastException e) {
        faults.add("the class " + each.getAttribute("class") + " of "
            + each.getContributor().getName() + " is ignored: " + e.getMessage());
      }
    }
    return new Contributions<>(added, faults);
  }
}
