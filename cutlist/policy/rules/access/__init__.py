"""Who is let in: the documents, principals and addresses that rules about access read."""
