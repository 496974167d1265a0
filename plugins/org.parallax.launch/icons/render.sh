#!/bin/sh
# Draws the PNG files of the icons from svg/ (needs rsvg-convert of librsvg2-bin):
# every icon at its size, and twice that for dense screens.
set -eu
cd "$(dirname "$0")"
for svg in svg/*.svg; do
  name=$(basename "$svg" .svg)
  rsvg-convert "$svg" -o "$name.png"
  rsvg-convert -z 2 "$svg" -o "$name@2x.png"
done
