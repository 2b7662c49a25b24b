"""Results as pictures and on paper: SVG and PNG files, and PDF books."""
