"""Write each step of an explanation as a sentence in plain words."""
