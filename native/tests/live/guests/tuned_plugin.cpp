// A library with a variable that is tuned.
extern "C" __attribute__((visibility("default"))) int pluginNumber;
int pluginNumber = 1;
