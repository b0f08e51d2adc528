// The modules of the products are those of the toolchain, which scripts/check-apple names to the compiler.
