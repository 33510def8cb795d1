import collections
import pathlib
import sys
import unittest

import numpy as np
from onnx import numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools/models"))
import generate_lookahead  # noqa: E402
import generate_nas  # noqa: E402
import generate_randwire  # noqa: E402
from model_builder import ModelBuilder  # noqa: E402


def op_types(model) -> list[str]:
    return [node.op_type for node in model.graph.node]


class ModelBuilderTest(unittest.TestCase):
    def builder(self, *shape: int) -> ModelBuilder:
        return ModelBuilder("tiny", {"x": shape}, opset=17, ir_version=8)

    def test_same_padding_adds_the_odd_pixel_after(self):
        b = self.builder(1, 3, 8, 8)
        model = b.model(b.conv("x", 4, 3, stride=2))
        attributes = {a.name: list(a.ints) for a in model.graph.node[0].attribute}
        self.assertEqual(attributes["pads"], [0, 0, 1, 1])
        self.assertEqual(b.shapes[model.graph.output[0].name], (1, 4, 4, 4))

    def test_a_wrong_shape_is_noticed(self):
        b = self.builder(1, 3, 8, 8)
        y = b.op("Relu", ["x"], (1, 3, 8, 9))
        with self.assertRaisesRegex(Exception, "relu_0|shape"):
            b.model(b.op("Relu", [y], (1, 3, 8, 8)))

    def test_weights_depend_on_the_name_alone(self):
        def weights(name):
            b = ModelBuilder(name, {"x": (1, 2, 4, 4)}, opset=17, ir_version=8)
            model = b.model(b.conv("x", 2, 3))
            return numpy_helper.to_array(model.graph.initializer[0])

        np.testing.assert_array_equal(weights("a"), weights("a"))
        self.assertFalse(np.array_equal(weights("a"), weights("b")))


class GeneratorsTest(unittest.TestCase):
    def test_there_are_35_models_with_names_of_their_own(self):
        names = [
            name
            for generator in (generate_nas, generate_randwire, generate_lookahead)
            for name in generator.recipes()
        ]
        self.assertEqual(len(names), 35)
        self.assertEqual(len(set(names)), 35)

    def test_darts_has_its_published_operators(self):
        name = "darts_cifar_n1"
        model = generate_nas.recipes()[name](name)
        counts = collections.Counter(op_types(model))
        # Three normal cells with a reduction between any two. A reduction pools five times; the
        # cell after it halves what comes from before it on two paths, joined by a Concat.
        self.assertEqual(counts["MaxPool"], 2 * 5)
        self.assertEqual(counts["AveragePool"], 2 * 2)
        self.assertEqual(counts["Concat"], 5 + 2)
        self.assertEqual(len(model.graph.node), 171)

    def test_the_wiring_is_acyclic_connected_and_seeded(self):
        wiring = generate_randwire.watts_strogatz(12, np.random.default_rng(12))
        self.assertEqual(wiring, generate_randwire.watts_strogatz(12, np.random.default_rng(12)))
        self.assertEqual(sum(map(len, wiring)), 12 * generate_randwire.NEIGHBOURS // 2)
        for node, predecessors in enumerate(wiring):
            self.assertTrue(all(before < node for before in predecessors))

    def test_both_forms_of_a_cell_share_their_wiring(self):
        recipes = generate_randwire.recipes()
        models = [recipes[name](name) for name in ("rwcell_sum_n12_s12", "rwcell_stack_n12_s12")]
        convolutions = [op_types(model).count("Conv") for model in models]
        self.assertEqual(convolutions, [1 + 2 * 12] * 2)
        self.assertIn("Unsqueeze", op_types(models[1]))
        self.assertNotIn("Unsqueeze", op_types(models[0]))

    def test_gated_block(self):
        model = generate_lookahead.recipes()["l3_gated_block"]("l3_gated_block")
        self.assertEqual(
            op_types(model),
            ["Conv", "Relu", "Conv", "GlobalAveragePool", "Conv", "Sigmoid", "Mul", "Add", "Conv"],
        )


if __name__ == "__main__":
    unittest.main()
