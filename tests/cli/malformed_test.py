"""A part of malformed.py that takes seconds, as tests; all of it is a benchmark."""

import itertools
import unittest

import malformed

NUM_FLIPS = 40


class MalformedTest(unittest.TestCase):
    def expect_good(self, cases):
        outcomes = malformed.run_all(cases)
        self.assertTrue(outcomes)
        for outcome in outcomes:
            with self.subTest(group=outcome.case.group, case=outcome.case.name):
                told = outcome.result.stderr[-2000:] if outcome.result else ""
                self.assertEqual(outcome.problem, "", told)
        return outcomes

    def test_the_base_is_a_valid_model(self):
        content = malformed.base_model().SerializeToString()
        outcomes = self.expect_good([malformed.Case("base", "as it is", content)])
        self.assertEqual(outcomes[0].label, "0, true")
        self.assertGreater(len(content), 1024)

    def test_no_models(self):
        self.expect_good(malformed.no_models())

    def test_truncation(self):
        self.expect_good(malformed.truncations())

    def test_changed_models(self):
        self.expect_good(malformed.changed_models())

    def test_deep_nesting(self):
        self.expect_good(malformed.deep_models())

    def test_external_data(self):
        self.expect_good(malformed.external_models())

    def test_random_bytes(self):
        self.expect_good(malformed.flips(NUM_FLIPS))

    def test_the_table_counts_every_case(self):
        outcomes = malformed.run_all(itertools.islice(malformed.no_models(), 2))
        self.assertIn("| all | 2 | 2 |", malformed.table(outcomes))


if __name__ == "__main__":
    unittest.main()
