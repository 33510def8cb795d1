"""--report: the picture as a file, and as a browser shows it."""

import base64
import hashlib
import json
import re
import shutil
import subprocess
import unittest
import xml.dom.minidom

import models
from tool import INVALID, ToolTest

CHROMIUM = shutil.which("chromium")
HOSTILE = "</title><script>document.title='broken'</script>\"'&\n"


def hostile():
    model = models.conv()
    for node in model.graph.node:
        node.name = HOSTILE + node.name
        node.output[:] = [name if name == "y" else HOSTILE + name for name in node.output]
        node.input[:] = [HOSTILE + name if len(name) == 1 and name != "x" else name
                         for name in node.input]
    return model


class PictureTest(ToolTest):
    def draw(self, model, name: str, command: str = "schedule") -> str:
        self.save(model)
        output = ["-o", "o.onnx"] if command == "optimize" else []
        self.opass(command, "m.onnx", *output, "--no-verify", "--plan", "p.json", "--report", name)
        return (self.folder / name).read_text()

    def num_buffers(self) -> int:
        return len(json.loads((self.folder / "p.json").read_text())["buffers"])

    def test_both_forms_of_both_commands(self):
        for command in ("schedule", "optimize"):
            for model in (models.conv(), models.branches(), hostile()):
                svg = xml.dom.minidom.parseString(self.draw(model, "a.svg", command))
                titles = [node.firstChild.data for node in svg.getElementsByTagName("title")]
                self.assertTrue(any("bytes" in title and "offset" in title for title in titles))
                html = self.draw(model, "a.html", command)
                self.assertEqual(html.count("<script"), 1)
                for text in (html, svg.toxml().replace("http://www.w3.org/2000/svg", "")):
                    self.assertNotIn("://", text)
                    for said in ("Original, in file order", "Planned", "lower bound"):
                        self.assertIn(said, text)
                self.assertEqual(html, self.draw(model, "b.html", command))

    def test_the_policy_allows_the_script(self):
        html = self.draw(models.conv(), "a.html")
        script = re.search("<script>(.*)</script>", html, re.S)[1]
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        self.assertIn(f"script-src 'sha256-{digest}'", html)

    def test_refused(self):
        self.save(models.conv())
        self.save(models.conv(), "m.svg")
        for arguments in (["m.onnx", "--report", "a.png"], ["m.onnx", "--report", "-"],
                          ["m.svg", "--report", "m.svg"], ["m.onnx", "--report", "no/such/a.svg"],
                          ["m.onnx", "--plan", "a.svg", "--report", "a.svg"]):
            with self.subTest(arguments):
                self.opass("schedule", *arguments, "--no-verify", expect=INVALID)
        self.assertEqual(self.files(), {"m.onnx", "m.svg"})

    def browse(self, name: str, *arguments) -> subprocess.CompletedProcess:
        return subprocess.run(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
             f"--user-data-dir={self.folder}/profile", "--window-size=1400,1000", *arguments,
             f"file://{self.folder}/{name}"], capture_output=True, text=True, timeout=120,
            check=True)

    @unittest.skipUnless(CHROMIUM, "chromium is not installed: the picture was not loaded")
    def test_in_a_browser(self):
        for model in (models.conv(), hostile()):
            self.draw(model, "a.html")
            done = self.browse("a.html", "--dump-dom")
            self.assertNotIn("CONSOLE", done.stderr)
            self.assertNotIn("<title>broken", done.stdout)
            planned = done.stdout.partition('aria-label="Planned"')[2]
            self.assertEqual(len(re.findall('<rect class="b (?!held)', planned)), self.num_buffers())
            # The script ran: it took the titles of the drawings.
            self.assertEqual(done.stdout.count("<title>"), 1)
            self.browse("a.html", f"--screenshot={self.folder}/a.png")
            self.assertGreater((self.folder / "a.png").stat().st_size, 10_000)


if __name__ == "__main__":
    unittest.main()
