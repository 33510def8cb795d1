"""check --certificate and --prove: what a bound rests on, claim by claim."""

import json
import unittest

import models
from tool import DONE, REFUSED, ToolTest


class CertificateTest(ToolTest):
    def setUp(self):
        super().setUp()
        self.save(models.branches())

    def plan(self, *args) -> dict:
        self.opass("schedule", "m.onnx", "--no-verify", "--sharing", "none", "--plan", "p.json",
                   "--emit", "problem=pr.json", "-q", *args)
        return json.loads((self.folder / "p.json").read_text())

    def claim_a_search(self, plan: dict) -> None:
        """A plan whose bound is said to be its peak, by a search of all steps."""
        peak = plan["peak_bytes"]
        search = {"budget_bytes": peak - 1, "reverse": False, "nodes": 7, "implied_edges": 0,
                  "rules": []}
        segment = {"first": 0, "last": len(plan["order"]), "peak_bytes": peak, "kind": "search",
                   "bytes": peak, "search": search}
        plan.update(lower_bound_bytes=peak, proven_optimal=True, certificate={
            "kind": "segments", "bytes": peak, "op": None, "executed": [], "splits": [],
            "segments": [segment]})
        (self.folder / "q.json").write_text(json.dumps(plan))

    def test_searches_are_confirmed(self):
        self.claim_a_search(self.plan())
        report = self.opass("check", "m.onnx", "q.json", "--certificate", "--json").json()
        self.assertIs(report["bound_checked"], False)
        self.assertEqual([claim["verdict"] for claim in report["certificate"]],
                         ["nothing", "trusted"])
        for model in ("m.onnx", "pr.json"):
            report = self.opass("check", model, "q.json", "--prove", "--json").json()
            self.assertEqual([claim["verdict"] for claim in report["certificate"]],
                             ["nothing", "confirmed"])
            self.assertEqual(report["certificate"][1]["last"], len(self.plan()["order"]))
        text = self.opass("check", "m.onnx", "q.json", "--prove").stdout
        self.assertIn("(by a search, confirmed)", text)
        self.assertIn("confirmed: no order within", text)
        text = self.opass("check", "m.onnx", "q.json", "--prove", "--prove-states", "1").stdout
        self.assertIn("too large: given up after 1 states", text)
        self.assertIn("taken on trust", text)

    def test_a_false_search_is_believed_until_it_is_run_again(self):
        best = self.plan()["peak_bytes"]
        worse = self.plan("--scheduler", "file_order")
        self.assertGreater(worse["peak_bytes"], best)
        self.claim_a_search(worse)
        self.opass("check", "m.onnx", "q.json", "--certificate", expect=DONE)
        result = self.opass("check", "m.onnx", "q.json", "--prove", expect=REFUSED)
        self.assertIn("refused", result.stdout)
        self.assertIn("there is an order that needs less", result.stdout)
        report = self.opass("check", "m.onnx", "q.json", "--prove", "--json",
                            expect=REFUSED).json()
        self.assertIs(report["accepted"], False)
        self.assertEqual(report["certificate"][1]["verdict"], "refused")

    def test_schedule_proves_what_it_wrote(self):
        result = self.opass("schedule", "m.onnx", "--no-verify", "--prove")
        self.assertRegex(result.stdout, r"whole +peak \d+")
        report = self.opass("schedule", "m.onnx", "--no-verify", "--prove", "--json").json()
        self.assertNotIn("refused", [claim["verdict"] for claim in report["certificate"]])
        report = self.opass("schedule", "m.onnx", "--no-verify", "--json").json()
        self.assertIsNone(report["certificate"])


if __name__ == "__main__":
    unittest.main()
