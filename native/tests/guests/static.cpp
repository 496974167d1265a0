// Linked statically: the agent cannot come in.
int main() { return 0; }
