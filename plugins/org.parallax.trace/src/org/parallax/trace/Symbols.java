package org.parallax.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Functions, files and lines of addresses, as {@code parallax-symbols} found them after the run.
 * What could not be resolved has a reason.
 */
public final class Symbols {
  /** The file's name in the trace directory. */
  public static final String FILE_NAME = "symbols";
  private static final String FIRST_LINE = "parallax-symbols\t1";

  /**
   * A function at an address.
   *
   * @param function demangled
   * @param file absolute where known, else empty
   * @param line 0 where unknown
   * @param declaredLine where the function begins, 0 where unknown
   * @param inlined whether it was inlined into the next frame
   */
  public record Frame(String function, String file, int line, int declaredLine, boolean inlined) {
  }

  /**
   * What is known of an address.
   *
   * @param module null when the address is in no module
   * @param offset from the module's load bias; the address itself where there is no module
   * @param function where the function begins, as unwind information tells of an address without
   *     frames; the offset itself where it does not
   * @param frames innermost first; empty when the address could not be resolved
   * @param reason why not; empty when it could
   */
  public record Location(Module module, long offset, long function, List<Frame> frames,
      String reason) {
    public boolean isResolved() {
      return !frames.isEmpty();
    }

    /**
     * The name for display: the innermost function's, else module+offset of where the function begins,
     * or of the address where that is unknown, else the address.
     */
    public String label() {
      if (!frames.isEmpty()) {
        return frames.get(0).function();
      }
      String hex = "0x" + Long.toHexString(function);
      return module == null ? hex : module.name() + "+" + hex;
    }
  }

  private record Key(String buildId, String path) {
  }

  private static final class ModuleSymbols {
    private final Map<Long, List<Frame>> framesByOffset = new HashMap<>();
    /** Of addresses without frames. */
    private final Map<Long, Long> functionsByOffset = new HashMap<>();
    private String reason = "";
  }

  private final Map<Key, ModuleSymbols> modules = new HashMap<>();
  private final String missing;

  private Symbols(String missing) {
    this.missing = missing;
  }

  /** No symbols, for this reason. */
  static Symbols none(String reason) {
    return new Symbols(reason);
  }

  /** Reads the symbols of a trace directory; what cannot be read becomes the reason. */
  static Symbols read(Path directory) {
    Path file = directory.resolve(FILE_NAME);
    if (!Files.exists(file)) {
      return none("the trace has no symbols; run: parallax-symbols " + directory);
    }
    Symbols symbols = new Symbols("");
    var decoder = StandardCharsets.UTF_8.newDecoder()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .onUnmappableCharacter(CodingErrorAction.REPLACE);
    try (var in = Files.newInputStream(file);
        var lines = new BufferedReader(new InputStreamReader(in, decoder))) {
      if (!FIRST_LINE.equals(lines.readLine())) {
        return none("the trace's symbols have an unknown version; run again: parallax-symbols "
            + directory);
      }
      symbols.parse(lines);
    } catch (IOException e) {
      return none("the trace's symbols cannot be read: " + e.getMessage());
    }
    return symbols;
  }

  /** What is wrong with the file of symbols, empty when nothing is or there is none. */
  static String problemOf(Path directory) {
    Path file = directory.resolve(FILE_NAME);
    byte[] begin = (FIRST_LINE + "\n").getBytes(StandardCharsets.UTF_8);
    if (!Files.exists(file)) {
      return "";
    }
    try (var bytes = new RandomAccessFile(file.toFile(), "r")) {
      byte[] found = new byte[(int) Math.min(begin.length, bytes.length())];
      bytes.readFully(found);
      if (!Arrays.equals(begin, found)) {
        return "the first line is not that of symbols of version 1";
      }
      bytes.seek(bytes.length() - 1);
      return bytes.read() == '\n' ? "" : "the file ends within a line";
    } catch (IOException e) {
      return "the file cannot be read: " + e.getMessage();
    }
  }

  private void parse(BufferedReader lines) throws IOException {
    Map<String, ModuleSymbols> byNumber = new HashMap<>();
    Map<String, String> shared = new HashMap<>();
    List<Frame> frames = null;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] field = line.split("\t", -1);
      switch (field[0]) {
        case "M":
          if (field.length >= 4) {
            ModuleSymbols module = new ModuleSymbols();
            byNumber.put(field[1], module);
            modules.put(new Key(field[2], field[3]), module);
          }
          frames = null;
          break;
        case "A":
          frames = field.length >= 3 ? addAddress(byNumber.get(field[1]), field) : null;
          break;
        case "F":
          if (frames != null && field.length >= 6) {
            frames.add(new Frame(share(shared, field[1]), share(shared, field[2]),
                number(field[3]), number(field[4]), field[5].equals("1")));
          }
          break;
        case "U":
          if (field.length >= 3 && byNumber.containsKey(field[1])) {
            byNumber.get(field[1]).reason = field[2];
          }
          break;
        default:
          break;
      }
    }
  }

  private static List<Frame> addAddress(ModuleSymbols module, String[] field) {
    if (module == null) {
      return null;
    }
    try {
      List<Frame> frames = new ArrayList<>(2);
      long offset = hex(field[2]);
      if (field.length >= 4) {
        module.functionsByOffset.put(offset, hex(field[3]));
      }
      module.framesByOffset.put(offset, frames);
      return frames;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static long hex(String text) {
    return Long.parseUnsignedLong(text.startsWith("0x") ? text.substring(2) : text, 16);
  }

  private static String share(Map<String, String> shared, String text) {
    return shared.computeIfAbsent(text, same -> same);
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Why there are no symbols at all; empty when there are. */
  public String missingReason() {
    return missing;
  }

  /**
   * Looks up an offset from a module's load bias.
   *
   * @param offset with the minus one of return addresses already applied
   */
  public Location find(Module module, long offset) {
    if (!missing.isEmpty()) {
      return new Location(module, offset, offset, List.of(), missing);
    }
    ModuleSymbols symbols = modules.get(new Key(module.buildId(), module.path()));
    if (symbols == null) {
      return new Location(module, offset, offset, List.of(), "the trace's symbols do not cover "
          + module.path());
    }
    List<Frame> frames = symbols.framesByOffset.get(offset);
    if (frames != null && !frames.isEmpty()) {
      return new Location(module, offset, offset, frames, "");
    }
    String reason = symbols.reason;
    if (reason.isEmpty()) {
      reason = frames == null ? "the trace's symbols do not cover this address"
          : "this address belongs to no known function";
    }
    return new Location(module, offset, symbols.functionsByOffset.getOrDefault(offset, offset),
        List.of(), reason);
  }

  /** Looks up an address in a process; {@code returnAddress} is looked up minus one. */
  public Location find(ProcessTrace process, long address, boolean returnAddress) {
    long exact = returnAddress ? address - 1 : address;
    Module module = process.moduleAt(exact);
    return module == null
        ? new Location(null, exact, exact, List.of(), "the address is in no module of the process")
        : find(module, exact - module.loadBias());
  }

  /**
   * Looks up the leaf of a call path.
   *
   * @return null when the leaf is not an address
   */
  public Location find(ProcessTrace process, int path) {
    CallPaths paths = process.callPaths();
    byte kind = path >= 0 && path < paths.count() ? paths.kind(path) : CallPaths.UNDEFINED;
    return switch (kind) {
      case CallPaths.RETURN_ADDRESS -> find(process, paths.value(path), true);
      case CallPaths.ADDRESS, CallPaths.FUNCTION -> find(process, paths.value(path), false);
      default -> null;
    };
  }
}
