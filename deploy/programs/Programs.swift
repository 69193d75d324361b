// Nothing of its own: what depends on all programs, so that one build makes them side by side. A service is one module, and one
// thread compiles it.
