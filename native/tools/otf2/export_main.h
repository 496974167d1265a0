// The command line of parallax-otf2 export.
#pragma once

namespace parallax::otf2 {

// The arguments after the word "export". Returns the exit status.
int exportMain(int count, char** arguments);

}  // namespace parallax::otf2
