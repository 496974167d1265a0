# ./parallax test fresh: what the README says to a new user, on a new machine. Sourced by ./parallax.

fresh_suites=(bookworm trixie)

# Why it cannot be tried here, or nothing.
fresh_obstacle() {
  if ((EUID != 0)); then
    echo "it needs root, for a chroot"
  elif ! (need_packages fresh) >&2 || ! command -v mmdebstrap > /dev/null; then
    echo "it needs mmdebstrap"
  elif ! unshare --mount --pid --fork --propagation private true 2> /dev/null; then
    echo "it needs a mount and a process namespace, which are not permitted here"
  elif ! git -c safe.directory="$root" -C "$root" rev-parse -q --verify HEAD > /dev/null 2>&1; then
    echo "it needs git, and a checkout to clone"
  fi
}

# Makes the machine: a minimal Debian with what the README wants, a clone of this checkout, and what this
# machine knows of the network: names, proxies, certificates.
fresh_machine() {
  local suite=$1 machine=$2 options=() kind proxy
  for kind in http https; do
    proxy=$(apt-config dump --format '%v' "Acquire::$kind::Proxy")
    if [[ $proxy ]]; then options+=(--aptopt="Acquire::$kind::Proxy \"$proxy\""); fi
  done
  mmdebstrap --quiet --variant=minbase "${options[@]}" \
    --include=ca-certificates,git,default-jdk-headless,maven "$suite" "$machine"
  cp -L /etc/resolv.conf /etc/hosts "$machine/etc/"
  mkdir -p "$machine/root/.m2"
  if [[ -f ~/.m2/settings.xml ]]; then cp ~/.m2/settings.xml "$machine/root/.m2/"; fi
  if [[ -d /usr/local/share/ca-certificates ]]; then
    cp -rL /usr/local/share/ca-certificates "$machine/usr/local/share/"
  fi
  # Of the clone, not the machine: a checkout may belong to somebody else.
  printf '[safe]\n\tdirectory = *\n' > "$machine.gitconfig"
  GIT_CONFIG_GLOBAL=$machine.gitconfig git clone -q "$root" "$machine/root/project"
}

# Runs a command in it, in its folder project. Whatever it starts or mounts ends with it.
fresh_run() {
  local machine=$1 name environment=()
  shift
  for name in {http,https,ftp,no,all}_proxy {HTTP,HTTPS,FTP,NO,ALL}_PROXY; do
    if [[ ${!name:-} ]]; then environment+=("$name=${!name}"); fi
  done
  unshare --mount --pid --fork --kill-child --propagation private bash -euc '
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    mount --rbind /sys "$0/sys"
    exec chroot "$0" "$@"' "$machine" env -i HOME=/root LANG=C.UTF-8 "${environment[@]}" \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    bash -c 'cd /root/project && exec "$@"' bash "$@"
}

# The machine's certificates, in the forms of OpenSSL and Java.
fresh_certificates() {
  local machine=$1 store
  fresh_run "$machine" update-ca-certificates
  for store in /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/java/cacerts; do
    if [[ -f $store && -d $machine${store%/*} ]]; then cp -L "$store" "$machine$store"; fi
  done
}

fresh_test() {
  local suite=$1 machine=$2
  fresh_machine "$suite" "$machine"
  fresh_certificates "$machine"
  fresh_run "$machine" bash scripts/fresh_commands.sh
}

command_fresh() {
  local suite=bookworm work log=$logs/test-fresh.log obstacle passed failed skipped
  while (($#)); do
    case $1 in
      --suite)
        suite=${2:-}
        if [[ -z $suite || " ${fresh_suites[*]} " != *" $suite "* ]]; then
          wrong_use "--suite takes one of: ${fresh_suites[*]}"
        fi
        shift 2
        ;;
      *) wrong_use "unknown option $1; see: parallax test --help" ;;
    esac
  done
  obstacle=$(fresh_obstacle)
  if [[ $obstacle ]]; then
    echo "  fresh          0 passed, 0 failed, 1 skipped: $obstacle"
    return
  fi
  if [[ $(git -c safe.directory="$root" -C "$root" status --porcelain 2> /dev/null) ]]; then
    say "what is not committed is not tested: the new machine has a clone"
  fi
  mkdir -p "$logs"
  work=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf --one-file-system '$work'" EXIT
  exec 3>&2  # for progress; see fresh_commands.sh
  say "making a new machine with Debian's $suite ..."
  run_part fresh "running the README's commands there; the log is $log" fresh_test "$suite" "$work/machine"
  passed=$(grep -c '^passed: ' "$log" || true)
  failed=$(grep -c '^failed: ' "$log" || true)
  skipped=$(grep -c '^skipped: ' "$log" || true)
  count fresh "$passed" "$failed" "$skipped" "$part_status"
  printf '%s' "$summary"
  if ((failed_total)); then exit 1; fi
}
