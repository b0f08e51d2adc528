// All there is stands in the header, for its users to inline; a target needs a file to compile.
#include "CAnvilVectors.h"
