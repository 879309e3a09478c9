"""What clouds sell: node classes and machines in, instance types out."""
