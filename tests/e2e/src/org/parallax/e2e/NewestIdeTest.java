package org.parallax.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Installs the feature into the newest Eclipse platform, on a newer Java, and opens a trace there. */
class NewestIdeTest {
  @TempDir
  private static Path folder;

  @Test
  void theFeatureInstallsAndOpensATrace() throws Exception {
    assumeTrue(Files.exists(Project.NEWEST_IDE) && Files.exists(Project.NEWEST_JAVA),
        "the newest IDE could not be fetched");
    Ide ide = Ide.newestCopiedTo(folder.resolve("ide"));
    ide.install(Project.SITE.toUri().toString(), "org.parallax.feature.feature.group").expect(0);
    for (String bundle : Bundles.manifests(Project.ROOT.resolve("plugins")).keySet()) {
      int expected = bundle.equals(ArchitectureTest.CDT_BRIDGE) ? 0 : 1;
      assertEquals(expected, ide.installed(bundle + ",").size(), bundle);
    }
    Path trace = Project.ROOT.resolve("native/format/golden/messages");
    long total = PrintedReport.of(trace, "critical-path").total();
    assertTrue(total > 0, "an empty critical path");
    ide.opens(trace, total, folder);
  }
}
