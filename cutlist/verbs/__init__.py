"""A folder per verb, named like its command: it turns inputs into an answer, and the answer into each form that is shown."""
