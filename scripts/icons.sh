#!/bin/sh
# Draws the PNG files of the plug-ins' icons from their svg/ (needs rsvg-convert of librsvg2-bin):
# every icon at its size, and twice that for dense screens.
set -eu
cd "$(dirname "$0")/../plugins"
for svg in */icons/svg/*.svg; do
  png=${svg%/svg/*}/$(basename "$svg" .svg)
  rsvg-convert "$svg" -o "$png.png"
  rsvg-convert -z 2 "$svg" -o "$png@2x.png"
done
