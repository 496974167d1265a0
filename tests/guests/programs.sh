# The programs of run.sh, which reads this file: a function guest_NAME for each. It runs in an empty folder of its own and
# prints what it finds, and nothing that differs between two runs. `here` is the folder of this file, `build` that of the
# native build.
# shellcheck shell=bash disable=SC2154

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

guest_node() {
  need node
  node -e '
    const { Worker, isMainThread } = require("worker_threads");
    const { execFileSync, spawn } = require("child_process");
    const fs = require("fs"), net = require("net");
    console.log(execFileSync("sh", ["-c", "echo child; exit 0"]).toString().trim());
    fs.writeFileSync("f", "x".repeat(100000)); console.log(fs.statSync("f").size);
    const code = `require("worker_threads").parentPort.postMessage([..."abc"].map(c => c + c).join(""))`;
    let left = 4;
    for (let i = 0; i < 4; i++) new Worker(code, { eval: true }).on("message", m => {
      console.log(m);
      if (--left === 0) serve();
    });
    function serve() {
      const server = net.createServer(c => c.pipe(c)).listen("s", () => {
        const client = net.connect("s", () => client.end("over a socket"));
        client.on("data", d => console.log(d.toString()));
        client.on("close", () => { server.close(); last(); });
      });
    }
    function last() {
      const sort = spawn("sort");
      sort.stdout.on("data", d => console.log(d.toString().trim()));
      sort.on("close", c => { console.log("sort", c); process.exitCode = 4 - 1; });
      sort.stdin.end("b\na\n");
    }'
}

# A filter that ends what uses timers, perf events, membarrier or rt_sigaction; and a program with one of
# its own.
guest_seccomp() {
  need bwrap file python3
  python3 - filter << 'END'
import struct, sys
steps = [(0x20, 0, 0, 0)]
for number in (298, 222, 324, 13):
    steps += [(0x15, 0, 1, number), (0x06, 0, 0, 0x80000000)]
steps.append((0x06, 0, 0, 0x7fff0000))
open(sys.argv[1], "wb").write(b"".join(struct.pack("HBBI", *step) for step in steps))
END
  bwrap --bind / / --dev /dev --proc /proc --seccomp 9 cksum "$here/guest.c" 9< filter
  echo "status $?"
  bwrap --bind / / --dev /dev --proc /proc --seccomp 9 \
    "$build/tests/guests/guest-sandbox" work 9< filter
  echo "status $?"
  file -b /bin/sh
}

