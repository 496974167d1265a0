package org.parallax.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Launches as Eclipse saves them, where no Eclipse runs. */
class LaunchFileTest {
  @TempDir Path directory;
  private Path project;

  @BeforeEach
  void makeProject() throws Exception {
    directory = directory.toRealPath();
    project = Files.createDirectories(directory.resolve("work/heat"));
    Files.writeString(project.resolve(".project"),
        "<projectDescription>\n<name>heat</name>\n</projectDescription>\n");
    Files.createDirectories(directory.resolve("work/other"));
  }

  private Path write(String name, String text) throws Exception {
    return Files.writeString(project.resolve(name), text);
  }

  private String failure(Path file) {
    return assertThrows(RecordException.class, () -> LaunchFile.read(file).settings()).getMessage();
  }

  private Path ours() throws Exception {
    return write("run heat.launch", """
        <?xml version="1.0" encoding="UTF-8" standalone="no"?>
        <launchConfiguration type="org.parallax.launch.parallelProgram">
            <stringAttribute key="org.parallax.launch.applications" value="1"/>
            <stringAttribute key="org.parallax.launch.application.1.program"
                value="${workspace_loc:/heat/bin/heat}"/>
            <stringAttribute key="org.parallax.launch.application.1.arguments" value="10 &quot;a b&quot;"/>
            <listAttribute key="org.eclipse.debug.core.MAPPED_RESOURCE_PATHS">
                <listEntry value="/heat"/>
            </listAttribute>
        </launchConfiguration>
        """);
  }

  @Test
  void aSavedLaunchIsPlannedAsItSays() throws Exception {
    Path file = ours();
    LaunchFile launch = LaunchFile.read(file);
    assertEquals("run heat", launch.name());
    assertEquals(List.of("/heat"),
        launch.attributes().get("org.eclipse.debug.core.MAPPED_RESOURCE_PATHS"));
    FileVariables variables = new FileVariables(file, null);
    LaunchPlan plan =
        LaunchPlan.of(launch.name(), launch.settings(), variables.base(), variables);
    assertEquals("run_heat", plan.name());
    assertEquals(List.of(project.resolve("bin/heat").toString(), "10", "a b"),
        plan.applications().get(0).command());
  }

  @Test
  void placesOfTheWorkspaceAreFoundAroundTheFileAndInIt() throws Exception {
    FileVariables variables = new FileVariables(ours(), null);
    assertEquals(project + "/x " + directory.resolve("work/other/y"),
        variables.replace("${workspace_loc:/heat/x} ${workspace_loc:/other/y}"));
    assertEquals(project.toString(), variables.replace("${project_loc:/heat/bin}"));
    assertEquals(System.getenv("PATH"), variables.replace("${env_var:PATH}"));
    Path saved = directory.resolve("work/.metadata/.plugins/a/.launches/b.launch");
    FileVariables inMetadata = new FileVariables(saved, null);
    assertEquals(directory.resolve("work").toString(), inMetadata.replace("${workspace_loc}"));
    assertEquals(directory.resolve("work"), inMetadata.base());
    assertEquals(project.resolve("z").toString(), inMetadata.replace("${workspace_loc:heat/z}"));
    for (String unknown : List.of("${workspace_loc:/none/x}", "${workspace_loc}",
        "${string_prompt}")) {
      String message =
          assertThrows(RecordException.class, () -> variables.replace(unknown)).getMessage();
      assertTrue(message.contains("--workspace") || message.contains("write the path itself"),
          message);
    }
  }

  @Test
  void aLaunchOfCdtIsOneApplicationInItsProject() throws Exception {
    Path file = write("c.launch", """
        <launchConfiguration type="org.eclipse.cdt.launch.applicationLaunchType">
            <stringAttribute key="org.eclipse.cdt.launch.PROGRAM_NAME" value="Debug/heat"/>
            <stringAttribute key="org.eclipse.cdt.launch.PROJECT_ATTR" value="heat"/>
            <stringAttribute key="org.eclipse.cdt.launch.PROGRAM_ARGUMENTS" value="1 2"/>
            <booleanAttribute key="org.eclipse.cdt.launch.use_terminal" value="true"/>
            <stringAttribute key="org.parallax.launch.sample-hz" value="50"/>
            <mapAttribute key="org.eclipse.debug.core.environmentVariables">
                <mapEntry key="SIZE" value="7"/>
            </mapAttribute>
        </launchConfiguration>
        """);
    FileVariables variables = new FileVariables(file, null);
    LaunchPlan plan =
        LaunchPlan.of("c", LaunchFile.read(file).settings(), variables.base(), variables);
    assertEquals(List.of(project.resolve("Debug/heat").toString(), "1", "2"),
        plan.applications().get(0).command());
    assertEquals(project, plan.applications().get(0).directory());
    assertEquals(Map.of("SIZE", "7"), plan.applications().get(0).environment());
    assertEquals(List.of("--sample-hz", "50"), plan.options());
  }

  @Test
  void whatIsNoLaunchIsToldSo() throws Exception {
    assertTrue(failure(project.resolve("none.launch")).contains("there is no file"));
    assertTrue(failure(write("a.launch", "<launchConf")).contains("line 1"));
    assertTrue(failure(write("b.launch", "<project/>")).contains("is not a launch configuration"));
    assertTrue(failure(write("c.launch", "<launchConfiguration type=\"org.x.java\"/>"))
        .contains("has the type org.x.java"));
    assertTrue(failure(write("d.launch", "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]>"
        + "<launchConfiguration type=\"&b;\"/>")).contains("cannot be read"));
  }
}
