"""One module per verb, named like its command: each turns inputs into the answer that the command shows."""
