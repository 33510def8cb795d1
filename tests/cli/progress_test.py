"""The line on a terminal that says what runs."""

import fcntl
import os
import pty
import struct
import subprocess
import termios

from tool import TIMEOUT_SECONDS, TOOL, ToolTest

COLUMNS = 80
REMOVED = "\r\x1b[K"


class ProgressTest(ToolTest):
    def on_a_terminal(self, *args) -> str:
        """What the tool writes to standard error, a terminal."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
        done = subprocess.Popen([TOOL, *args], cwd=self.folder, stdout=subprocess.DEVNULL,
                                stderr=theirs)
        os.close(theirs)
        written = b""
        try:
            while chunk := os.read(ours, 4096):
                written += chunk
        except OSError:
            pass  # the other end is closed
        os.close(ours)
        self.assertEqual(done.wait(TIMEOUT_SECONDS), 0)
        return written.decode()

    def test_what_runs_and_the_gap_so_far_are_shown_and_removed(self):
        self.opass("bench", "schedule", "--write", ".", "--family", "ws", "--size", "1000")
        long_name = "a_name_that_is_longer_than_the_terminal_is_wide_" * 2 + ".json"
        (self.folder / "ws_1000_s1.json").rename(self.folder / long_name)
        shown = self.on_a_terminal("schedule", long_name, "--time", "3")
        lines = [line for line in shown.split(REMOVED) if "peak " in line]
        self.assertTrue(any(" gap " in line for line in lines), shown)
        self.assertLess(max(map(len, lines)), COLUMNS)
        self.assertIn(REMOVED, shown[shown.rindex("peak "):])
        self.assertNotIn("peak ", self.on_a_terminal("schedule", long_name, "--time", "3", "-q"))
