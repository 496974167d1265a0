package org.parallax.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bridge to CDT: installed where CDT is, refused where it is not. */
class CdtIdeTest {
  private static final String FEATURE = "org.parallax.cdt.feature.feature.group";
  @TempDir
  private static Path folder;
  private static Ide ide;

  @BeforeAll
  static void copy() throws Exception {
    ide = Ide.copiedTo(folder.resolve("ide"));
  }

  @Test
  void theBridgeNeedsCdtAndBringsParallax() throws Exception {
    Run.Result refused = ide.install(Project.SITE.toUri().toString(), FEATURE);
    assertNotEquals(0, refused.status());
    assertTrue((refused.out() + refused.err()).contains("org.eclipse.cdt.core"),
        refused::toString);
    assertEquals(List.of(), ide.installed("org.parallax."), "nothing is half installed");

    ide.install(Project.SITE.toUri() + "," + Project.CDT_SITE.toUri(), FEATURE).expect(0);
    for (String bundle : Bundles.manifests(Project.ROOT.resolve("plugins")).keySet()) {
      assertEquals(1, ide.installed(bundle + ",").size(), bundle);
    }
    assertEquals(1, ide.installed("org.eclipse.cdt.core,").size());
  }
}
