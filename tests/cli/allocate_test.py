"""opass allocate: a list of buffers gets offsets, or a reason why not."""

import csv
import random
import unittest

from tool import INVALID, NOT_POSSIBLE, ToolTest



def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def arena_of(rows):
    """Judges every pair; the arena."""
    spans = [tuple(int(row[key]) for key in ("lower", "upper", "size", "offset")) for row in rows]
    for i, (lower, upper, size, offset) in enumerate(spans):
        assert offset >= 0
        for other_lower, other_upper, other_size, other_offset in spans[:i]:
            meet = lower < other_upper and other_lower < upper
            assert not (meet and offset < other_offset + other_size and other_offset < offset + size)
    return max((size + offset for _, _, size, offset in spans), default=0)


class AllocateTest(ToolTest):
    def write(self, text: str) -> str:
        (self.folder / "b.csv").write_bytes(text.encode("utf-8", "surrogateescape"))
        return "b.csv"

    def random_list(self, count: int, steps: int) -> str:
        draw = random.Random(7)
        lines = ["id,lower,upper,size"]
        for number in range(count):
            lower = draw.randrange(steps)
            upper = lower + 1 + draw.randrange(max(1, min(steps, 60)))
            lines.append(f"b{number},{lower},{upper},{64 * (1 + draw.randrange(100))}")
        return self.write("\n".join(lines) + "\n")

    def test_every_row_gets_an_offset(self):
        report = self.opass("allocate", self.random_list(120, 80), "-o", "o.csv", "--json").json()
        rows = rows_of(self.folder / "o.csv")
        self.assertEqual([row["id"] for row in rows], [f"b{i}" for i in range(120)])
        self.assertEqual(arena_of(rows), report["arena_bytes"])
        self.assertGreaterEqual(report["arena_bytes"], report["lower_bound_bytes"])
        first = (self.folder / "o.csv").read_bytes()
        # What was written can be read again, and threads change nothing.
        self.opass("allocate", "o.csv", "-o", "p.csv", "--threads", "3")
        self.assertEqual((self.folder / "p.csv").read_bytes(), first)

    def test_columns_in_any_order_and_odd_lines(self):
        self.write("size,id,upper,lower\r\n8,x,2,-3\r\n\r\n0,nothing,5,0\r\n8,y,9,1")
        text = self.opass("allocate", "b.csv", "-o", "o.csv").stdout
        self.assertIn("arena        16 bytes", text)
        self.assertIn("no arena is smaller", text)
        self.assertEqual(arena_of(rows_of(self.folder / "o.csv")), 16)

    def test_no_buffers(self):
        self.write("id,lower,upper,size\n")
        report = self.opass("allocate", "b.csv", "-o", "o.csv", "--json").json()
        self.assertEqual(report["arena_bytes"], 0)
        self.assertEqual((self.folder / "o.csv").read_text(), "id,lower,upper,size,offset\n")

    def test_capacity(self):
        self.write("id,lower,upper,size\na,0,2,10\nb,1,3,10\nc,2,4,10\n")
        self.opass("allocate", "b.csv", "--capacity", "20", "-o", "o.csv")
        self.assertEqual(arena_of(rows_of(self.folder / "o.csv")), 20)
        result = self.opass("allocate", "b.csv", "--capacity", "19", "-o", "p.csv", "--json",
                            expect=NOT_POSSIBLE)
        self.assertEqual(result.json()["error"]["reason"], "does-not-fit")
        self.assertIn("20 are live", result.stderr)
        self.assertNotIn("p.csv", self.files())

    def test_unknown_is_told_from_refuted(self):
        name = self.random_list(400, 300)
        report = self.opass("allocate", name, "--time", "0", "--json").json()
        if report["proven_optimal"]:
            self.skipTest("the first try is the best possible")
        capacity = str(report["lower_bound_bytes"])
        result = self.opass("allocate", name, "--time", "0", "--capacity", capacity, "--json",
                            expect=NOT_POSSIBLE)
        self.assertEqual(result.json()["error"]["reason"], "fit-unknown")

    def test_wrong_files(self):
        heading = "id,lower,upper,size\n"
        for text, message in [
                ("", "no heading"),
                ("id,lower,upper\n", "no column 'size'"),
                ("id,lower,upper,size,size\n", "column 'size' twice"),
                ("id,lower,upper,size,color\n", "unknown column 'color'"),
                (heading + "a,1,2\n", "b.csv:2: 3 cells, the heading has 4"),
                (heading + "a,1,2,3,4\n", "5 cells"),
                (heading + "a,1,x,3\n", "upper 'x' is not a whole number"),
                (heading + "a,1,2,1e3\n", "size '1e3' is not a whole number"),
                (heading + "a,1,2,99999999999999999999\n", "is not a whole number"),
                (heading + "a,2,2,3\n", "upper is not above lower"),
                (heading + "a,1,2,-3\n", "size is negative"),
                (heading + "a,1,2,4611686018427387904\nb,1,2,1\n", "b.csv:3: all sizes together"),
                (heading + "a,\udcff\x01,2,3\n", "lower '??' is not a whole number"),
                (heading[:-1] + ",pin,pin\n", "column 'pin' twice"),
                (heading[:-1] + ",alignment\na,1,2,3,0\n", "b.csv:2: alignment 0 is not from 1"),
                (heading[:-1] + ",alignment\na,1,2,3,2000000000\n", "is not from 1 to 2^30"),
                (heading[:-1] + ",alignment\na,1,2,3,x\n", "alignment 'x' is not a whole number"),
                (heading[:-1] + ",alignment,pin\na,1,2,3,4,6\n", "pin 6 is no multiple"),
                (heading[:-1] + ",pin\na,1,2,3,-4\n", "pin -4 is not from 0"),
                (heading[:-1] + ",pin\na,1,2,3,9000000000000000000\n", "is not from 0 to 2^60"),
                (heading[:-1] + ",pin\na,1,2,3,4.5\n", "pin '4.5' is not a whole number"),
                (heading[:-1] + ",gaps\na,1,9,3,2\n", "gap '2' is not lower-upper"),
                (heading[:-1] + ",gaps\na,1,9,3,2-3@0:1\n", "gap '2-3@0:1' is not lower-upper"),
                (heading[:-1] + ",gaps\na,1,9,3,3-3\n", "gap 3-3 is empty"),
                (heading[:-1] + ",gaps\na,1,9,3,3-10\n", "gap 3-10 is not within the lifetime"),
                (heading[:-1] + ",gaps\na,1,9,3,3-6 5-7\n", "begins before the one before it"),
                (heading[:-1] + ",delta\na,1,9,3,4\n", "a delta without a group"),
                (heading[:-1] + ",group,delta\na,1,9,3,g,9000000000000000000\n", "not within 2^60"),
                (heading[:-1] + ",group,alignment,delta\na,1,9,3,g,4,0\nb,1,9,3,g,4,2\n",
                 "b: the alignments of group 'g' contradict each other"),
                (heading[:-1] + ",group,pool\na,1,9,3,g,x\nb,1,9,3,g,y\n", "is in two pools"),
                (heading[:-1] + f",alignment\na,1,2,{1 << 61},2\nb,1,2,{1 << 61},1\n",
                 "sizes, alignments, deltas and pins together exceed 2^62"),
        ]:
            with self.subTest(message):
                self.write(text)
                result = self.opass("allocate", "b.csv", "-o", "o.csv", expect=INVALID)
                self.assertIn(message, result.stderr)
                self.assertEqual(self.files(), {"b.csv"})

    def test_constraints_are_kept_and_written_back(self):
        self.write("id,lower,upper,size,alignment,gaps,pin,group,delta\n"
                   "weights,0,10,4096,,,0,,\n"
                   "left,0,3,1000,64,,,g,0\n"
                   "right,0,3,500,,,,g,1000\n"
                   "both,3,6,1500,,,,g,0\n"
                   "x,1,9,3000,256,3-6,,,\n"
                   "y,3,6,2900,4096,,,,\n")
        report = self.opass("allocate", "b.csv", "--forbid", "6000:6100", "-o", "o.csv",
                            "--json").json()
        self.assertEqual(report["arena_bytes"], 8192 + 2900)
        self.assertTrue(report["proven_optimal"])
        at = {row["id"]: int(row["offset"]) for row in rows_of(self.folder / "o.csv")}
        self.assertEqual(at["weights"], 0)
        self.assertEqual(at["left"] % 64, 0)
        self.assertEqual(at["right"], at["left"] + 1000)
        self.assertEqual(at["both"], at["left"])
        self.assertEqual(at["x"] % 256, 0)
        self.assertFalse(at["x"] < 6100 and 6000 < at["x"] + 3000)
        # The file written poses the same problem again.
        self.opass("allocate", "o.csv", "--forbid", "6000:6100", "-o", "p.csv")
        self.assertEqual((self.folder / "o.csv").read_bytes(),
                         (self.folder / "p.csv").read_bytes())
        result = self.opass("allocate", "b.csv", "--forbid", "6000:6100", "--capacity", "11091",
                            "--json", expect=NOT_POSSIBLE)
        self.assertEqual(result.json()["error"]["reason"], "does-not-fit")
        # Without the forbidden range, y still needs a multiple of 4096 beside the weights.
        self.opass("allocate", "b.csv", "--capacity", "8604")

    def test_columns_that_set_nothing_are_a_plain_list(self):
        self.write("id,lower,upper,size,pin,gaps,alignment,pool,group,delta\n"
                   "a,0,2,10,,,,,,\nb,1,3,10,,,1,,,0\n")
        self.opass("allocate", "b.csv", "-o", "o.csv")
        self.assertTrue((self.folder / "o.csv").read_text().startswith("id,lower,upper,size,offset\n"))

    def test_pins_that_overlap(self):
        self.write("id,lower,upper,size,pin\na,0,2,10,0\nb,1,3,10,9\n")
        result = self.opass("allocate", "b.csv", "-o", "o.csv", "--json", expect=NOT_POSSIBLE)
        self.assertEqual(result.json()["error"]["reason"], "does-not-fit")
        self.assertIn("'a' and 'b' overlap at step 1", result.stderr)
        self.assertEqual(self.files(), {"b.csv"})

    def test_pools(self):
        self.write("id,lower,upper,size,pool\na,0,3,100,fast\nb,0,3,60,slow\nc,1,3,50,fast\n")
        report = self.opass("allocate", "b.csv", "--pool", "fast=150", "--json").json()
        fast, slow = report["pools"]
        self.assertEqual((fast["pool"], fast["capacity_bytes"], fast["arena_bytes"]),
                         ("fast", 150, 150))
        self.assertEqual((slow["pool"], slow["capacity_bytes"], slow["arena_bytes"]),
                         ("slow", None, 60))
        result = self.opass("allocate", "b.csv", "--pool", "fast=149", "--json",
                            expect=NOT_POSSIBLE)
        self.assertEqual(result.json()["error"]["reason"], "does-not-fit")
        self.assertIn("pool fast", result.stderr)
        # --capacity is that of the pools without one.
        self.opass("allocate", "b.csv", "--pool", "fast=150", "--capacity", "59",
                   expect=NOT_POSSIBLE)
        self.assertIn("pool         fast", self.opass("allocate", "b.csv").stdout)

    def test_buffers_without_a_pool_go_to_any(self):
        self.write("id,lower,upper,size\na,0,3,100\nb,0,3,60\nc,1,3,50\nd,2,5,90\n")
        pools = ["--pool", "fast=128", "--pool", "slow=210"]
        text = self.opass("allocate", "b.csv", *pools, "-o", "o.csv").stdout
        self.assertIn("chosen by load", text)
        for name, capacity in (("fast", 128), ("slow", 210)):
            rows = [row for row in rows_of(self.folder / "o.csv") if row["pool"] == name]
            self.assertLessEqual(arena_of(rows), capacity)
        for slow, reason in (("171", "does-not-fit"), ("180", "fit-unknown")):
            result = self.opass("allocate", "b.csv", "--pool", "fast=128", "--pool", "slow=" + slow,
                                "--json", expect=NOT_POSSIBLE)
            self.assertEqual(result.json()["error"]["reason"], reason)

    def test_wrong_options(self):
        self.write("id,lower,upper,size,pool\na,0,3,100,fast\nb,0,3,60,\n")
        for options, message in [
                (["--forbid", "7"], "'7' is not BEGIN:END"),
                (["--forbid", "7:7"], "'7:7' is empty"),
                (["--forbid", "x:7"], "--forbid"),
                (["--forbid", "5:7"], "a pool without a name beside named ones"),
                (["--pool", "=7"], "'=7' has no name"),
                (["--pool", "x=y"], "--pool"),
                (["--pool", "x", "--pool", "x=1"], "pool 'x' twice"),
        ]:
            with self.subTest(message):
                result = self.opass("allocate", "b.csv", *options, expect=INVALID)
                self.assertIn(message, result.stderr)

    def test_huge_numbers(self):
        big = 1 << 61
        self.write(f"id,lower,upper,size\na,{-(1 << 63)},{(1 << 63) - 1},{big}\nb,0,1,{big - 1}\n")
        report = self.opass("allocate", "b.csv", "--json").json()
        self.assertEqual(report["arena_bytes"], 2 * big - 1)


if __name__ == "__main__":
    unittest.main()
