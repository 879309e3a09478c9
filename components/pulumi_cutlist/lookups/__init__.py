"""What a program looks up while it runs offline: in an account, in other stacks, in a cluster; and what answers it."""
