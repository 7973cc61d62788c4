#!/usr/bin/env python3
"""Packs what Unicode says of characters in names into Domain/TravelDomain/Values/UnicodeNames+Data.swift.

    python3 pack-unicode-names.py > .../Values/UnicodeNames+Data.swift

The data is that of Unicode Technical Standard 39 (confusables.txt, IdentifierStatus.txt) and of Unicode Standard Annex 24
(Scripts.txt, ScriptExtensions.txt), as the library ICU has it (Debian: libicu72, which has Unicode 15.0). The same library
gives the same bytes. `UnicodeNames.swift` describes the format.

After a change of the confusables, a new migration of each store computes the skeletons of stored nicknames again.
"""
import ctypes
import sys
import textwrap
import unicodedata

ICU = 72
LICENSE = """\
Copyright (c) 1991-2022 Unicode, Inc. UNICODE LICENSE V3 (SPDX: Unicode-3.0)

Permission is hereby granted, free of charge, to any person obtaining a copy of data files and any associated documentation \
(the "Data Files") or software and any associated documentation (the "Software") to deal in the Data Files or Software \
without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, and/or sell \
copies of the Data Files or Software, and to permit persons to whom the Data Files or Software are furnished to do so, \
provided that either (a) this copyright and permission notice appear with all copies of the Data Files or Software, or (b) \
this copyright and permission notice appear in associated Documentation.

THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT \
LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD PARTY RIGHTS.

IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT \
OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF \
CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA \
FILES OR SOFTWARE.

Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise to \
promote the sale, use or other dealings in these Data Files or Software without prior written authorization of the \
copyright holder."""

# ICU: UScriptCode of Common and Inherited, and of the scripts of which Japanese, Korean and Bopomofo texts consist.
COMMON, INHERITED = 0, 1
HAN, HIRAGANA, KATAKANA, HANGUL, BOPOMOFO = 17, 20, 22, 18, 5
# UProperty: UCHAR_DEFAULT_IGNORABLE_CODE_POINT
DEFAULT_IGNORABLE = 5

common = ctypes.CDLL(f"libicuuc.so.{ICU}")
i18n = ctypes.CDLL(f"libicui18n.so.{ICU}")
error = ctypes.c_int(0)


def function(library, name, result=ctypes.c_int32):
    found = getattr(library, f"{name}_{ICU}")
    found.restype = result
    return found


def checked(value):
    if error.value > 0:
        sys.exit(f"ICU: error {error.value}")
    return value


def unicode_version():
    version = (ctypes.c_uint8 * 4)()
    function(common, "u_getUnicodeVersion", None)(version)
    return f"{version[0]}.{version[1]}"


spoof = ctypes.c_void_p(checked(function(i18n, "uspoof_open", ctypes.c_void_p)(ctypes.byref(error))))


def skeleton(text):
    """The skeleton of ICU, again and again until it stays: some targets have confusables of their own in NFD."""
    source = text.encode("utf-16-le")
    target = ctypes.create_string_buffer(40 * len(source) + 40)
    length = checked(function(i18n, "uspoof_getSkeleton")(
        spoof, 0, ctypes.create_string_buffer(source), len(source) // 2, target, len(target) // 2, ctypes.byref(error)))
    found = target.raw[:2 * length].decode("utf-16-le")
    return found if found == text else skeleton(found)


def hexadecimal(text):
    return "+".join(f"{ord(character):X}" for character in text)


def confusables(characters):
    targets = {}
    for character in characters:
        found = skeleton(character)
        # The canonical decomposition comes before.
        if found != character and unicodedata.normalize("NFD", character) == character:
            targets.setdefault(found, []).append(character)
    for target in sorted(targets):
        yield hexadecimal(target) + ":"
        yield from map(hexadecimal, targets[target])


def scripts_by_character(characters):
    contains = function(common, "uset_contains", ctypes.c_int8)
    allowed = [
        ctypes.c_void_p(checked(function(i18n, name, ctypes.c_void_p)(ctypes.byref(error))))
        for name in ("uspoof_getRecommendedSet", "uspoof_getInclusionSet")
    ]
    ignorable = function(common, "u_hasBinaryProperty", ctypes.c_int8)
    extensions = function(common, "uscript_getScriptExtensions")
    codes = (ctypes.c_int * 64)()
    for character in characters:
        value = ord(character)
        # A space within a name, and the lone letters of Hangul that a keyboard types, are the two extensions of the
        # profile.
        is_extension = value == 0x20 or 0x3131 <= value <= 0x3163
        if ignorable(value, DEFAULT_IGNORABLE):
            continue
        if not is_extension and not any(contains(each, value) for each in allowed):
            continue
        count = checked(extensions(value, codes, len(codes), ctypes.byref(error)))
        yield value, frozenset(codes[:count])


def named(scripts):
    """The augmented script set (UTS 39, section 5.1), as names."""
    if scripts & {COMMON, INHERITED}:
        return ["Zyyy"]
    short = function(common, "uscript_getShortName", ctypes.c_char_p)
    names = {short(script).decode() for script in scripts}
    if scripts & {HAN, HIRAGANA, KATAKANA}:
        names.add("Jpan")
    if scripts & {HAN, HANGUL}:
        names.add("Kore")
    if scripts & {HAN, BOPOMOFO}:
        names.add("Hanb")
    return sorted(names)


def scripts(characters):
    values = list(scripts_by_character(characters))
    # A script that no character has alone is in no table of recommended scripts: UAX 31, table 5.
    known = {script for _, scripts in values if len(scripts) == 1 for script in scripts}
    ranges = {}
    for value, extensions in values:
        key = "+".join(named(extensions & known))
        found = ranges.setdefault(key, [])
        if found and found[-1][1] == value - 1:
            found[-1][1] = value
        else:
            found.append([value, value])
    for key in sorted(ranges):
        yield key + ":"
        for first, last in ranges[key]:
            yield f"{first:X}" if first == last else f"{first:X}-{last:X}"


def main():
    if len(sys.argv) != 1:
        sys.exit(__doc__)
    characters = [chr(value) for value in range(0x110000) if not 0xD800 <= value < 0xE000]
    def block(tokens):
        return "\n".join(textwrap.wrap(" ".join(tokens), 110, initial_indent=" " * 8, subsequent_indent=" " * 8,
                                       break_on_hyphens=False))
    def comment(text):
        return "\n//\n".join(
            "\n".join(textwrap.wrap(part, 120, initial_indent="// ", subsequent_indent="// ", break_on_hyphens=False))
            for part in text.split("\n\n"))
    origin = f"""\
Generated by Tests/Tools/pack-unicode-names.py from the data of Unicode {unicode_version()}: Unicode Technical Standard 39 \
(confusables, identifier status), Unicode Standard Annex 24 (scripts). Both were packed, and confusables were followed to \
their end.

{LICENSE}"""
    print(f"""{comment(origin)}

extension UnicodeNames {{
    /// What looks like a text: the text, and the characters that look like it.
    static let confusableText = \"\"\"
{block(confusables(characters))}
        \"\"\"

    /// What names may contain: scripts, and the characters that have them.
    static let scriptText = \"\"\"
{block(scripts(characters))}
        \"\"\"
}}""")


main()
