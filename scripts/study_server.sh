# The study of a client/server storage manager once more, on PostgreSQL with two clients of its own. Sourced
# by study.sh. In the functions here $folder is that of the run, $bin that of PostgreSQL, $work where the
# server keeps its data, and $as the command that runs others as the server's user.
# The last three are global: what ends the server on every exit reads them.

# study_server_set_up: PostgreSQL refuses to run as root, and its user need not reach this project.
study_server_set_up() {
  need_packages study
  bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | sort -V | tail -n 1)
  if [[ -z $bin ]]; then fail "PostgreSQL is not in /usr/lib/postgresql; install it with: apt-get install postgresql"; fi
  work=$(mktemp -d "${TMPDIR:-/tmp}/parallax-study-XXXXXX")
  trap 'study_server_end' EXIT
  as=()
  recorder=$root/native/build/parallax-record
  if ((EUID == 0)); then
    as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
    mkdir "$work/bin"
    cp "$root"/native/build/{parallax-record,parallax-symbols,libparallax-agent.so} "$work/bin"
    recorder=$work/bin/parallax-record
    chown -R postgres:postgres "$work"
  fi
  export LC_ALL=C PGHOST=$work PGUSER=postgres PGDATABASE=postgres
  "${as[@]}" "$bin/initdb" -D "$work/data" -U postgres -A trust -E UTF8 --no-sync > "$out/initdb.log" ||
    fail "$(< "$out/initdb.log")"
}

# Whatever happens, no server stays.
study_server_end() {
  if [[ -f ${work:?}/data/postmaster.pid ]]; then
    "${as[@]}" "$bin/pg_ctl" -D "$work/data" -s -m immediate stop || true
  fi
  rm -rf "${work:?}"
}

# study_server_run HOW NAME COMMAND...: recorded, with the trace in NAME, or not; its output is in NAME.txt.
study_server_run() {
  local how=$1 name=$2
  shift 2
  if [[ $how == recorded ]]; then
    set -- "$recorder" --quiet --no-calibration --sample-hz "$hz" -o "$work/$name" -- "$@"
  fi
  (cd "$work" && exec "${as[@]}" "$@") > "$folder/$name.txt" 2>&1
}

study_server_sql() { "${as[@]}" "$bin/psql" -X -qAt -v ON_ERROR_STOP=1 "$@"; }

# study_server_start HOW: until it answers. Its log tells of each of its processes what that does.
study_server_start() {
  rm -f "$folder/server.txt"
  study_server_run "$1" server "$bin/postgres" -D "$work/data" -k "$work" -c listen_addresses= \
    -c log_connections=on -c "log_line_prefix=%p|%b|%a|" -c max_wal_size=4GB -c checkpoint_timeout=1h &
  server=$!
  # It is not asked: each question would be a process of it.
  until grep -qs 'ready to accept connections' "$folder/server.txt"; do
    if ! kill -0 "$server" 2> /dev/null; then fail "PostgreSQL has ended: $(< "$folder/server.txt")"; fi
    sleep 0.05
  done
}

# study_server_stop MODE
study_server_stop() {
  "${as[@]}" "$bin/pg_ctl" -D "$work/data" -s -m "$1" stop
  wait "$server" || fail "PostgreSQL failed: $(< "$folder/server.txt")"
}

# The tables, and a log to recover from: the server is stopped before it has written what it logged. Both
# clients change the row of `head` in each transaction, so each waits for the other's commit. `storage`
# is how an object of 64 KB is stored: main and extended compress it (pglz_compress).
study_server_fill() {
  local storage=$1
  study_server_start plain
  study_server_sql <<EOF
set client_min_messages = warning;
drop table if exists head, material, object, old;
create table head (last bigint, seen bigint);
insert into head values (0, 0);
create table material (body text);
alter table material alter body set storage external;
insert into material select string_agg(md5(i::text), '') from generate_series(1, 2048) i;
create table object (number bigint primary key, body text);
alter table object alter body set storage $storage;
create table old (number bigint primary key, body text);
insert into old select i, md5(i::text) from generate_series(1, $rows) i;
EOF
  study_server_stop immediate
}

