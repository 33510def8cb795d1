"""optimize --precision fp16, through the tool."""

import onnx

import models
from tool import INVALID, ToolTest


class PrecisionTest(ToolTest):
    def test_fp16_halves_the_arena_and_tells_the_error(self):
        model = models.long_running(layers=3, size=64)
        lossless, _ = self.optimize(model)
        half, written = self.optimize(model, "--precision", "fp16")
        self.assertIsNone(lossless["precision"])
        self.assertEqual(half["precision"], "float16", half["warnings"])
        self.assertLess(half["arena_bytes"], lossless["arena_bytes"])
        self.assertLess(half["weights_bytes"], lossless["weights_bytes"])
        self.assert_verified(half)
        self.assertGreater(half["max_scaled_error"], 0)
        self.assertLess(half["max_scaled_error"], 5e-2)
        for tensor in [*written.graph.input, *written.graph.output]:
            self.assertEqual(tensor.type.tensor_type.elem_type, onnx.TensorProto.FLOAT)

    def test_the_pass_is_run_by_its_option_alone(self):
        self.save(models.chain())
        result = self.opass("optimize", "m.onnx", "-o", "a.onnx", "--passes",
                            "convert_to_float16", expect=INVALID)
        self.assertIn("--precision fp16", result.stderr)
