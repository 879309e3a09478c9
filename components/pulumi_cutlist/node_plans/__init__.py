"""The node plans that a program makes: what each is made from, which cluster it is of, and what an update changes about it."""
