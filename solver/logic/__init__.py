"""Human solving techniques, explanations made of them, and difficulty ratings."""
