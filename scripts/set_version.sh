#!/bin/bash
# set_version.sh VERSION: sets the version of Parallax in all files that state it. VERSION is 0.3.0-SNAPSHOT during
# development and 0.3.0 for a release. See docs/releasing.md; VersionTest compares the files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=${1:-}
if [[ ! $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-SNAPSHOT)?$ ]]; then
  echo "usage: set_version.sh X.Y.Z or X.Y.Z-SNAPSHOT" >&2
  exit 2
fi
numbers=${version%-SNAPSHOT}
# Tycho wants X.Y.Z.qualifier in manifests where Maven has X.Y.Z-SNAPSHOT.
osgi=${version/-SNAPSHOT/.qualifier}

# The first version in the pom of a module is that of its parent, or its own.
mapfile -t poms < <(git grep -l '<groupId>org.parallax</groupId>' -- '*pom.xml')
sed -i "0,/<version>/s/<version>.*</<version>$version</" pom.xml "${poms[@]}"
git ls-files -z '*/org.parallax.*/META-INF/MANIFEST.MF' |
  xargs -0 sed -i "s/^Bundle-Version: .*/Bundle-Version: $osgi/"
sed -i "s/^    version=\"[^\"]*\"/    version=\"$osgi\"/" features/*/feature.xml
sed -i "s/^project(parallax-native VERSION [^ ]*/project(parallax-native VERSION $numbers/" native/CMakeLists.txt
grep -rlZ 'String VERSION = "' plugins/org.parallax.cli/src |
  xargs -0 sed -i "s/String VERSION = \"[^\"]*\"/String VERSION = \"$numbers\"/" ||
  { echo "the command line states no version" >&2 && exit 1; }
git diff --shortstat
