/* Writes a series by the header for monitors; the reader's side is tested against what it writes. */
#include <locale.h>

#include <parallax/series.h>

int main(int count, char** arguments) {
  const double first[] = {0.1, 1e16, -1.5e-300};
  double second[3], nothing = 0;
  if (count > 1 && setlocale(LC_ALL, arguments[1]) == 0) return 77;
  second[0] = nothing / nothing;
  second[1] = 10000000000000002.0; /* more digits than 15 */
  second[2] = 1 / nothing;
  parallax_series_begin(stdout);
  parallax_series_application(stdout, "name with spaces");
  parallax_series_metric(stdout, "level", PARALLAX_GAUGE, "");
  parallax_series_machine(stdout, "node1");
  parallax_series_metric(stdout, "sent", PARALLAX_COUNTER, "bytes");
  parallax_series_process(stdout, "node1", 4711);
  parallax_series_metric(stdout, "level", PARALLAX_GAUGE, "m");
  parallax_series_data(stdout);
  if (parallax_series_write_at(stdout, 1700000000L, 5, first, 3) != 0) return 1;
  if (parallax_series_write_at(stdout, 1700000000L, 100000000L, second, 3) != 0) return 1;
  return 0;
}
