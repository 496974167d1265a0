#!/bin/bash
# parallax-pvm-machine one|three FOLDER: a virtual machine of PVM with one host, or with three in network
# namespaces that a bridge connects. Prints how to run a command there, as lines
#
#   command WORDS...    that precede the command, for a shell
#   hosts NAME...       where tasks can be started; the first is that of the command
#
# and removes everything when its input ends. The three hosts need root, or user namespaces. All of them are in
# namespaces of processes, mounts and networks of their own, which end with this script even if it is killed.
# Of one host that is killed, the next one with the same folder removes what remains.
set -euo pipefail

export PVM_ROOT=/usr/lib/pvm3 PVM_ALLOW_ROOT=1 PVM_VMID=parallax-study
unset PVM_EXPORT LD_PRELOAD
daemon=$PVM_ROOT/lib/pvmd
kind=$1
folder=$2
export PARALLAX_STUDY=$folder  # to tell whose processes they are

fail() {
  echo "$*" >&2
  exit 1
}

# wait_for COMMAND...: until it succeeds, at most 20 s.
wait_for() {
  local i
  for ((i = 0; i < 400; i++)); do
    if "$@"; then return 0; fi
    sleep 0.05
  done
  return 1
}

# print_command WORDS...: those that run a command with the environment of the daemon.
print_command() {
  echo "command $* env PARALLAX_STUDY=$(printf %q "$folder") PVM_ROOT=$PVM_ROOT PVM_ALLOW_ROOT=1 PVM_VMID=$PVM_VMID" \
    "PVM_TMP=$PVM_TMP"
}

# await_daemon PID ADDRESS ERRORS: until it has printed where it listens. (The console would start another daemon before.)
has_started() { [[ -s $2 ]] || ! kill -0 "$1" 2> /dev/null; }
await_daemon() {
  wait_for has_started "$1" "$2" || true
  [[ -s $2 ]] || fail "PVM's daemon does not start: $(head -n 1 "$3")"
}

# --- One host

end_daemon() {
  local pid
  if [[ -f $1/pid ]]; then
    pid=$(< "$1/pid")
    if [[ $(readlink "/proc/$pid/exe" || true) == */pvmd* ]] && kill -TERM "$pid" 2> /dev/null; then
      wait_for eval "! kill -0 $pid 2> /dev/null" || kill -KILL "$pid" 2> /dev/null || true
    fi
  fi
  rm -rf "$1"
}

one_host() {
  local before
  if [[ -f $folder/pvm-tmp ]]; then
    before=$(< "$folder/pvm-tmp")
    if [[ $before == */parallax-pvm-* && -O $before ]]; then end_daemon "$before"; fi
  fi
  tmp=$(mktemp -d "${TMPDIR:-/tmp}/parallax-pvm-XXXXXX")
  echo "$tmp" > "$folder/pvm-tmp"
  export PVM_TMP=$tmp
  trap 'end_daemon "$tmp"; rm -f "$folder/pvm-tmp"' EXIT
  cd "$tmp"
  # With an address, the name of the host needs none.
  "$daemon" -n127.0.0.1 > "$tmp/address" 2> "$tmp/errors" < /dev/null &
  echo $! > "$tmp/pid"
  await_daemon $! "$tmp/address" "$tmp/errors"
  print_command
  echo "hosts ."
  read -r _ || true
}

# --- Three hosts: their namespaces have the names of their addresses

addresses=(10.77.0.1 10.77.0.2 10.77.0.3)

three_hosts() {
  local user=()
  if ((EUID != 0)); then user=(--map-root-user); fi
  command -v ip > /dev/null || fail "the command ip is missing; install iproute2"
  exec unshare "${user[@]}" --mount --net --pid --ipc --uts --fork --kill-child "$0" inside "$folder" "${user[@]:+--user --preserve-credentials}"
}

# on_host ADDRESS COMMAND...
on_host() {
  local address=$1
  shift
  ip netns exec "$address" unshare --uts sh -c 'hostname "$0" && exec "$@"' "host-${address##*.}" "$@"
}

make_network() {
  local address
  ip link set lo up
  ip link add bridge type bridge
  ip link set bridge up
  for address in "${addresses[@]}"; do
    ip netns add "$address"
    ip link add "link${address##*.}" type veth peer name veth netns "$address"
    ip link set "link${address##*.}" master bridge up
    ip -n "$address" link set lo up
    ip -n "$address" address add "$address/24" dev veth
    ip -n "$address" link set veth up
    mkdir "/run/pvm-$address"
  done
}

has_three_hosts() {
  local text
  text=$(echo conf | on_host "${addresses[0]}" pvm 2> /dev/null) || return 1
  [[ $text == *"3 hosts"* ]]
}

inside() {
  local process address user=$1
  # Of the outside: that file system still shows its numbers.
  read -r process _ < /proc/self/stat
  mount -t proc proc /proc
  mount -t tmpfs tmpfs /run
  make_network
  # How the first daemon starts the others.
  cat > /run/start_there <<END
#!/bin/sh
address=\$1
shift
while [ "\$1" = -l ] || [ "\$1" = -n ]; do [ "\$1" = -n ] || shift; shift; done
exec ip netns exec "\$address" unshare --uts sh -c "hostname host-\${address##*.}; PVM_TMP=/run/pvm-\$address; export PVM_TMP; \$*"
END
  chmod +x /run/start_there
  for address in "${addresses[@]}"; do
    echo "$address dx=$daemon wd=/run/pvm-$address ep=/run"
  done > /run/hosts
  export PVM_RSH=/run/start_there
  cd /run
  export PVM_TMP=/run/pvm-${addresses[0]}
  on_host "${addresses[0]}" "$daemon" "-n${addresses[0]}" /run/hosts > /run/address 2> /run/errors < /dev/null &
  await_daemon $! /run/address /run/errors
  wait_for has_three_hosts || fail "PVM's daemon finds no other hosts: $(tail -n 1 /run/errors)"
  print_command "nsenter --target $process $user --mount --net --pid --ipc -- ip netns exec ${addresses[0]}" \
    "unshare --uts sh -c 'hostname host-1 && exec \"\$@\"' sh"
  echo "hosts ${addresses[*]}"
  read -r _ || true
}

[[ -x $daemon ]] || fail "PVM's daemon $daemon is missing; install pvm"
case $kind in
  one) one_host ;;
  three) three_hosts ;;
  inside) inside "${3:-}" ;;
  *) fail "unknown kind $kind" ;;
esac