# What the agent cannot come into: it must not stand in the way.
guest_static() {
  need gcc
  gcc -O1 -static -pthread -o static "$here/guest.c" -x c - <<< 'int other(int x) { return 2 * x; }' || return 1
  ./static; echo "static $?"
  if command -v busybox > /dev/null; then busybox sh -c 'busybox seq 5 | busybox tac; exit 6'; echo $?; fi
  PATH=$PATH:/usr/local/go/bin
  if command -v go > /dev/null; then
    cat > main.go <<'EOF'
package main
import ("fmt"; "os"; "os/exec"; "sync")
func main() {
  var w sync.WaitGroup
  sums := make([]int, 8)
  for g := range sums {
    w.Add(1)
    go func(g int) { defer w.Done(); for i := 0; i < 1000000; i++ { sums[g] += i % 7 } }(g)
  }
  w.Wait()
  out, err := exec.Command("sh", "-c", "echo of a child").Output()
  fmt.Println(sums, string(out), err)
  os.Exit(2)
}
EOF
    # Go's own library, which takes half a minute, is compiled once; main.go is each time, as it is another.
    echo "// $BASHPID $RANDOM" >> main.go
    GOCACHE=${PWD%/*}/gocache HOME=$PWD GO111MODULE=off CGO_ENABLED=0 go build -o program main.go && ./program
    echo "go $?"
  fi
}

# The dynamic linker takes nothing from the environment here; children have it again.
guest_setuid() {
  need perl setpriv
  su --version > /dev/null && su -s /bin/sh -c 'echo as $(id -un); exit 3' nobody; echo "su $?"
  if command -v sudo > /dev/null && sudo -n true 2> /dev/null; then sudo -n sh -c 'id -u; exit 4'; echo "sudo $?"; fi
  if ((EUID == 0)); then setpriv --reuid=65534 --clear-groups sh -c 'id -u; echo x | cat'; echo $?; fi
  perl -e 'print "another\n"'
}

# A terminal, job control, traps.
guest_jobs() {
  need script
  cat > jobs.sh <<'EOF'
trap 'echo usr1' USR1
trap 'echo exit; sleep 0.1; exit 3' EXIT   # script(1) can lose what is written last
set -m
sleep 0.2 & job=$!
kill -STOP $job; sleep 0.05
kill -CONT $job; while kill -0 $job 2> /dev/null; do wait $job; done; echo job
(kill -USR1 $$) ; sleep 0.05
sleep 5 & while [[ $(< /proc/$!/comm) != sleep ]]; do sleep 0.01; done   # bash itself would say "exit"
kill $!; wait $!; echo "killed $?"
sh -c 'kill -SEGV $$' ; echo "segv $?"
coproc cat; echo through >&${COPROC[1]}; read -r line <&${COPROC[0]}; echo "$line"
exec {COPROC[1]}>&-
timeout 0.1 sleep 5; echo "timeout $?"
test -t 0 && echo terminal
EOF
  script -qec 'bash jobs.sh' /dev/null 2>&1 | grep -v 'jobs.sh: line\|Segmentation' | tr -d '\r'
  bash jobs.sh 2> /dev/null; echo "jobs $?"
}

guest_sqlite() {
  need sqlite3
  sqlite3 db 'create table t(i integer primary key, s text);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
      insert into t select i, hex(i * i) from n;'
  local i
  for i in 1 2 3; do sqlite3 db "pragma busy_timeout = 20000; update t set s = s || '$i' where i % 3 = $i - 1;" > /dev/null & done
  wait
  sqlite3 db 'select count(*), sum(length(s)) from t; pragma integrity_check;'
}

# Workers that wait for each other in shared memory, one that is ended from outside, and an end while
# others still compute.
guest_node_workers() {
  need node
  node -e '
    const { Worker } = require("worker_threads");
    const shared = new Int32Array(new SharedArrayBuffer(8));
    const count = `const { workerData: s } = require("worker_threads");
      for (let i = 0; i < 20000; i++) Atomics.add(s, 0, 1);
      Atomics.add(s, 1, 1); Atomics.notify(s, 1);
      while (Atomics.load(s, 1) < 6) Atomics.wait(s, 1, Atomics.load(s, 1), 50);
      require("crypto").pbkdf2Sync("a", "b", 2000, 32, "sha512");`;
    const spin = `for (;;) Math.sqrt(2);`;
    const ends = [];
    for (let i = 0; i < 6; i++) ends.push(new Promise(done =>
      new Worker(count, { eval: true, workerData: shared }).on("exit", done)));
    const spinning = new Worker(spin, { eval: true });
    ends.push(new Promise(begun => spinning.on("online", () => begun("spins"))));
    Promise.all(ends).then(async codes => {
      console.log(codes.join(" "), shared[0], shared[1]);
      console.log("terminated", await spinning.terminate());
      new Worker("throw new Error(\"planted\")", { eval: true }).on("error", e => {
        console.log(e.message);
        new Worker(spin, { eval: true }).on("online", () => process.exit(3));
      });
    });'
  echo "node $?"
}

# It ends by a system call of its own, and executes others past libc.
guest_go_cgo() {
  PATH=$PATH:/usr/local/go/bin
  need go gcc
  cat > main.go <<'EOF'
package main
// #include <pthread.h>
// #include <unistd.h>
// static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// static long total;
// static void add(int n) { pthread_mutex_lock(&lock); total += n; pthread_mutex_unlock(&lock); }
// static long sum(void) { return total; }
// #cgo LDFLAGS: -lpthread
import "C"
import ("fmt"; "io"; "net"; "os"; "os/exec"; "os/signal"; "runtime"; "sync"; "syscall")
func main() {
  var w sync.WaitGroup
  for g := 0; g < 16; g++ {
    w.Add(1)
    go func(g int) {
      defer w.Done()
      if g % 4 == 0 { runtime.LockOSThread() }
      for i := 0; i < 2000; i++ { C.add(C.int(g)) }
    }(g)
  }
  w.Wait()
  fmt.Println(C.sum())
  caught := make(chan os.Signal, 1)
  signal.Notify(caught, syscall.SIGUSR1)
  syscall.Kill(os.Getpid(), syscall.SIGUSR1)
  fmt.Println(<-caught)
  listener, err := net.Listen("unix", "s")
  if err != nil { panic(err) }
  go func() { c, _ := listener.Accept(); io.Copy(c, c); c.Close() }()
  c, err := net.Dial("unix", "s")
  if err != nil { panic(err) }
  c.Write([]byte("through a socket"))
  c.(*net.UnixConn).CloseWrite()
  text, _ := io.ReadAll(c)
  fmt.Println(string(text))
  out, err := exec.Command("sh", "-c", "echo of a child; exit 3").Output()
  fmt.Print(string(out), err, "\n")
  go func() { defer func() { fmt.Println("recovered:", recover() != nil); os.Exit(2) }(); var p *int; *p = 1 }()
  select {}
}
EOF
  echo "// $BASHPID $RANDOM" >> main.go
  GOCACHE=${PWD%/*}/gocache HOME=$PWD GO111MODULE=off CGO_ENABLED=1 go build -o program main.go || return 1
  local i
  for i in 1 2 3; do ./program; echo "go $?"; done
}

guest_rust() {
  need rustc
  cat > main.rs <<'EOF'
use std::process::{exit, Command};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{mpsc, Arc, Barrier, Condvar, Mutex, RwLock};
use std::thread;
static DONE: AtomicUsize = AtomicUsize::new(0);
struct AtEnd(usize);
impl Drop for AtEnd { fn drop(&mut self) { DONE.fetch_add(self.0, Ordering::SeqCst); } }
thread_local! { static END: AtEnd = AtEnd(1); }
fn main() {
  let sum = Arc::new(Mutex::new(0u64));
  let table = Arc::new(RwLock::new(vec![0u64; 8]));
  let barrier = Arc::new(Barrier::new(8));
  let (send, receive) = mpsc::sync_channel(4);
  let threads: Vec<_> = (0..8).map(|t| {
    let (sum, table, barrier, send) = (sum.clone(), table.clone(), barrier.clone(), send.clone());
    thread::Builder::new().name(format!("worker {t}")).spawn(move || {
      END.with(|_| ());
      for i in 0..5000u64 { *sum.lock().unwrap() += i % 7; }
      barrier.wait();
      table.write().unwrap()[t] = t as u64;
      for i in 0..100 { send.send(i).unwrap(); }
    }).unwrap()
  }).collect();
  drop(send);
  println!("received {}", receive.iter().sum::<i32>());
  for t in threads { t.join().unwrap(); }
  println!("{} {:?} {}", sum.lock().unwrap(), table.read().unwrap(), DONE.load(Ordering::SeqCst));
  let pair = Arc::new((Mutex::new(false), Condvar::new()));
  let other = pair.clone();
  let waiter = thread::spawn(move || {
    let mut ready = other.0.lock().unwrap();
    while !*ready { ready = other.1.wait(ready).unwrap(); }
  });
  *pair.0.lock().unwrap() = true;
  pair.1.notify_all();
  waiter.join().unwrap();
  std::panic::set_hook(Box::new(|_| ()));
  println!("panicked {}", thread::spawn(|| panic!("planted")).join().is_err());
  let mut total = 0;
  thread::scope(|s| { let h: Vec<_> = (0..300).map(|i| s.spawn(move || i)).collect();
                      for t in h { total += t.join().unwrap(); } });
  println!("scoped {total}");
  let out = Command::new("sh").args(["-c", "echo of a child; exit 4"]).env_clear().output().unwrap();
  print!("{}{}\n", String::from_utf8_lossy(&out.stdout), out.status);
  thread::spawn(|| loop { std::hint::spin_loop() });
  exit(3);
}
EOF
  rustc -O --edition 2021 main.rs -o program || return 1
  ./program; echo "rust $?"
}

# Another C library: such programs start without the agent.
guest_musl() {
  need musl-gcc gcc
  musl-gcc -O1 -pthread -o dynamic "$here/guest.c" -x c - <<< 'int other(int x) { return 2 * x; }' || return 1
  musl-gcc -O1 -static -pthread -o static "$here/guest.c" -x c - <<< 'int other(int x) { return 2 * x; }' || return 1
  musl-gcc -o child -x c - <<< '#include <stdio.h>
    #include <stdlib.h>
    int main(void) { printf("%d\n", system("echo of a child of $0; exit 5")); return 6; }'
  printf '#!%s/child\n' "$PWD" > script
  chmod +x script
  ./dynamic; echo "dynamic $?"
  ./static; echo "static $?"
  ./child; echo "child $?"
  ./script; echo "script $?"
  env ./dynamic; echo "by env $?"
  ./dynamic | cat
  find . -name dynamic -exec {} \;
  perl -e 'system("./child"); print $? >> 8, "\n"; exec "./dynamic"'
  /lib/ld-musl-x86_64.so.1 ./child; echo "by its linker $?"
}

# On a processor in software, which finds what it finds without the agent.
guest_valgrind() {
  need valgrind gcc
  gcc -g -O1 -pthread -o program "$here/guest.c" -x c - <<< 'int other(int x) { return 2 * x; }' || return 1
  # Its search for leaks reads all memory that is mapped.
  valgrind -q --leak-check=full --error-exitcode=9 ./program; echo "valgrind $?"
  gcc -g -O0 -x c - -o wrong <<< '#include <stdlib.h>
    #include <stdio.h>
    int main(void) { char *p = malloc(8); free(p); printf("%d\n", p[1] == 1 ? 1 : 0); return 0; }'
  valgrind -q --error-exitcode=9 ./wrong 2>&1 | grep -ao 'Invalid read of size 1'
  valgrind -q --tool=none sh -c 'echo in a shell; exit 7'; echo "none $?"
}

# Other namespaces, another root, with and without /proc.
guest_bwrap() {
  need bwrap gcc
  gcc -O1 -pthread -o program "$here/guest.c" -x c - <<< 'int other(int x) { return 2 * x; }' || return 1
  bwrap --ro-bind / / --dev /dev true || { echo "missing: the right to use bwrap"; exit 77; }
  bwrap --ro-bind / / --dev /dev --proc /proc --unshare-all ./program; echo "all $?"
  bwrap --bind / / --dev /dev --unshare-pid ./program; echo "pid $?"
  bwrap --ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 --symlink usr/bin /bin \
    --ro-bind program /program --unshare-all --die-with-parent /bin/sh -c '/program; echo $?; ls /; exit 3'
  echo "root $?"
  bwrap --bind / / --dev /dev sh -c 'seq 1000 > numbers; sort -rn numbers | head -n 2; kill -9 $$'; echo "killed $?"
  bwrap --bind / / --clearenv --setenv A b /usr/bin/env -u PWD | grep -v '^LD_PRELOAD=\|^PARALLAX_'
}

# Programs that make the environment of others anew.
guest_environment() {
  need perl
  env -i sh -c 'echo ${HOME-none}; exit 3'; echo $?
  env LD_PRELOAD=libm.so.6 sh -c 'echo with libm; exit 4'; echo $?
  env -i A=b LD_PRELOAD=libm.so.6 perl -e 'print join(" ", grep !/^(LD_PRELOAD|PARALLAX_)/, sort keys %ENV), "\n"'
  perl -e '%ENV = (); system("/bin/echo", "from perl"); exec "/bin/sh", "-c", "echo last; exit 5"'; echo $?
  LD_PRELOAD= sh -c 'echo empty'; (unset LD_PRELOAD; sh -c 'echo none')
  env ASAN_OPTIONS=detect_leaks=0 sh -c 'echo $ASAN_OPTIONS ${PVM_EXPORT-none}'
  sh -c 'echo ${ASAN_OPTIONS-none}'
}

# Coders of many threads; the same frames come back.
guest_ffmpeg() {
  need ffmpeg
  local run=(ffmpeg -nostdin -v error -y -filter_threads 2)
  "${run[@]}" -f lavfi -i testsrc2=size=320x240:rate=25:duration=2 -c:v ffv1 -level 3 -slices 4 -threads 4 a.mkv
  echo "ffv1 $?"
  "${run[@]}" -threads 4 -i a.mkv -f framemd5 - | tail -n 3
  "${run[@]}" -i a.mkv -c:v mpeg4 -threads 1 b.avi; echo "mpeg4 $?"
  "${run[@]}" -threads 3 -i b.avi -f framemd5 - | cksum
}

# As many connections, pairs of sockets and pipes in a minute as a server has in an hour.
guest_connections() {
  need "$build/tests/guests/guest-space"
  "$build/tests/guests/guest-space" connections 60000; echo "connections $?"
  "$build/tests/guests/guest-space" definitions 100000; echo "pairs $?"
  "$build/tests/guests/guest-space" pipes 200000; echo "pipes $?"
}

# The program may not write large files, and has its own ended by the signal.
guest_file_limit() {
  need "$build/tests/guests/guest-space" perl
  (ulimit -f 512; "$build/tests/guests/guest-space" events 4 100000; echo "events $?")
  (ulimit -f 512
   perl -e 'open F, ">", "large"; print F "x" x 400000; close F; print -s "large", "\n"'; echo "within $?"
   perl -e 'open F, ">", "larger"; print F "x" x 4000000; close F; print -s "larger", "\n"'; echo "beyond $?") 2> /dev/null
  (ulimit -f 16; sh -c 'seq 1000 | tail -n 1'; echo "small $?")
}

# The disk with the trace is full (run_guest).
guest_full_disk() {
  need "$build/tests/guests/guest-space"
  "$build/tests/guests/guest-space" events 4 200000; echo "events $?"
  "$build/tests/guests/guest-space" definitions 20000; echo "pairs $?"
  seq 5000 | sort -rn | sed -n 1,2p
}
