package org.parallax.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.ui.IFolderLayout;
import org.eclipse.ui.IPageLayout;
import org.junit.jupiter.api.Test;
import org.parallax.ui.platform.Ids;

/** Where views are on screens of several sizes; that the workbench makes it so is in PerspectiveTest. */
class PerformancePerspectiveTest {
  /** The folder of each view. */
  private final Map<String, String> folders = new HashMap<>();
  private float above;

  private void layOut(int width, int height) {
    folders.clear();
    IPageLayout layout = proxy(IPageLayout.class, (self, method, arguments) -> switch (method.getName()) {
      case "getEditorArea" -> "editors";
      case "createFolder" -> {
        if ((int) arguments[1] == IPageLayout.BOTTOM && arguments[3].equals("editors")) {
          above = (float) arguments[2];
        }
        yield folder((String) arguments[0]);
      }
      default -> null;
    });
    PerformancePerspective.createInitialLayout(layout, new Rectangle(0, 0, width, height));
  }

  private IFolderLayout folder(String name) {
    return proxy(IFolderLayout.class, (self, method, arguments) -> {
      folders.put((String) arguments[0], name);
      return null;
    });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void aUsualScreenHasRunsBesideTheTables() {
    layOut(1600, 1000);
    assertNotEquals(folders.get(Ids.CRITICAL_PATH_VIEW), folders.get(Ids.COMPARISON_VIEW));
    assertNotEquals(folders.get(Ids.TREES_VIEW), folders.get(IPageLayout.ID_PROJECT_EXPLORER));
    assertTrue(above > 0.5, "above: " + above);
  }

  /** 1,920 x 1,080 pixels at 200 %. */
  @Test
  void onAScreenWithLittleRoomTablesHaveAllOfTheWidth() {
    layOut(1600, 1000);
    Map<String, String> usual = Map.copyOf(folders);
    layOut(960, 540);
    assertEquals(usual.keySet(), folders.keySet());
    assertEquals(folders.get(Ids.CRITICAL_PATH_VIEW), folders.get(Ids.COMPARISON_VIEW));
    assertEquals(folders.get(Ids.CRITICAL_PATH_VIEW), folders.get(Ids.RUN_VIEW));
    assertEquals(folders.get(Ids.TREES_VIEW), folders.get(IPageLayout.ID_PROJECT_EXPLORER));
    assertEquals(usual.get(Ids.TIMELINE_VIEW), folders.get(Ids.TIMELINE_VIEW));
    assertTrue(above < 0.5, "above: " + above);
  }
}
