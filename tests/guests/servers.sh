# The servers among the programs of run.sh, with their clients; see programs.sh.
# shellcheck shell=bash disable=SC2154

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

# Workers that are processes, a master with signals, clients in parallel.
guest_nginx() {
  need nginx curl
  mkdir -p html logs
  seq 1 20000 > html/numbers
  cat > nginx.conf <<EOF
pid $PWD/pid; error_log $PWD/error.log; worker_processes 2; daemon on;
$([[ $EUID == 0 ]] && echo "user root;")
events { worker_connections 64; }
http {
  access_log off; sendfile on;
  client_body_temp_path $PWD/t1; proxy_temp_path $PWD/t2; fastcgi_temp_path $PWD/t3;
  uwsgi_temp_path $PWD/t4; scgi_temp_path $PWD/t5;
  server { listen unix:$PWD/s; root $PWD/html; location /gone { return 404; } }
}
EOF
  nginx -c "$PWD/nginx.conf" -p "$PWD" -e "$PWD/error.log" || return 1
  local i sums
  sums=$(for i in 1 2 3 4; do
    curl -s --unix-socket s "http://x/numbers" "http://x/numbers" http://x/gone | cksum &
  done; wait)
  sort -u <<< "$sums"
  nginx -c "$PWD/nginx.conf" -p "$PWD" -e "$PWD/error.log" -s reload; echo "reload $?"
  curl -s --unix-socket s http://x/numbers | cksum
  nginx -c "$PWD/nginx.conf" -p "$PWD" -e "$PWD/error.log" -s quit; echo "quit $?"
  for i in $(seq 200); do [[ -e pid ]] || break; sleep 0.05; done
  ls pid 2> /dev/null
  grep -cE 'alert|emerg|crit' error.log
}

guest_memcached() {
  need memcached perl
  memcached -u root -s "$PWD/s" -t 4 > log 2>&1 &
  local server=$! i
  for i in $(seq 100); do [[ -S s ]] && break; sleep 0.05; done
  perl -MIO::Socket::UNIX -e '
    my @children;
    for my $n (1 .. 4) {
      my $pid = fork;
      if (!$pid) {
        my $s = IO::Socket::UNIX->new(Peer => "s") or die;
        for my $i (1 .. 300) { print $s "set k$n.$i 0 0 ", length $i, "\r\n$i\r\n"; <$s> eq "STORED\r\n" or die }
        for my $i (1 .. 300) { print $s "get k$n.$i\r\n"; <$s>; <$s> eq "$i\r\n" or die; <$s> }
        exit $n;
      }
      push @children, $pid;
    }
    waitpid($_, 0), print $? >> 8, "\n" for @children;
    my $s = IO::Socket::UNIX->new(Peer => "s"); print $s "stats\r\n";
    while (<$s>) { last if /END/; print if /curr_items|cmd_get/ }'
  kill -TERM $server; wait $server; echo "server $?"
}

# A server of many threads, and four clients' threads.
guest_mariadb() {
  need mariadbd mariadb-install-db mariadb sysbench
  local server i sql=(mariadb --no-defaults -u root -S "$PWD/s" -NB)
  mariadb-install-db --no-defaults --datadir="$PWD/data" --skip-test-db \
    --auth-root-authentication-method=normal --user="$(id -un)" > install.log 2>&1; echo "install $?"
  mariadbd --no-defaults --user="$(id -un)" --datadir="$PWD/data" --socket="$PWD/s" --skip-networking \
    --innodb-buffer-pool-size=32M --innodb-use-native-aio=0 > server.log 2>&1 &
  server=$!
  for i in $(seq 600); do "${sql[@]}" -e 'select 1' > /dev/null 2>&1 && break; sleep 0.05; done
  "${sql[@]}" -e 'create database load_test'; echo "create $?"
  local load=(sysbench oltp_read_write --db-driver=mysql --mysql-socket="$PWD/s" --mysql-user=root
    --mysql-db=load_test --tables=2 --table-size=500 --threads=4 --events=100 --time=0)
  "${load[@]}" prepare > prepare.log 2>&1; echo "prepare $?"
  "${load[@]}" run > run.log 2>&1; echo "run $?"
  grep -c 'transactions: *100 ' run.log
  "${sql[@]}" load_test -e 'select count(*) from sbtest1; select count(*) from sbtest2; check table sbtest1'
  "${sql[@]}" -e shutdown; wait $server; echo "server $?"
}

# Prints the process id of the worker that answers the socket `stats`.
haproxy_worker() {
  python3 - << 'END'
import re, socket
with socket.socket(socket.AF_UNIX) as end:
    try:
        end.connect("stats")
        end.sendall(b"show info\n")
        answer = b"".join(iter(lambda: end.recv(65536), b""))
    except OSError:
        answer = b""
print(*re.findall(r"^Pid: (\d+)", answer.decode(), re.MULTILINE))
END
}

# A master with workers, which are replaced under load.
guest_haproxy() {
  need haproxy curl python3
  seq 1 3000 > numbers
  python3 - << 'END' &
import http.server, socketserver, os
class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
  daemon_threads = True
class Handler(http.server.SimpleHTTPRequestHandler):
  def address_string(self): return "client"
  def log_message(self, *arguments): pass
Server("back", Handler).serve_forever()
END
  local back=$! proxy i
  cat > haproxy.cfg << EOF
global
  nbthread 3
  stats socket $PWD/stats level admin
defaults
  mode http
  timeout connect 5s
  timeout client 20s
  timeout server 20s
frontend front
  bind unix@$PWD/front
  default_backend pool
backend pool
  server one unix@$PWD/back
EOF
  for i in $(seq 200); do [[ -S back ]] && break; sleep 0.05; done
  haproxy -W -db -f haproxy.cfg > log 2>&1 &
  proxy=$!
  for i in $(seq 200); do curl -s --unix-socket front http://x/numbers > /dev/null && break; sleep 0.05; done
  for i in 1 2 3 4; do
    (for j in 1 2 3 4 5; do curl -s --unix-socket front http://x/numbers; done | cksum) &
  done > sums
  wait $(jobs -p | grep -v -e "^$proxy\$" -e "^$back\$")
  sort -u sums
  local worker new
  worker=$(haproxy_worker)
  kill -USR2 $proxy
  # A worker that has not begun is killed by the signal that ends the others, and the master tells.
  for i in $(seq 400); do
    new=$(haproxy_worker)
    [[ -n $new && $new != "$worker" ]] && break
    sleep 0.05
  done
  # The master, which executes itself again, catches the signal a moment later.
  until (((0x$(sed -n 's/^SigCgt:\t//p' /proc/$proxy/status) >> 14) & 1)); do sleep 0.05; done
  curl -s --retry 20 --retry-all-errors --retry-delay 1 --unix-socket front http://x/numbers | cksum
  kill -TERM $proxy; wait $proxy; echo "proxy $?"
  kill $back; wait $back; echo "back $?"
}
