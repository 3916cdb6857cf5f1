# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens a page of ./ado report in a headless browser, as wide as a desk and as a phone: its pictures are
there, and nothing is wider than the screen.

usage: report_browser.py
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = [ROOT / "benchmarks/results" / name for name in ("h200_classic.json.gz", "xeon16.json.gz")]

# Asked of the page in a frame, for a browser's own window has a least width.
PROBE = """<iframe id=f style="width:{width}px;height:900px" srcdoc="{page}"></iframe><pre id=found></pre><script>
document.getElementById('f').onload = e => {{
  const d = e.target.contentDocument, box = r => r.getBoundingClientRect();
  document.getElementById('found').textContent = JSON.stringify({{
    overflow: d.documentElement.scrollWidth - d.documentElement.clientWidth, title: d.title,
    empty: [...d.querySelectorAll('svg')].filter(s => box(s).width < 200 || box(s).height < 60).length,
    cut: [...d.querySelectorAll('.wide')].filter(w => w.querySelectorAll('th').length == 2
                                                       && w.scrollWidth > w.clientWidth + 1).length,
    pictures: d.querySelectorAll('svg').length,
    outside: [...d.querySelectorAll('svg')].flatMap(s => [...s.querySelectorAll('text')].filter(
      t => box(t).left < box(s).left - 2 || box(t).right > box(s).right + 2).map(t => t.textContent))}});
}}</script>"""

browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if not browser:
    print("skipped: report_browser: no chromium or google-chrome found")
    sys.exit(0)

with tempfile.TemporaryDirectory() as folder:
    page, probe = pathlib.Path(folder) / "page.html", pathlib.Path(folder) / "probe.html"
    subprocess.run(["sh", ROOT / "ado", "report", *RESULTS, "-o", page], check=True, stdout=subprocess.DEVNULL)
    for width in (1200, 390):
        probe.write_text(PROBE.format(width=width, page=html.escape(page.read_text())))
        shown = subprocess.run([browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000",
                                f"--user-data-dir={folder}/profile", "--dump-dom", probe.as_uri()],
                               capture_output=True, text=True, timeout=240)
        answer = re.search(r'<pre id="found">(.*?)</pre>', shown.stdout, re.S)
        assert answer and answer[1], f"the browser shows no page: {shown.stderr[-2000:]}"
        found = json.loads(html.unescape(answer[1]))
        print(f"{width} pixels: {found}")
        assert found["title"] == "Kokkos beside native kernels", found
        assert found["pictures"] >= 9 and found["empty"] == 0, found
        assert found["overflow"] <= 0, "something is wider than the screen"
        assert found["cut"] == 0, "what is said of a machine has to be scrolled"
        assert not found["outside"], "words reach out of their picture"
