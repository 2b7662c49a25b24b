"""Results as pictures: SVG and PNG files."""
