#!/bin/bash
# Real programs as guests of the agent: each must print the same and end with the same status as
# without it, every time, and in time.
#
#   tests/guests/run.sh [-n REPETITIONS] [-o RECORD-OPTION]... [GUEST...]
#
# For a long run: -n 200. PARALLAX_BUILD names the folder with parallax-record (native/build by default). A guest is a
# function below that prints what it finds and nothing that differs between two runs.
set -uo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
build=${PARALLAX_BUILD:-$here/../../native/build}
guests=(shell python compiler git redis postgres java openmp_gcc openmp_clang sanitizers)
seconds_limit=120

# --------------------------------------------------------------------- guests
# In an empty folder of their own. What a guest needs is named by `need`.

need() {
  local command
  for command in "$@"; do
    command -v "$command" > /dev/null || { echo "missing: $command"; exit 77; }
  done
}

guest_shell() {
  seq 1 20000 | sort -rn | awk '{ s += $1 } END { print s }'
  printf '%s\n' c a b | (sort; echo end) | cat
  cat < <(seq 3) | tac
  trap 'echo caught' USR1
  kill -USR1 $$
  local jobs=() job
  for i in 1 2 3 4; do (sleep 0.0$i; exit $i) & jobs+=($!); done
  for job in "${jobs[@]}"; do wait "$job"; echo "status $?"; done
  yes | head -n 3                        # yes is ended by SIGPIPE
  find / -maxdepth 1 -name etc | xargs -I{} basename {}
  perl -e 'my $p = open(my $f, "-|", "echo from a child"); print <$f>; close $f; print "$?\n"'
  bash -c 'exec sh -c "exit 5"'; echo "exec $?"
  return 3
}

guest_python() {
  need /usr/bin/python3
  /usr/bin/python3 "$here/guest.py"
}

guest_compiler() {
  need gcc make
  cp "$here/guest.c" .
  printf 'all: a.o b.o\n\tgcc -pthread -o guest a.o b.o\n%%.o: %%.c\n\tgcc -O2 -pipe -c $<\n' > Makefile
  cp guest.c a.c
  echo 'int other(int x) { return x * 2; }' > b.c
  make -s -j2 && ./guest && gcc -O2 -fsyntax-only -x c - <<< 'int main(void) { return undefined; }' 2>&1 |
    grep -c undefined
}

guest_git() {
  need git
  export GIT_AUTHOR_DATE='2001-01-01T00:00:00Z' GIT_COMMITTER_DATE='2001-01-01T00:00:00Z'
  export GIT_AUTHOR_NAME=guest GIT_COMMITTER_NAME=guest GIT_AUTHOR_EMAIL=g@example GIT_COMMITTER_EMAIL=g@example
  export GIT_CONFIG_GLOBAL=/dev/null HOME=$PWD
  git init -q -b main one && cd one || return 1
  for i in $(seq 1 8); do seq "$i" 400 > "file$i"; git add -A; git commit -q -m "commit $i"; done
  git log --oneline | cat
  git gc -q && git fsck --no-progress
  cd .. && git clone -q one two && git -C two rev-parse HEAD
  git -C two grep -c 399 | sort
}

guest_redis() {
  need redis-server redis-cli redis-benchmark
  redis-server --port 0 --unixsocket "$PWD/s" --save '' --appendonly yes --dir "$PWD" \
    --io-threads 2 > log 2>&1 &
  local server=$! i
  for i in $(seq 100); do redis-cli -s s ping > /dev/null 2>&1 && break; sleep 0.05; done
  redis-benchmark -s s -q -n 4000 -c 20 -P 4 -t set,incr,lpush > bench.log 2>&1; echo "load $?"
  redis-cli -s s get counter:__rand_int__
  redis-cli -s s llen mylist
  redis-cli -s s bgsave > /dev/null; sleep 0.2
  redis-cli -s s eval 'local n = 0 for i = 1, 1000 do n = n + i end return n' 0
  redis-cli -s s shutdown; wait $server; echo "server $?"
}

