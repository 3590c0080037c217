"""The sections of the page, top to bottom; each draws what its views say."""
