"""Real objects: other projects' manifests and recorded life cycles where they are at hand.

And objects made by hand, with figures worked out on paper.
"""