guest_postgres() {
  local bin
  bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -n 1)
  need "${bin:-/usr/lib/postgresql/bin}/initdb"
  export LC_ALL=C PGHOST=$PWD PGUSER=postgres PGDATABASE=postgres
  "$bin/initdb" -D data -U postgres -A trust --no-sync > initdb.log; echo "initdb $?"
  "$bin/pg_ctl" -D data -s -w -l "$PWD/data/log" -o "-c listen_addresses= -k $PWD" start
  echo "start $?"
  "$bin/psql" -qAt -c 'create table t as select i, i % 97 as k from generate_series(1, 20000) i' \
    -c 'select k, sum(i) from t group by k order by k limit 3' \
    -c 'set max_parallel_workers_per_gather = 2' -c 'select count(*) from t a join t b using (i)'
  "$bin/pgbench" -q -i -s 1 > pgbench.log 2>&1; echo "load $?"
  "$bin/pgbench" -n -c 4 -j 2 -t 25 > pgbench.log 2>&1; echo "queries $?"
  "$bin/psql" -qAt -c 'select count(*) from pgbench_history'
  "$bin/pg_ctl" -D data -s -w -m fast stop; echo "stop $?"
}

guest_java() {
  need java
  java -Xmx128m -XX:+UseG1GC "$here/Guest.java"
}

openmp() {
  local compiler=$1
  need "$compiler"
  "$compiler" -O2 -fopenmp "$here/guest_openmp.c" -o guest || return 1
  OMP_NUM_THREADS=3 ./guest && OMP_NUM_THREADS=1 ./guest && OMP_WAIT_POLICY=active ./guest
}
guest_openmp_gcc() { openmp gcc; }
guest_openmp_clang() { openmp clang; }

# Programs that were built with sanitizers find what they find without the agent.
guest_sanitizers() {
  need gcc
  local sanitizer
  for sanitizer in address thread undefined; do
    gcc -pthread -fsanitize=$sanitizer "$here/guest.c" -x c - -o "$sanitizer" \
      <<< 'int other(int x) { return 2 * x; }' || return 1
    "./$sanitizer"
    echo "$sanitizer $?"
  done
  gcc -fsanitize=address -x c - -o freed <<< '#include <stdlib.h>
    #include <unistd.h>
    int main(void) { char *p = malloc(8); free(p); return (int)write(1, p, 3); }'
  ./freed 2>&1 | grep -ao 'heap-use-after-free' | head -n 1
}

# ------------------------------------------------------------------ comparing

# run_guest GUEST FOLDER [RECORD...]: output and errors to FOLDER.out, the status after them. What
# the programs name by the folder they run in must be the same, so it always is FOLDER/work.
run_guest() {
  local name=$1 folder=$2 as=()
  shift 2
  rm -rf "$folder/work" "$folder/traces"
  mkdir -m 777 "$folder/work" "$folder/traces"
  if [[ $name == postgres ]] && ((EUID == 0)); then  # it refuses to run as root
    as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
  fi
  (cd "$folder/work" && timeout -k 10 $seconds_limit "${as[@]}" "$@" bash "$here/run.sh" --guest "$name") \
    > "$folder/out" 2>&1 < /dev/null
  echo "ended with $?" >> "$folder/out"
}

main() {
  local repetitions=2 options=() chosen=() scratch failed=0 ran=0 name i status
  while (($#)); do
    case $1 in
      -n) repetitions=$2; shift 2 ;;
      -o) options+=("$2"); shift 2 ;;
      --guest) "guest_$2"; exit ;;
      *) chosen+=("$1"); shift ;;
    esac
  done
  ((${#chosen[@]})) || chosen=("${guests[@]}")
  scratch=$(mktemp -d /tmp/parallax-guests-XXXXXX)
  chmod 755 "$scratch"
  for name in "${chosen[@]}"; do
    if [[ $(type -t "guest_$name") != function ]]; then
      echo "no guest \"$name\"; there are: ${guests[*]}" >&2
      exit 2
    fi
    run_guest "$name" "$scratch"
    cp "$scratch/out" "$scratch/expected"
    status=$(sed -n '$s/ended with //p' "$scratch/expected")
    if ((status == 77)); then
      echo "$name: skipped, $(grep missing "$scratch/expected")"
      continue
    fi
    if ((status == 124 || status > 3)); then
      echo "$name: fails without the agent"
      cat "$scratch/expected"
      failed=1
      continue
    fi
    local good=0
    ran=1
    for ((i = 1; i <= repetitions; i++)); do
      run_guest "$name" "$scratch" "$build/parallax-record" --quiet "${options[@]}" \
        -o "$scratch/traces/trace" --
      if cmp -s "$scratch/expected" "$scratch/out"; then
        ((good++))
      else
        echo "$name: repetition $i differs:"
        diff "$scratch/expected" "$scratch/out" | head -n 20
        failed=1
      fi
    done
    echo "$name: $good of $repetitions as without the agent," \
      "$(find "$scratch/traces" -name '*.def' | wc -l) processes recorded"
  done
  rm -rf "$scratch"
  if ((!failed && !ran)); then exit 77; fi  # all were skipped
  exit $failed
}

main "$@"
