# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the panel, and its text, for tests: panel_picture.py FILE.png says size and colours; a module for the others."""
import struct
import sys
import zlib

LIT, DARK = {"dark": 0xF0E442, "light": 0xB84A00}, {"dark": 0x8E9AA8, "light": 0x5A6470}


class Picture:
    """Pixels of a PNG file with 8 bits for each of red, green and blue."""

    def __init__(self, name):
        data = open(name, "rb").read()
        assert data[:8] == b"\x89PNG\r\n\x1a\n", name + " is no PNG"
        at, packed = 8, b""
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + length]
            assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
            if kind == b"IHDR":
                self.width, self.height, bits, colours = struct.unpack(">IIBB", body[:10])
                assert (bits, colours) == (8, 2)
            elif kind == b"IDAT":
                packed += body
            at += 12 + length
        rows, step = zlib.decompress(packed), 3 * self.width + 1
        assert len(rows) == step * self.height
        self.rows = []
        for y in range(self.height):
            line = bytearray(rows[y * step + 1:(y + 1) * step])
            assert rows[y * step] == 1
            for i in range(3, len(line)):
                line[i] = (line[i] + line[i - 3]) & 255
            self.rows.append(line)

    def pixel(self, x, y):
        r, g, b = self.rows[y][3 * x:3 * x + 3]
        return r << 16 | g << 8 | b

    def colours(self):
        return {bytes(row[i:i + 3]) for row in self.rows for i in range(0, len(row), 3)}

    def count(self, colour, box):
        """Pixels of a colour in (x, y, width, height)."""
        x0, y0, width, height = (int(part) for part in box)
        return sum(self.pixel(x, y) == colour for y in range(max(y0, 0), min(y0 + height, self.height))
                   for x in range(max(x0, 0), min(x0 + width, self.width)))


class Text:
    """What panel text shows, with the places of its parts in pixels: cells have the size of 14-pixel characters."""

    WIDTH, HEIGHT = 8, 19

    def __init__(self, text):
        self.lines = text.split("\n")

    def find(self, what, after=0):
        """Column and line of a text; None."""
        for y, line in enumerate(self.lines[after:], after):
            x = line.find(what)
            if x >= 0:
                return x, y
        return None

    def place(self, what, after=0):
        """The middle of its first character, in pixels."""
        found = self.find(what, after)
        assert found, "%r is not in\n%s" % (what, "\n".join(self.lines))
        return found[0] * self.WIDTH + self.WIDTH // 2, found[1] * self.HEIGHT + self.HEIGHT // 2 - 2

    def lamp(self, label):
        """Is it lit, by its sign? None: there is none."""
        for line in self.lines:
            x = line.find(" " + label)
            if x >= 1 and line[x - 1] in "●○":
                return line[x - 1] == "●"
        return None


def lamp_lit(picture, text, label, theme="dark"):
    """The same by the pixels of the picture."""
    for sign in "●○":
        found = text.find(sign + " " + label)
        if found:
            x, y = found[0] * text.WIDTH, found[1] * text.HEIGHT
            disc = picture.count(LIT[theme], (x - 2, y - 8, 24, 28))
            ring = picture.count(DARK[theme], (x - 2, y - 8, 24, 28))
            assert (disc > 60) != (ring > 10 and disc == 0), "lamp %s: %d and %d pixels" % (label, disc, ring)
            return disc > 60
    raise AssertionError("no lamp %s" % label)


if __name__ == "__main__":
    picture = Picture(sys.argv[1])
    print(picture.width, picture.height, len(picture.colours()))
