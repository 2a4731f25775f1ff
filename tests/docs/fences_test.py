"""Every fenced block of every page says what it is, so that none is forgotten."""

import sys

from fences import blocks, pages

KNOWN = {"sh", "console", "toml", "cpp", "cmake", "python", "json", "text", "math"}

troubles = [f"{block.place}: ```{block.language} is none of {', '.join(sorted(KNOWN))}"
            for page in pages() for block in blocks(page) if block.language not in KNOWN]
print("\n".join(troubles) or "all blocks have a language")
sys.exit(bool(troubles))
