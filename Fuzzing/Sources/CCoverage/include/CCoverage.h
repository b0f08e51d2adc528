// Has no declarations. The functions are called by the instrumented code.
