"""What all views draw with: tables, Markdown, CSV, pages and charts. It decides nothing and shows only what an answer has."""
