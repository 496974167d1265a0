package org.parallax.trace.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Scripts in the place of the native programs of experiments: what a trial takes is a known function
 * of the levels in its plan, and it can be made to fail. That the real ones do what these do is shown
 * by the tests with real programs.
 *
 * @param recorder starts a trial
 * @param points finds each place but those that {@code lost} are, and one program whose build id is
 *     in the file {@code build} of the directory
 */
public record SimulatedTools(Path recorder, Path points) {
  /**
   * Makes the scripts.
   *
   * @param body shell lines that may use {@code $plan}, {@code $f0} to {@code $f9} (the amount of each
   *     factor's delay) and {@code $n} (the number of the trial from 1), and set {@code ns}
   */
  public static SimulatedTools make(Path directory, String body) throws IOException {
    Path recorder = script(directory.resolve("recorder"), """
        while [ "$1" != -- ]; do
          case $1 in --times) times=$2; shift;; --perturb) plan=$2; shift;; esac
          shift
        done
        n=$(($(cat "%1$s/number" 2>/dev/null || echo 0) + 1)); echo $n > "%1$s/number"
        eval "$(awk 'BEGIN { for (i = 0; i < 10; i++) f[i] = 0 }
            $1 == "factor" && $3 != "none" { f[$2] = $5 }
            END { for (i in f) print "f" i "=" f[i] }' "$plan")"
        %2$s
        cp "%1$s/counts" "$(dirname "$plan")/counts"
        echo "$ns 1000" > "$times"
        """.formatted(directory, body));
    Path points = script(directory.resolve("points"), """
        while [ "$1" != -- ]; do shift; done
        shift
        i=0
        python3 -S -E - $# "%1$s/counts" <<'END'
        import struct, sys
        points = int(sys.argv[1])
        data = struct.pack("<8sIIQQ32x", b"PLXPERT1", points, 1, 10**9, 0)
        data += struct.pack("<IIQ", 1, 1, 0)
        for i in range(points):
            data += struct.pack("<QQQQ", 0 if i == 9 else 5, 5000000, 5000000, 0)
        open(sys.argv[2], "wb").write(data)
        END
        printf 'module\\t0\\t%%s\\t/program\\n' "$(cat "%1$s/build" 2>/dev/null || echo 1a)"
        for place; do
          case $place in *lost*)
            printf 'problem\\t%%d\\tno function %%s in the program; did you mean found?\\n' $i "$place"
            i=$((i + 1)); continue;;
          esac
          printf 'macro\\t%%d\\t%%d\\t%%s\\n' $i $i "$place"
          i=$((i + 1))
        done
        """.formatted(directory));
    return new SimulatedTools(recorder, points);
  }

  private static Path script(Path path, String text) throws IOException {
    Files.writeString(path, "#!/bin/sh\n" + text);
    if (!path.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + path + " executable");
    }
    return path;
  }
}
