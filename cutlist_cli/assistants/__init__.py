"""The server behind `cutlist mcp`: tools for assistants, over the Model Context Protocol."""
