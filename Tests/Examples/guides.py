"""guides.py LANGUAGE NAME [PLACE=TEXT]...: a guide of those in Sources, line by line as the examples show it."""

import pathlib
import re
import sys

HEADINGS = {"denied": "howToAllow", "wallpaper": "howToSetWallpaper"}


def main():
    language, name, *places = sys.argv[1:]
    text = pathlib.Path(f"Sources/DaemonConfiguration/Guides/{language}.yaml").read_text()
    # Its lines, and those of the key in them; a text is in quotes.
    guide = re.search(rf"^{name}:\n((?:  .*\n)+)", text, re.MULTILINE)[1]

    def of(key):
        return re.search(rf'^ *{key}: "(.*)"$', guide, re.MULTILINE)

    def below(key, what):
        return re.search(rf'^  {key}:\n(?:    .*\n)*?    {what}: "(.*)"$', guide, re.MULTILINE)

    steps = re.search(r"^  steps:\n((?:    - .*\n)+)", guide, re.MULTILINE)[1]
    lines = [
        (of("title") or below("title", "addOnly"))[1],
        (of("one") or below("message", "addOnly"))[1],
        re.search(rf'^{HEADINGS[name]}: "(.*)"$', text, re.MULTILINE)[1],
        *(f"  {number}. {step}" for number, step in enumerate(re.findall('- "(.*)"', steps), 1)),
    ]
    for line in lines:
        for place in places:
            key, _, value = place.partition("=")
            line = line.replace(f"{{{key}}}", value)
        print(line)


main()
