"""Draw the icons of the web pages and the picture that messengers show, from static/icon.svg.

python scripts/icons.py    (needs Chromium on the path; the pictures are committed)
"""

from __future__ import annotations

import shutil
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

STATIC = Path(__file__).parent.parent / "src" / "digitduel" / "web" / "static"
SIGN = (STATIC / "icon.svg").read_text(encoding="utf-8")
BLUE = "#4047b8"
COLOURS = 48  # are enough, and make small files
# How wide, how much of it the sign takes, and what is behind it: phones cut maskable icons and
# Apple's to a shape of their own.
ICONS = {
    "icon-192.png": (192, 1.0, "transparent"),
    "icon-512.png": (512, 1.0, "transparent"),
    "icon-maskable.png": (512, 0.8, BLUE),
    "icon-180.png": (180, 1.0, BLUE),
}
PREVIEW = f"""
<style>
* {{ margin: 0; box-sizing: border-box; }}
body {{ width: 1200px; height: 630px; padding: 90px 100px; background: #faf8f3; color: #1d1c1a;
        font: 40px/1.4 "Liberation Sans", Arial, sans-serif; }}
svg {{ width: 96px; height: 96px; vertical-align: middle; margin-right: 28px; }}
h1 {{ font-size: 68px; display: inline; vertical-align: middle; letter-spacing: -1px; }}
.sum {{ margin: 70px 0 50px; font-size: 110px; letter-spacing: 2px; white-space: nowrap; }}
b {{ color: #3d44b4; border-bottom: 9px solid; }}
i {{ font-style: normal; color: #5e5a52; }}
</style>
{SIGN}<h1>Digit Duel</h1>
<p class="sum">52<b>8</b> <i>= 12 &times; 44</i></p>
<p>Add a digit. Mind the remainder.</p>
"""


def main() -> None:
    """Draw them all."""
    with sync_playwright() as playwright:
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        for name, (size, part, behind) in ICONS.items():
            width = round(size * part)
            look = f"margin: 0; background: {behind}; display: grid; place-items: center; "
            sign = SIGN.replace("<svg", f'<svg width="{width}" height="{width}"')
            draw(page, name, (size, size), f'<body style="{look} height: {size}px">{sign}')
        draw(page, "preview.png", (1200, 630), PREVIEW)
        browser.close()


def draw(page: Page, name: str, size: tuple[int, int], content: str) -> None:
    """One picture, written where the server finds it."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.set_content(content)
    picture = Image.open(BytesIO(page.screenshot(omit_background=True)))
    few = picture.quantize(COLOURS, Image.Quantize.FASTOCTREE)
    few.save(STATIC / name, optimize=True)
    print(f"{name}: {(STATIC / name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
