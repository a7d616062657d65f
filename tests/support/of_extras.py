"""What the tests of the extras add to tests that walk all pages: the file pages.toml beside them."""

import tomllib
from importlib.util import module_from_spec, spec_from_file_location

from support.paths import ROOT


def of_extras(what: str) -> list[str]:
    """Return what the files of the extras say of one thing: addresses of pages, forms, functions that change a role."""
    files = sorted(ROOT.glob("tests/extras/*/pages.toml"))
    return [one for path in files for one in tomllib.loads(path.read_text(encoding="utf-8")).get(what, ())]


def run_modules(ending: str) -> None:
    """Run the modules beside the tests of the extras whose names end so: what they register is known then."""
    for path in sorted(ROOT.glob(f"tests/extras/*/*{ending}.py")):
        spec = spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        spec.loader.exec_module(module_from_spec(spec))
