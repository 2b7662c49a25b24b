"""The build of the documentation site: generated pages, and a run of Zensical."""
