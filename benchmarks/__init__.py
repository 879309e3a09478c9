"""What the performance figures in docs/performance.md rest on. Development code: not part of the wheel."""
