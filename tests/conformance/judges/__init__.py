"""What an equal answer is: the comparison of answers with recorded ones, for each kind."""
