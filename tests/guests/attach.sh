#!/bin/bash
# Attaches to real programs while they work, and detaches from them, again and again: each must answer every request, and
# print and end as without that.
#
#   tests/guests/attach.sh [-n ROUNDS] [GUEST...]
#
# For a long run: -n 100. PARALLAX_BUILD names the folder with parallax-record (native/build by default).
# shellcheck disable=SC2154
set -uo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
build=$(readlink -f "${PARALLAX_BUILD:-$here/../../native/build}")
guests=(redis postgres mpi threads)
round=0 recorded=0 failed=0 tasks=()

need() {
  local command
  for command in "$@"; do
    command -v "$command" > /dev/null || { echo "$guest: skipped, missing: $command"; exit 77; }
  done
}

wrong() {
  echo "$guest: $*"
  failed=1
}

# await COMMAND...: until it succeeds, for 20 s at most.
await() {
  local i
  for ((i = 0; i < 1000; i++)); do
    "$@" > /dev/null 2>&1 && return
    sleep 0.02
  done
  wrong "timeout: $*"
  exit 1
}

# ------------------------------------------------------------------ rounds

# record_for_a_moment PID TRACE: ended by its time in odd rounds, by --detach in even ones.
record_for_a_moment() {
  local options=(--attach "$1" -o "$2" --quiet --no-calibration) i
  if ((round % 2)); then
    timeout 60 "$build/parallax-record" "${options[@]}" --for 0.1s
    return
  fi
  timeout 60 "$build/parallax-record" "${options[@]}" &
  sleep 0.1
  for ((i = 0; i < 500; i++)); do
    "$build/parallax-record" --detach "$1" 2> /dev/null && break
    sleep 0.02
  done
  wait $!
}

# attach_to PID...: all of them at once, which is one round.
attach_to() {
  local pid trace owner jobs=() i=0
  round=$((round + 1))
  for pid in "$@"; do
    record_for_a_moment "$pid" "$PWD/trace-$pid" 2> "messages-$pid" &
    jobs+=($!)
  done
  for pid in "$@"; do
    trace=trace-$pid
    wait "${jobs[i++]}" || wrong "round $round: the recorder of $pid ended with $?"
    [[ ! -s messages-$pid ]] || wrong "round $round: $(< "messages-$pid")"
    if grep -qsx 'processes = [1-9].*' "$trace/manifest"; then recorded=$((recorded + 1)); fi
    owner=$(stat -c %U "/proc/$pid" 2> /dev/null) || wrong "round $round: process $pid has ended"
    [[ -z $(find "$trace" ! -user "$owner" 2>&1) ]] ||
      wrong "round $round: not all of the trace belongs to $owner: $(find "$trace" ! -user "$owner" 2>&1)"
    rm -rf "$trace" "messages-$pid"
  done
}

# ------------------------------------------------------------------ the programs

# Each writes to `summary` what was asked and answered. `rounds` is the number of rounds.

# A counter for each of the two kinds of clients: one that awaits each answer, and many at once.
attach_redis() {
  need redis-server redis-cli redis-benchmark
  redis-server --port 0 --unixsocket "$PWD/s" --save '' --appendonly yes --dir "$PWD" --io-threads 2 > log 2>&1 &
  local server=$! each=4000 own all i clients=()
  tasks+=("$server")
  await redis-cli -s s ping
  (while [[ ! -e stop ]]; do yes 'incr own' | head -n 500; done | redis-cli -s s > own) &
  clients+=($!)
  (while [[ ! -e stop ]]; do
    redis-benchmark -s s -q -n $each -c 20 -P 4 incr all > benchmark 2>&1 || break
    echo
  done > runs) &
  clients+=($!)
  for ((i = 0; i < rounds; i++)); do
    if ((i % 10 == 1)); then redis-cli -s s bgsave > /dev/null; fi
    attach_to "$server"
  done
  touch stop
  wait "${clients[@]}"
  own=$(redis-cli -s s get own) all=$(redis-cli -s s get all)
  seq "$own" | cmp - own || wrong "the answers to a client are not 1 to $own"
  ((all > 0 && all == each * $(wc -l < runs))) || wrong "$all requests counted, $(wc -l < runs) times $each sent"
  redis-cli -s s shutdown
  wait "$server" || wrong "the server ended with $?: $(tail -n 5 log)"
  summary="$((own + all)) requests"
}

