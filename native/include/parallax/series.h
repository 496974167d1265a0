/* What a monitor measures over time, in the form that Parallax shows beside programs. C89 and later,
 * C++. Nothing need be linked. The text that it writes is described in native/format/SERIES.md.
 *
 *   #include <parallax/series.h>
 *
 *   parallax_series_begin(stdout);
 *   parallax_series_machine(stdout, "node1");
 *   parallax_series_metric(stdout, "queue-length", PARALLAX_GAUGE, "");
 *   parallax_series_metric(stdout, "served", PARALLAX_COUNTER, "bytes");
 *   parallax_series_data(stdout);
 *   for (;;) {
 *     double values[2];
 *     values[0] = ...;
 *     values[1] = ...;
 *     if (parallax_series_write(stdout, values, 2) != 0) break;
 *     usleep(100000);
 *   }
 *
 * Run beside a program: parallax record --external ./monitor -- ./program; or afterwards:
 * ./monitor > file, parallax import TRACE file. What a traced program measures of itself is better
 * told by parallax_define and parallax_set_... of parallax.h.
 */
#ifndef PARALLAX_SERIES_H
#define PARALLAX_SERIES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parallax.h"

#if defined(__GNUC__)
#define PARALLAX_SERIES_FUNCTION static __inline__ __attribute__((unused))
#else
#define PARALLAX_SERIES_FUNCTION static
#endif

PARALLAX_SERIES_FUNCTION void parallax_series_begin(FILE* out) {
  fputs("parallax-series 1\nclock realtime\n", out);
}

/* The metrics that follow are of this machine, named as `uname -n` does; */
PARALLAX_SERIES_FUNCTION void parallax_series_machine(FILE* out, const char* host) {
  fprintf(out, "object machine %s\n", host);
}

/* of a process; */
PARALLAX_SERIES_FUNCTION void parallax_series_process(FILE* out, const char* host, long pid) {
  fprintf(out, "object process %s %ld\n", host, pid);
}

/* of an application, named as `parallax info` does. */
PARALLAX_SERIES_FUNCTION void parallax_series_application(FILE* out, const char* name) {
  fprintf(out, "object application %s\n", name);
}

/* A name and unit have no spaces, a name has no comma; a unit can be empty. */
PARALLAX_SERIES_FUNCTION void parallax_series_metric(FILE* out, const char* name,
                                                     enum parallax_metric_kind kind,
                                                     const char* unit) {
  fprintf(out, "metric %s %s %s\n", name, kind == PARALLAX_COUNTER ? "counter" : "gauge", unit);
}

/* Ends the head. */
PARALLAX_SERIES_FUNCTION void parallax_series_data(FILE* out) { fputs("data\n", out); }

/* The shortest decimal form that is read as the same number, whatever the locale; what is no number
 * is not known. */
PARALLAX_SERIES_FUNCTION void parallax_series_value(FILE* out, double value) {
  char text[40];
  const char* from;
  if (value != value || value - value != 0) { /* not a number, or infinite */
    fputs(" -", out);
    return;
  }
  sprintf(text, "%.15g", value);
  if (strtod(text, 0) != value) sprintf(text, "%.17g", value);
  putc(' ', out);
  for (from = text; *from != '\0'; from++) {
    if (strchr("+-0123456789e", *from) != 0) {
      putc(*from, out);
    } else if (from == text || strchr("+-0123456789e", from[-1]) != 0) {
      putc('.', out); /* the point of the locale can be several bytes */
    }
  }
}

/* A reading at a time since 1970: a value for each metric, in the order of their definitions. The
 * line is given to the system at once. Returns 0, or EOF when it could not be written. */
PARALLAX_SERIES_FUNCTION int parallax_series_write_at(FILE* out, long seconds, long nanoseconds,
                                                      const double* values, int count) {
  int i;
  fprintf(out, "%ld.%09ld", seconds, nanoseconds);
  for (i = 0; i < count; i++) parallax_series_value(out, values[i]);
  putc('\n', out);
  return fflush(out) == 0 && !ferror(out) ? 0 : EOF;
}

#ifdef CLOCK_REALTIME
/* A reading of now. */
PARALLAX_SERIES_FUNCTION int parallax_series_write(FILE* out, const double* values, int count) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return parallax_series_write_at(out, (long)now.tv_sec, now.tv_nsec, values, count);
}
#endif

#endif
