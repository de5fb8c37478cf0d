"""results.py JSON FILE... [-- PATTERN...]: every number in an array of the JSON stands in one of the files, as it is
rounded there; a path in the JSON that matches a pattern is for programs alone, and must be there."""
import json
import math
import re
import sys

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|nan|inf)")


def half_a_digit(text):
    """Half of the last digit that a number was printed with."""
    mantissa, _, exponent = text.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    return 0.5 * 10.0 ** (int(exponent or 0) - decimals)


def printed(paths):
    found = []
    for path in paths:
        with open(path, encoding="utf-8") as stream:
            for text in NUMBER.findall(stream.read()):
                value = float(text)
                if math.isfinite(value):
                    found.append((value, half_a_digit(text)))
    return sorted(found)


def leaves(value, path, in_array):
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, f"{path}/{key}", in_array)
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part, f"{path}/*", True)
    elif in_array and isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, float(value)


def stands(value, found):
    """Shares are printed in percent too."""
    return any(abs(shown - scale * value) <= half * (1 + 1e-9) + 1e-15 * abs(shown) for scale in (1.0, 100.0)
               for shown, half in found)


def main():
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    (source, *files), patterns = words[:split], words[split + 1:]
    with open(source, encoding="utf-8") as stream:
        result = json.load(stream)
    found, missing, used, seen = printed(files), {}, set(), 0
    for path, value in leaves(result, "", False):
        excused = [p for p in patterns if re.search(p, path)]
        used.update(excused)
        seen += 1
        if not excused and not stands(value, found):
            missing.setdefault(path, []).append(value)
    for path, values in missing.items():
        print(f"{source}: {path}: {len(values)} numbers that no text or table has, such as {values[0]!r}")
    for pattern in set(patterns) - used:
        print(f"{source}: nothing is like {pattern}")
    if seen == 0:
        print(f"{source}: there is no number in an array")
    return 1 if missing or set(patterns) - used or seen == 0 else 0


sys.exit(main())
