"""What a component exports beside its tools, each where its world has it."""
