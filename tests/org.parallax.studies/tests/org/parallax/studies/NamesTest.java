package org.parallax.studies;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class NamesTest {
  @Test
  void theBaseIsTheFunctionsOwnName() {
    assertEquals("partition", Names.base("join::partition(std::vector<int> const&)"));
    assertEquals("main", Names.base("main"));
    assertEquals("MPI_Probe", Names.base("MPI_Probe"));
  }

  @Test
  void aQualifiedNameHasItsScopes() {
    assertEquals("std::endl",
        Names.qualified("std::basic_ostream<char, std::char_traits<char> >& std::endl<char>(std::ostream&)"));
    assertEquals("drops::Output::putLine", Names.qualified("drops::Output::putLine(double, int)"));
    assertEquals("std::ostream::operator<<",
        Names.qualified("std::ostream::operator<<(std::ostream& (*)(std::ostream&))"));
  }

  @Test
  void aPathHasFrames() {
    assertEquals(List.of("_start", "main", "f(int, char)"), Names.frames("_start;main;f(int, char)"));
  }
}
