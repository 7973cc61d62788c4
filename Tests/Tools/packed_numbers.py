"""The numbers that the scripts of this folder pack into sources, and `PackedNumbers` of TravelDomain reads."""


def number(value):
    """An unsigned number in groups of five bits from the lowest, each a character from `?` on; all but the last + 32."""
    text = ""
    while value >= 32:
        text += chr((value & 31 | 32) + 63)
        value >>= 5
    return text + chr(value + 63)


def difference(value):
    """A signed number, of at most 63 bits."""
    return number(value << 1 ^ value >> 63)