# The server and three of its backends; clients that stay, and one after the other.
attach_postgres() {
  local bin as=() server i id pids=() clients=() sum answers update='update t set n = n + 1 where id = '
  bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -n 1)
  need "${bin:-/usr/lib/postgresql/bin}/initdb"
  if ((EUID == 0)); then as=(setpriv --reuid=postgres --regid=postgres --clear-groups); fi
  export LC_ALL=C PGHOST=$PWD PGUSER=postgres PGDATABASE=postgres
  "${as[@]}" "$bin/initdb" -D "$PWD/data" -U postgres -A trust --no-sync > initdb.log 2>&1 || wrong "$(< initdb.log)"
  "${as[@]}" "$bin/postgres" -D "$PWD/data" -k "$PWD" -c listen_addresses= -c fsync=off > log 2>&1 &
  server=$!
  tasks+=("$server")
  await "$bin/psql" -qAtc 'select 1'
  "$bin/psql" -qAt -c 'create table t (id int primary key, n int)' -c 'insert into t select i, 0 from generate_series(1, 4) i'
  for id in 1 2 3; do
    (while [[ ! -e stop ]]; do yes "$update $id returning n;" | head -n 100; done |
      PGAPPNAME=stays "$bin/psql" -qAt > "own-$id" 2>&1) &
    clients+=($!)
  done
  (while [[ ! -e stop ]]; do "$bin/psql" -qAtc "$update 4 returning n"; done > own-4 2>&1) &
  clients+=($!)
  await test -s own-1 -a -s own-2 -a -s own-3
  mapfile -t pids < <("$bin/psql" -qAtc "select pid from pg_stat_activity where application_name = 'stays'")
  for ((i = 0; i < rounds; i++)); do attach_to "$server" "${pids[@]}"; done
  touch stop
  wait "${clients[@]}"
  for id in 1 2 3 4; do
    sum=$("$bin/psql" -qAtc "select n from t where id = $id")
    seq "$sum" | cmp - "own-$id" || wrong "the answers to client $id are not 1 to $sum"
    answers=$((${answers:-0} + sum))
  done
  kill -INT "$server"
  wait "$server" || wrong "the server ended with $?: $(tail -n 5 log)"
  summary="$answers transactions"
}

# All four ranks; what they send one another is checked by them.
attach_mpi() {
  local launcher pids=() rank i
  local -x OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  need mpirun.openmpi "$build/programs/attached.openmpi"
  mpirun.openmpi -n 4 "$build/programs/attached.openmpi" "$PWD" > out 2>&1 &
  launcher=$!
  tasks+=("$launcher")
  for rank in 0 1 2 3; do
    await test -s "rank-$rank"
    pids+=("$(< "rank-$rank")")
  done
  for ((i = 0; i < rounds; i++)); do attach_to "${pids[@]}"; done
  touch stop
  wait "$launcher" || wrong "the ranks ended with $?"
  grep -qx '[1-9][0-9]* steps, 0 wrong' out || wrong "the ranks print: $(< out)"
  summary=$(< out)
}

# In system calls, locks and loops over vectors (native/tests/guests/attached.cpp).
attach_threads() {
  local program i
  need "$build/tests/guests/guest-attached"
  "$build/tests/guests/guest-attached" 203 3600000 > out 2>&1 &
  program=$!
  tasks+=("$program")
  await test -e "/proc/$program/task"
  until (($(find "/proc/$program/task" -mindepth 1 -maxdepth 1 | wc -l) == 204)); do sleep 0.02; done
  for ((i = 0; i < rounds; i++)); do attach_to "$program"; done
  kill "$program"
  wait "$program" || wrong "the program ended with $?"
  [[ $(< out) == 'sums 0, counts 0, interrupted 0, bytes 0, errno 0' ]] || wrong "the program prints: $(< out)"
  summary="204 threads"
}

run_guest() {
  local scratch summary=
  guest=$1
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/parallax-attach-XXXXXX")
  trap 'kill -KILL "${tasks[@]}" 2> /dev/null; cd /; rm -rf "$scratch"' EXIT
  chmod 777 "$scratch"
  cd "$scratch" || exit
  "attach_$guest"
  # An attached process that has ended meanwhile, or has written nothing, is told above.
  ((recorded >= rounds)) || wrong "$recorded traces have a process"
  echo "$guest: $rounds rounds, $recorded traces, $summary"
  exit $failed
}

main() {
  local chosen=() status=0 ran=0 name
  rounds=2
  while (($#)); do
    case $1 in
      -n) rounds=$2; shift 2 ;;
      *) chosen+=("$1"); shift ;;
    esac
  done
  ((${#chosen[@]})) || chosen=("${guests[@]}")
  for name in "${chosen[@]}"; do
    if [[ $(type -t "attach_$name") != function || $name == to ]]; then
      echo "no guest \"$name\"; there are: ${guests[*]}" >&2
      exit 2
    fi
    (run_guest "$name")
    case $? in
      0) ran=1 ;;
      77) ;;
      *) status=1 ;;
    esac
  done
  if ((!status && !ran)); then exit 77; fi  # all were skipped
  exit $status
}

main "$@"
