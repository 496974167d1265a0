// Tracepoints of LTTng-UST like our Enter and Leave: a time and the number of a call path.
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER parallax_bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "bench/peers_lttng.h"

#if !defined(PARALLAX_BENCH_LTTNG_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define PARALLAX_BENCH_LTTNG_H
#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(parallax_bench, enter, LTTNG_UST_TP_ARGS(unsigned, path),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(unsigned, path, path)))
LTTNG_UST_TRACEPOINT_EVENT(parallax_bench, leave, LTTNG_UST_TP_ARGS(unsigned, path),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(unsigned, path, path)))
#endif

#include <lttng/tracepoint-event.h>
