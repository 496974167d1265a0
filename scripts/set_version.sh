#!/bin/bash
# set_version.sh VERSION: sets the version of Parallax in all files that state it. VERSION is 0.3.0-SNAPSHOT during
# development and 0.3.0 for a release. See docs/releasing.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

new=${1:-}
if [[ ! $new =~ ^[0-9]+\.[0-9]+\.[0-9]+(-SNAPSHOT)?$ ]]; then
  echo "usage: set_version.sh X.Y.Z or X.Y.Z-SNAPSHOT" >&2
  exit 2
fi
# The first version in a pom is that of its parent, or its own.
old=$(sed -n '/<version>/{s/ *<version>\(.*\)<\/version>/\1/p;q}' pom.xml)
numbers_old=${old%-SNAPSHOT} numbers_new=${new%-SNAPSHOT}
# Tycho wants X.Y.Z.qualifier in manifests where Maven has X.Y.Z-SNAPSHOT.
osgi_old=${old/-SNAPSHOT/.qualifier} osgi_new=${new/-SNAPSHOT/.qualifier}

git ls-files -z 'pom.xml' '*/pom.xml' | xargs -0 sed -i "0,/<version>/s/<version>$old</<version>$new</"
git ls-files -z '*/MANIFEST.MF' | xargs -0 sed -i "s/^Bundle-Version: $osgi_old/Bundle-Version: $osgi_new/"
git ls-files -z 'features/*/feature.xml' | xargs -0 sed -i "s/version=\"$osgi_old\"/version=\"$osgi_new\"/"
sed -i "s/^project(parallax-native VERSION $numbers_old /project(parallax-native VERSION $numbers_new /" native/CMakeLists.txt
grep -rlZ "VERSION = \"$numbers_old\"" plugins/org.parallax.cli/src |
  xargs -0 -r sed -i "s/VERSION = \"$numbers_old\"/VERSION = \"$numbers_new\"/"
echo "the version is $new; changed files: $(git diff --name-only | wc -l)"
