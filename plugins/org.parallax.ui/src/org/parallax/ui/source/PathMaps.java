package org.parallax.ui.source;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.eclipse.core.runtime.preferences.IEclipsePreferences;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.osgi.service.prefs.BackingStoreException;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.platform.UiLog;

/** The path maps of this workspace: written on the preference page, or learned from a choice. */
public final class PathMaps {
  /** The preference that has them: a line for each, with a tab between the folders. */
  public static final String PREFERENCE = "pathMaps";

  private PathMaps() {
  }

  private static IEclipsePreferences node() {
    return InstanceScope.INSTANCE.getNode(Ids.BUNDLE);
  }

  /** All maps, in the order in which a person wrote them. */
  public static List<PathMap> all() {
    List<PathMap> maps = new ArrayList<>();
    node().get(PREFERENCE, "").lines().forEach(line -> {
      int tab = line.indexOf('\t');
      if (tab >= 0) {
        maps.add(new PathMap(line.substring(0, tab), line.substring(tab + 1)));
      }
    });
    return maps;
  }

  /** Those that say most come first: the longest folders. */
  static List<PathMap> byLength() {
    return all().stream()
        .sorted(Comparator.comparingInt((PathMap map) -> -map.from().length())).toList();
  }

  /** Replaces all maps; those without a target are left out. */
  public static void set(List<PathMap> maps) {
    StringBuilder text = new StringBuilder();
    for (PathMap map : maps) {
      if (!map.to().isEmpty()) {
        text.append(map.from()).append('\t').append(map.to()).append('\n');
      }
    }
    node().put(PREFERENCE, text.toString());
    try {
      node().flush();
    } catch (BackingStoreException e) {
      UiLog.log(e.getMessage(), e);
    }
  }

  /** Adds a map in place of another one for the same folder. */
  public static void add(PathMap map) {
    List<PathMap> maps = new ArrayList<>(all());
    maps.removeIf(other -> other.from().equals(map.from()));
    maps.add(map);
    set(maps);
  }
}
