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
        ]:
            with self.subTest(message):
                self.write(text)
                result = self.opass("allocate", "b.csv", "-o", "o.csv", expect=INVALID)
                self.assertIn(message, result.stderr)
                self.assertEqual(self.files(), {"b.csv"})

    def test_huge_numbers(self):
        big = 1 << 61
        self.write(f"id,lower,upper,size\na,{-(1 << 63)},{(1 << 63) - 1},{big}\nb,0,1,{big - 1}\n")
        report = self.opass("allocate", "b.csv", "--json").json()
        self.assertEqual(report["arena_bytes"], 2 * big - 1)


if __name__ == "__main__":
    unittest.main()