# study_server_clients HOW: the producer and the consumer, at the same time.
study_server_clients() {
  local how=$1 producer status=0
  cat > "$work/producer.sql" <<'EOF'
begin;
update head set last = last + 1;
insert into object select last, body || last from head, material;
commit;
EOF
  cat > "$work/consumer.sql" <<'EOF'
begin;
update head set seen = seen + 1;
select number, length(body) from object order by number desc limit 1;
commit;
EOF
  PGAPPNAME=producer study_server_run "$how" producer "$bin/pgbench" -n -t "$objects" -f "$work/producer.sql" &
  producer=$!
  PGAPPNAME=consumer study_server_run "$how" consumer "$bin/pgbench" -n -t "$objects" -f "$work/consumer.sql" ||
    status=1
  wait "$producer" || status=1
  if ((status)); then fail "a client of PostgreSQL failed: $(cat "$folder"/{producer,consumer}.txt)"; fi
  if [[ $(study_server_sql -c 'select last, seen from head' -c 'select count(*) from object') != \
    "$objects|$objects"$'\n'"$objects" ]]; then
    fail "PostgreSQL does not hold what the clients did"
  fi
}

# study_server_whole HOW STORAGE: one run, from the recovery of the log to the end of the server.
study_server_whole() {
  local how=$1 name
  study_server_fill "$2"
  study_server_start "$how"
  study_server_clients "$how"
  study_server_stop fast
  if [[ $how != recorded ]]; then return; fi
  for name in server producer consumer; do
    mv "$work/$name" "$folder/$name"
  done
  (cd "$folder" && run_cli check --quiet server producer consumer) > "$folder/check" || fail "$(< "$folder/check")"
  (cd "$folder" && run_cli session clients.parallax --quiet --replay server --replay producer --replay consumer \
    > /dev/null)
}

# study_server_critical NAME OPTION...: a critical path, in NAME.csv.
study_server_critical() {
  local name=$1
  shift
  (cd "$folder" && run_cli report critical-path --format csv "$@") > "$folder/$name.csv" 2>> "$out/warnings"
}

# study_server_report NAME KIND OPTION...: another report of the server, in NAME.
study_server_report() {
  local name=$1 kind=$2
  shift 2
  (cd "$folder" && run_cli report "$kind" "$@" server) > "$folder/$name" 2>> "$out/warnings"
}

study_server() {
  local server folder objects=1000 rows=400000 client recovery
  if [[ $quick ]]; then objects=80 rows=20000; fi
  study_server_set_up
  mkdir -p "$out"/postgresql{,-plain,-external}
  folder=$out/postgresql-plain
  study_server_whole plain extended
  folder=$out/postgresql-external
  study_server_whole recorded external
  study_server_critical procedures --scope inter --app consumer --level procedure clients.parallax
  folder=$out/postgresql
  study_server_whole recorded extended
  study_server_critical procedures --scope inter --app consumer --level procedure clients.parallax
  study_server_critical path --level process server
  for client in producer consumer; do
    study_server_critical $client --scope inter --app $client --level process clients.parallax
  done
  recovery=$(sed -n '/^[^|]*|startup|/{s/|.*//p;q}' "$folder/server.txt")
  study_server_report gprof.txt gprof --node "$(hostname)/postgres (pid $recovery)" --min-percent 5
  study_server_report waits.csv waits --format csv
  echo
  echo "The same with PostgreSQL: a producer and a consumer (pgbench) of $objects objects of 64 KB, which both change"
  echo "one row in each transaction; before, the server recovers $rows rows from its log."
  for client in producer consumer; do
    printf '  %-10s %s recorded, %s without Parallax\n' "$client" \
      "$(grep latency "$folder/$client.txt")" "$(sed -n 's/latency average = //p' "$out/postgresql-plain/$client.txt")"
  done
  print_table server "$out" "$(hostname)"
  study_server_end
  trap - EXIT
}
