#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes bad/: pictures that are no textures, and expected.lua, which says why.

    python3 tests/images/make_images.py

Needs nothing but Python. The three JPEGs are below as text, since Python has no
encoder for them: an 8 x 8 grey gradient, the same in RGB and in CMYK.
"""
import base64
import os
import struct
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "bad")

JPEGS = {
    "grey":
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw"
        "8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/wAALCAAIAAgB"
        "AREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABkQAAEFAAAAAAAAAAAAAAAAAAAEBy"
        "E0Uf/aAAgBAQAAPwAWeTV4w//Z",
    "rgb":
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw"
        "8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/2wBDAQkJCQwL"
        "DBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMj"
        "IyMjIyMjIyMjL/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAA"
        "AAP/xAAZEAEAAgMAAAAAAAAAAAAAAAAABAchNFH/xAAUAQEAAAAAAAAAAAAAAAAAAA"
        "AA/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AjT0bXxwAH//Z",
    "cmyk":
        "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAIBgYHBgUIBwcHCQkICgwUDQwLCwwZEhMPFB"
        "0aHx4dGhwcICQuJyAiLCMcHCg3KSwwMTQ0NB8nOT04MjwuMzQy/8AAFAgACAAIBEMR"
        "AE0RAFkRAEsRAP/EABQAAQAAAAAAAAAAAAAAAAAAAAP/xAAZEAABBQAAAAAAAAAAAA"
        "AAAAAABAchNFH/2gAOBEMATQBZAEsAAD8AFnk1eMBZ5NXjAWeTV4wFnk1eMP/Z",
}


def chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data
            + struct.pack(">I", zlib.crc32(kind + data)))


SIGNATURE = b"\x89PNG\r\n\x1a\n"


def head(width, height, bits=8, colour=0, interlace=0):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, colour,
                                      0, 0, interlace))


def rows(width, height, size=1):
    return b"".join(b"\0" + bytes((x * 29 + y * 17) % 256
                                  for x in range(width * size))
                    for y in range(height))


def png(width, height, bits=8, colour=0, note=None):
    size = {0: 1, 2: 3, 4: 2, 6: 4}[colour] * bits // 8
    text = chunk(b"tEXt", b"sandbell.weights\0" + note) if note else b""
    return (SIGNATURE + head(width, height, bits, colour) + text
            + chunk(b"IDAT", zlib.compress(rows(width, height, size), 9))
            + chunk(b"IEND", b""))


def bmp(width, height):
    row = (width * 3 + 3) // 4 * 4
    data = bytes(i % 251 for i in range(row * height))
    return (b"BM" + struct.pack("<IHHI", 54 + len(data), 0, 0, 54)
            + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0,
                          len(data), 0, 0, 0, 0) + data)


def tga(width, height, packed=False):
    header = struct.pack("<BBBHHBHHHHBB", 0, 0, 11 if packed else 3, 0, 0, 0,
                         0, 0, width, height, 8, 0x20)
    if packed:
        return header + b"".join(bytes([0x80 | width - 1, y])
                                 for y in range(height))
    return header + bytes(i % 251 for i in range(width * height))


def hdr(width, height):
    text = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n"
    body = b""
    for y in range(height):
        body += bytes([2, 2, width >> 8, width & 255])
        body += b"".join(bytes([128 + width, 100 + y]) for _ in range(4))
    return (text % (height, width)).encode() + body


def flipped(data, at, bit):
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1:]


CUT = "is cut off"
SUMS = "a checksum does not match"
KIND = "is not a PNG, JPEG, BMP, TGA or HDR picture"
DAMAGED = "is damaged"
SIZE = "exceed the limit of 16384 per side"

files = {}     # name: bytes
expected = []  # (what sb.texture is given as Lua text, the sentence's end)


def bad(name, data, says, call=None):
    files[name] = data
    expected.append((call or '"bad/%s"' % name, says))


def cut_files():
    whole = png(16, 16, 16)
    for i, at in enumerate((9, 20, 33, 45, 60, len(whole) // 2,
                            len(whole) - 13, len(whole) - 5)):
        bad("cut_%02d.png" % at if at < 100 else "cut_late_%d.png" % i,
            whole[:at], CUT)
    for name, jpeg in JPEGS.items():
        data = base64.b64decode(jpeg)
        if name == "cmyk":
            bad("cmyk.jpg", data, "is a CMYK JPEG; save it as grey or RGB")
            continue
        for part in (3, 2):
            bad("cut_%s_%d.jpg" % (name, part), data[:len(data) * part // 4],
                CUT)
        bad("cut_%s_end.jpg" % name, data[:-2], CUT)
    bad("cut_head.jpg", base64.b64decode(JPEGS["grey"])[:12], CUT)
    for at in (10, 28, 53, 60, 200):
        bad("cut_%d.bmp" % at, bmp(9, 7)[:at], "")
    for at in (2, 17, 18, 40):
        bad("cut_%d.tga" % at, tga(9, 7)[:at], "")
        bad("cut_packed_%d.tga" % at, tga(9, 20, True)[:at], "")
    for at in (12, 40, 50, 56, 70, 90):
        bad("cut_%d.hdr" % at, hdr(16, 6)[:at], "")


def flipped_files():
    whole = png(16, 16)
    for at, bit in ((16, 0), (19, 3), (20, 7), (24, 2), (25, 1), (28, 0),
                    (30, 5), (45, 0), (60, 6), (len(whole) - 20, 3),
                    (len(whole) - 2, 1)):
        bad("flip_%d_%d.png" % (at, bit), flipped(whole, at, bit), "")
    bad("flip_signature.png", flipped(whole, 1, 0), KIND)
    bad("flip_length.png", flipped(whole, 33, 7), "is damaged or cut off")
    bad("flip_width.hdr", flipped(hdr(16, 6), 46, 1), "")
    bad("flip_run.hdr", flipped(hdr(16, 6), 56, 3), "")
    jpeg = base64.b64decode(JPEGS["grey"])
    bad("flip_marker.jpg", flipped(jpeg, 20, 7), DAMAGED)
    bad("flip_kind.bmp", flipped(bmp(9, 7), 28, 5), "")


def wrong_files():
    bad("empty.png", b"", "is empty")
    bad("zeros.png", bytes(64), KIND)
    bad("zeros.tga", bytes(64), "")
    bad("text.png", b"I am not a picture.\n", KIND)
    bad("script.png", b"local sb = require 'sandbell'\n", KIND)
    frame = b"\x2c\0\0\0\0\2\0\2\0\0\2\2\x84\x51\0"
    control = b"\x21\xf9\4\0\x0a\0\0\0"
    gif = (b"GIF89a\2\0\2\0\x80\0\0\0\0\0\xff\xff\xff\x21\xff\x0bNETSCAPE2.0"
           b"\3\1\0\0\0" + control + frame + control + frame + b"\x3b")
    bad("animated.gif", gif, KIND)
    bad("animated.png", gif, KIND)
    bad("animated.tga", gif, KIND)
    bad("photoshop.psd", b"8BPS\0\1" + bytes(40), KIND)
    bad("photoshop.tga", b"8BPS\0\1" + bytes(40), KIND)
    bad("grey.pgm", b"P5 2 2 255\n\0\1\2\3", KIND)
    bad("tiff.tif", b"II*\0" + bytes(40), KIND)
    bad("webp.png", b"RIFF\x20\0\0\0WEBPVP8 " + bytes(24), KIND)
    bad("vector.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", KIND)
    bad("sound.png", b"RIFF\x24\0\0\0WAVEfmt " + bytes(28), KIND)
    bad("no_data.png", SIGNATURE + head(4, 4) + chunk(b"IEND", b""), "")
    bad("bad_zlib.png", SIGNATURE + head(4, 4) + chunk(b"IDAT", b"\x78\x9c\7")
        + chunk(b"IEND", b""), "is damaged or cut off")
    bad("few_rows.png", SIGNATURE + head(16, 16)
        + chunk(b"IDAT", zlib.compress(rows(16, 3))) + chunk(b"IEND", b""),
        "is damaged or cut off")
    bad("bad_filter.png", SIGNATURE + head(4, 2)
        + chunk(b"IDAT", zlib.compress(b"\x09\0\0\0\0" * 2))
        + chunk(b"IEND", b""), "is damaged or cut off")
    bad("bad_bits.png", SIGNATURE + head(4, 4, 3)
        + chunk(b"IDAT", zlib.compress(bytes(20))) + chunk(b"IEND", b""), "")
    bad("bad_colour.png", SIGNATURE + head(4, 4, 8, 5)
        + chunk(b"IDAT", zlib.compress(bytes(20))) + chunk(b"IEND", b""), "")
    bad("no_palette.png", SIGNATURE + head(4, 4, 8, 3)
        + chunk(b"IDAT", zlib.compress(bytes(20))) + chunk(b"IEND", b""), "")


def sized_files():
    bad("one.png", png(1, 1), "1 x 1 texels cannot tell places apart")
    bad("zero_wide.png", SIGNATURE + head(0, 4)
        + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b""), "")
    bad("zero_high.bmp", bmp(4, 0), "4 x 0 pixels: a picture needs at least 1 x 1")
    wide = (SIGNATURE + head(100000, 1)
            + chunk(b"IDAT", zlib.compress(bytes(100001), 9))
            + chunk(b"IEND", b""))
    bad("wide.png", wide, "100000 x 1 pixels " + SIZE)
    bad("high.bmp", bmp(1, 1)[:22] + struct.pack("<i", 100000)
        + bmp(1, 1)[26:], "1 x 100000 pixels " + SIZE)
    bad("vast.png", SIGNATURE + head(16384, 16384)
        + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b""),
        "16384 x 16384 pixels exceed")
    bad("large.png", SIGNATURE + head(8001, 8000)
        + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b""),
        "8001 x 8000 texels for 1 mode are more than 64 million")
    bad("large_rgba.png", SIGNATURE + head(4001, 4000, 8, 6)
        + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b""),
        "4001 x 4000 texels for each of 4 modes are more than 64 million",
        '{ path = "bad/large_rgba.png", channels = "rgba" }')


def sets():
    files["size_1.png"] = png(4, 4)
    files["size_2.png"] = png(4, 4)
    bad("size_3.png", png(4, 5),
        "4 x 5 pixels, but the first of its set, size_1.png, has 4 x 4",
        '"bad/size_%d.png"')
    files["gap_1.png"] = files["gap_2.png"] = png(4, 4)
    bad("gap_4.png", png(4, 4),
        "bad/gap_3.png: is missing, and there is bad/gap_4.png after it",
        '"bad/gap_%d.png"')
    bad("late_2.png", png(4, 4), "bad/late_1.png: no such file",
        '"bad/late_%d.png"')
    files["mixed_0.png"] = png(4, 4)
    bad("mixed_1.png", b"text", KIND, '"bad/mixed_%d.png"')
    bad("grey.png", png(4, 4), "has 1 channel; four modes in a picture need",
        '{ path = "bad/grey.png", channels = "rgba" }')
    bad("rgb.png", png(4, 4, 8, 2), "has 3 channels; four modes",
        '{ path = "bad/rgb.png", channels = "rgba" }')
    expected.append(('{ files = { "bad/grey.png", "bad/nowhere.png" } }',
                     "bad/nowhere.png: no such file"))
    expected.append(('"bad"', "it is not a regular file"))
    for i, note in enumerate((b"loud", b"signed scale=", b"signed scale=-2",
                              b"signed scale=1e400", b"signed scale=nan",
                              b"signed scale=1 kg", b"Signed")):
        bad("note_%d.png" % i, png(4, 4, 16, 0, note),
            "its text sandbell.weights must be 'signed'")


def main():
    cut_files()
    flipped_files()
    wrong_files()
    sized_files()
    sets()
    os.makedirs(OUT, exist_ok=True)
    for name in os.listdir(OUT):
        os.remove(os.path.join(OUT, name))
    for name, data in files.items():
        with open(os.path.join(OUT, name), "wb") as file:
            file.write(data)
    with open(os.path.join(HERE, "expected.lua"), "w") as file:
        file.write("-- Made by make_images.py: what sb.texture is given, and "
                   "what its sentence holds.\nreturn {\n")
        for call, says in expected:
            file.write('  { %s, "%s" },\n' % (call, says))
        file.write("}\n")
    print(len(files), "files,", len(expected), "sentences")


main()
