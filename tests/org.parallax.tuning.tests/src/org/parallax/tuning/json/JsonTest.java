package org.parallax.tuning.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void linesAreReadAndWritten() throws JsonException {
    String line = "{\"type\":\"metrics\",\"time\":1234567890123456789,\"points\":[{\"key\":\"65536\",\"bytes2\":1.5e+20}],"
        + "\"text\":\"a \\\"b\\\" \\u00e4\\n\\\\\",\"none\":null,\"yes\":true}";
    Map<String, Object> read = Json.read(line);
    assertEquals(1234567890123456789L, Json.whole(read, "time", 0));
    assertEquals("a \"b\" \u00e4\n\\", Json.text(read, "text"));
    assertEquals(1.5e20, Json.number((Map<?, ?>) ((List<?>) read.get("points")).get(0), "bytes2", 0));
    assertEquals(read, Json.read(Json.line(read)));
    assertEquals("{\"a\":[],\"b\":{},\"c\":2,\"d\":null}",
        Json.line(new TreeMap<>(Map.of("a", List.of(), "b", Map.of(), "c", 2.0, "d", Double.NaN))));
  }

  @Test
  void spacesEscapesAndPairsAreRead() throws JsonException {
    Map<String, Object> read = Json.read(" { \"a\" : [ -1 , 2.5e-3 , { } , [ ] , false ] , \"\\ud83d\\ude00\\/\" : \"\\t\" } ");
    assertEquals(List.of(-1L, 0.0025, Map.of(), List.of(), false), read.get("a"));
    assertEquals("\t", read.get("\ud83d\ude00/"));
  }

  @Test
  void whatIsNoObjectIsRefused() {
    for (String line : List.of("", "x", "[1]", "{\"a\":", "{\"a\":1", "{\"a\":!!java.lang.Thread 1}", "{\"a\":*b}", "{\"a\":1}}", "{\"a\":1,}",
        "{a:1}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":tru}", "{\"a\":-}", "{\"a\":\"b", "{\"a\":1}\0{", "[".repeat(100_000))) {
      assertThrows(JsonException.class, () -> Json.read(line), line);
    }
  }
}
