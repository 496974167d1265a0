package org.parallax.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Installs the feature from the site into a plain IDE with the p2 director, as a person would;
 * records a program with the agent that came with it, and opens the trace there.
 */
class InstalledIdeTest {
  @TempDir
  private static Path folder;
  private static Ide ide;
  private static Path tools;

  @BeforeAll
  static void install() throws Exception {
    ide = Ide.copiedTo(folder.resolve("ide"));
    assertEquals(List.of(), ide.installed("org.parallax."),
        "the plain IDE must be without Parallax");
    ide.install(Project.SITE.toUri().toString(), "org.parallax.feature.feature.group").expect(0);
    tools = ide.bundle("org.parallax.agent.linux.x86_64_").resolve("os/linux/x86_64");
  }

  @Test
  void theDirectorInstallsEveryBundle() throws IOException {
    for (String bundle : Bundles.manifests(Project.ROOT.resolve("plugins")).keySet()) {
      int expected = bundle.equals(ArchitectureTest.CDT_BRIDGE) ? 0 : 1;
      assertEquals(expected, ide.installed(bundle + ",").size(), bundle);
    }
    assertEquals(1, ide.installed("org.jgrapht.core,").size());
  }

  @Test
  void theDirectorNamesTheFeatureAsInstalled() throws Exception {
    Run.Result roots = ide.director("-listInstalledRoots").expect(0);
    assertTrue(roots.out().contains("org.parallax.feature.feature.group/"), roots::toString);
  }

  @Test
  void aTraceOfTheInstalledAgentOpens() throws Exception {
    Path trace = folder.resolve("heat trace");
    Run.command(tools.resolve("parallax-record"), "-o", trace, "--", "mpirun.openmpi", "-n", "2",
        Project.NATIVE.resolve("programs/heat.openmpi"), "40", "200", "200").withMpi().run()
        .expect(0);
    long total = PrintedReport.of(trace, "critical-path").total();
    assertTrue(total > 0, "an empty critical path");
    ide.opens(trace, total, folder);
    // What was open comes back, also after the workbench was killed.
    ide.shows(trace, total, folder, "-perspective", "org.parallax.ui.perspective");
  }
}
