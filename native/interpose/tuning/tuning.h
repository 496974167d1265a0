// Live tuning of this process (live/live_page.h). Independent of whether it is recorded.
#pragma once

namespace parallax::tuning {

// Makes the live page if PARALLAX_TUNE names a directory and the process is one that can be tuned; from then on actions are taken. When the
// agent starts, or is attached.
void start();

}  // namespace parallax::tuning
