package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Profiles of Caliper in the reports. The records of the planted profile were read by caliper-reader 0.4.1, another reader of the
 * format, with the same paths and values.
 */
class CaliperTest {
  private static final Path PLANTED = Path.of("resources/fuzz/planted.cali");

  @TempDir Path directory;

  private Map<String, Map<?, ?>> profile(String text, String... options) throws IOException {
    Path file = Files.writeString(directory.resolve("planted.cali"), text);
    Run run = Run.of(Stream.concat(Stream.of("report", "profile", "--format", "json", file),
        Arrays.stream(options)).toArray());
    assertEquals(0, run.status(), run::err);
    Map<String, Map<?, ?>> rows = new TreeMap<>();
    for (Object row : (List<?>) Json.object(run.out()).get("rows")) {
      rows.put((String) ((Map<?, ?>) row).get("name"), (Map<?, ?>) row);
    }
    return rows;
  }

  private static void assertRow(Map<String, Map<?, ?>> rows, String name, long timeMs, long visits) {
    assertTrue(rows.containsKey(name), () -> name + " is not in " + rows.keySet());
    assertEquals(timeMs * 1_000_000, rows.get(name).get("time"), name);
    assertEquals(visits, rows.get(name).get("visits"), name);
  }

  @Test
  void reportsHaveTheSumsOfAProfile() throws IOException {
    Map<String, Map<?, ?>> rows = profile(Files.readString(PLANTED));
    assertEquals(4, rows.size(), rows::toString);
    assertRow(rows, "main", 10 + 25, 2);
    assertRow(rows, "a,b=c", 40, 100);
    assertRow(rows, "MPI_Recv", 10 + 5, 30);
    assertEquals(1_000_000L, rows.get("[no region]").get("time"));
    Map<String, Map<?, ?>> ranks = profile(Files.readString(PLANTED), "--level", "process");
    assertEquals(60_000_000L, ranks.get("unknown:planted[0]").get("time"), ranks::toString);
    assertEquals(31_000_000L, ranks.get("unknown:planted[1]").get("time"), ranks::toString);
    Run tree = Run.of("report", "calltree", directory.resolve("planted.cali"));
    assertTrue(tree.out().contains("\n  MPI_Recv"), tree::out);
    Run info = Run.of("info", directory.resolve("planted.cali"));
    assertTrue(info.err().contains("are averages, which cannot be added up, and are left out: avg#inclusive#sum#time.duration"),
        info::err);
    Run check = Run.of("check", directory.resolve("planted.cali"));
    assertEquals(0, check.status(), check::out);
  }

  @Test
  void withoutCountsVisitsAreALowerBound() throws IOException {
    Map<String, Map<?, ?>> rows = profile(Files.readString(PLANTED).replace("sum#region.count", "count"));
    assertRow(rows, "MPI_Recv", 15, 2);
    assertEquals(false, rows.get("MPI_Recv").get("visitsExact"));
  }

  @Test
  void wrongLinesAreLeftOut() throws IOException {
    String sound = Files.readString(PLANTED);
    String cycle = "__rec=node,id=50,attr=21,data=x,parent=51\n__rec=node,id=51,attr=21,data=y,parent=50\n";
    String wrong = "__rec=ctx,ref=99,attr=32,data=1\n__rec=ctx,ref=40,attr=32,data=x\nnothing\n";
    Map<String, Map<?, ?>> rows = profile(sound + cycle + wrong);
    assertRow(rows, "a,b=c", 40, 100);
    Run run = Run.of("report", "profile", directory.resolve("planted.cali"));
    for (String fault : List.of("line 24 of the profile is left out: the parent 51 of node 50 is not defined before it",
        "line 26 of the profile is left out: the node 99 is not defined before it",
        "line 27 of the profile is left out: the value of inclusive#sum#time.duration is no number",
        "line 28 of the profile is left out: it has no __rec")) {
      assertTrue(run.err().contains(fault), run::err);
    }
    Path file = Files.writeString(directory.resolve("other.cali"), "no profile\n");
    Run refused = Run.of("info", file);
    assertEquals(1, refused.status());
    assertTrue(refused.err().contains("cannot be read: no line of it is a record of Caliper"), refused::err);
    assertFalse(Files.exists(directory.resolve(".other.cali.parallax")));
  }
}
