"""What a program registered, and what is read from that: its tree, its bill, its resources as rules read them."""
