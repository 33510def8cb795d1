#include "opass/cli/cli.h"

int main(int argc, char** argv) { return opass::cli::Main(argc, argv); }
