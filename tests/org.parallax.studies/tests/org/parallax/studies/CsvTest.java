package org.parallax.studies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvTest {
  @TempDir
  Path folder;

  private Csv csv(String text) throws IOException {
    return Csv.read(Files.writeString(folder.resolve("table.csv"), text));
  }

  @Test
  void fieldsAreFoundByTheNameOfTheirColumn() throws IOException {
    Csv csv = csv("name,time\nf,12\ng,3.5\n");
    assertEquals(2, csv.rows().size());
    assertEquals("f", csv.rows().get(0).text("name"));
    assertEquals(12, csv.rows().get(0).ns("time"));
    assertEquals(3.5, csv.number("g", "time"));
  }

  @Test
  void quotedFieldsHoldCommasQuotesAndNewlines() throws IOException {
    Csv csv = csv("name,path\r\n\"f(int, char)\",\"a \"\"b\"\"\nc\"\r\nlast,\"x\"");
    assertEquals("f(int, char)", csv.rows().get(0).text("name"));
    assertEquals("a \"b\"\nc", csv.rows().get(0).text("path"));
    assertEquals("x", csv.rows().get(1).text("path"));
  }

  @Test
  void anEmptyFieldIsZeroAndWhatIsNoNumberIsNot() throws IOException {
    Csv.Row row = csv("name,error,verdict\nf,,faster\n").rows().get(0);
    assertEquals(0, row.number("error"));
    assertThrows(Failure.class, () -> row.number("verdict"));
  }

  @Test
  void whatIsMissingIsNamed() throws IOException {
    Csv csv = csv("name,time\nf,1\n");
    assertTrue(assertThrows(Failure.class, () -> csv.rows().get(0).text("cpu")).getMessage()
        .startsWith("no column cpu in "));
    assertTrue(assertThrows(Failure.class, () -> csv.number("g", "time")).getMessage().startsWith("no row g in "));
    assertThrows(Failure.class, () -> csv(""));
  }
}
