#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes good/ and bad/ beside itself; the same bytes every time.

good/ holds one cube in every format, and surfaces as modellers and scanners
make them. bad/ holds damaged and odd files; bad/EXPECT, written by hand, says
what reading each of them gives.
"""
import base64
import json
import math
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))


def put(name, content):
    if isinstance(content, str):
        content = content.encode()
    with open(os.path.join(HERE, name), "wb") as file:
        file.write(content)
    return content


# --- shapes: points, polygons -------------------------------------------------

POINTS = [(i & 1, i >> 1 & 1, i >> 2) for i in range(8)]
QUADS = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4),
         (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
TRIANGLES = [t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))]
# Six around the diagonal; every second one with negative volume.
TETS = [(0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7),
        (0, 4, 6, 7), (0, 4, 5, 7), (0, 1, 5, 7)]


def icosphere(levels, radius):
    g = (1 + math.sqrt(5)) / 2
    points = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0),
              (0, -1, g), (0, 1, g), (0, -1, -g), (0, 1, -g),
              (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11),
             (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8),
             (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9),
             (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    for _ in range(levels):
        middles, finer = {}, []

        def middle(a, b):
            key = (min(a, b), max(a, b))
            if key not in middles:
                middles[key] = len(points)
                points.append(tuple((p + q) / 2 for p, q in
                                    zip(points[a], points[b])))
            return middles[key]
        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        faces = finer
    scale = [radius / math.sqrt(sum(x * x for x in p)) for p in points]
    return [tuple(x * s for x in p) for p, s in zip(points, scale)], faces


# --- formats --------------------------------------------------------------------

def obj(points, faces, head="# a mesh\n"):
    return (head + "".join("v %.9g %.9g %.9g\n" % p for p in points) +
            "".join("f %s\n" % " ".join(str(i + 1) for i in f)
                    for f in faces))


def stl_text(points, faces):
    lines = ["solid thing"]
    for face in faces:
        lines += [" facet normal 0 0 0", "  outer loop"]
        lines += ["   vertex %.9g %.9g %.9g" % points[i] for i in face]
        lines += ["  endloop", " endfacet"]
    return "\n".join(lines + ["endsolid thing", ""])


def stl_binary(points, faces, count=None):
    out = b"binary stl".ljust(80) + struct.pack(
        "<I", len(faces) if count is None else count)
    for face in faces:
        out += struct.pack("<3f", 0, 0, 0)
        out += b"".join(struct.pack("<3f", *points[i]) for i in face)
        out += b"\0\0"
    return out


def ply(points, faces, binary=False, vertex_count=None, face_count=None):
    """binary: "<" or ">", or nothing."""
    order = "<" if binary is True else binary
    head = ("ply\nformat %s 1.0\nelement vertex %s\nproperty float x\n"
            "property float y\nproperty float z\nelement face %s\n"
            "property list uchar int vertex_indices\nend_header\n" % (
                {"<": "binary_little_endian", ">": "binary_big_endian"}.get(
                    order, "ascii"),
                len(points) if vertex_count is None else vertex_count,
                len(faces) if face_count is None else face_count))
    if not binary:
        return (head + "".join("%.9g %.9g %.9g\n" % p for p in points) +
                "".join("%d %s\n" % (len(f), " ".join(map(str, f)))
                        for f in faces)).encode()
    out = head.encode() + b"".join(struct.pack(order + "3f", *p) for p in points)
    for f in faces:
        out += struct.pack(order + "B%di" % len(f), len(f), *f)
    return out


def ply_typed(points, faces, types, uvs):
    """Every type of PLY. types: of a coordinate, of a list's length and of an
    index, as (name, letter of struct); uvs: "vertex", "corner" or nothing.
    Texture coordinates are x and y."""
    (place, p), (count, c), (index, i) = types
    head = "ply\nformat binary_little_endian 1.0\nelement vertex %d\n" % len(points)
    head += "".join("property %s %s\n" % (place, n) for n in "xyz")
    head += "property float s\nproperty float t\n" if uvs == "vertex" else ""
    head += "element face %d\nproperty list %s %s vertex_indices\n" % (
        len(faces), count, index)
    head += "property list uchar float texcoord\n" if uvs == "corner" else ""
    out = (head + "end_header\n").encode()
    whole = p in "bBhHiI"
    for q in points:
        out += struct.pack("<3" + p, *(int(v) if whole else v for v in q))
        if uvs == "vertex":
            out += struct.pack("<2f", q[0], q[1])
    for f in faces:
        out += struct.pack("<%s%d%s" % (c, len(f), i), len(f), *f)
        if uvs == "corner":
            flat = [v for n in f for v in points[n][:2]]
            out += struct.pack("<B%df" % len(flat), len(flat), *flat)
    return out


def gltf_parts(points, faces):
    data = b"".join(struct.pack("<3f", *p) for p in points)
    start = len(data)
    data += b"".join(struct.pack("<3H", *f) for f in faces)
    low = [min(p[k] for p in points) for k in range(3)]
    high = [max(p[k] for p in points) for k in range(3)]
    tree = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0},
                                    "indices": 1, "mode": 4}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(points),
             "type": "VEC3", "min": low, "max": high},
            {"bufferView": 1, "componentType": 5123, "count": 3 * len(faces),
             "type": "SCALAR"}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": start,
             "target": 34962},
            {"buffer": 0, "byteOffset": start,
             "byteLength": len(data) - start, "target": 34963}],
        "buffers": [{"byteLength": len(data)}]}
    return tree, data


def gltf(tree, uri):
    tree = json.loads(json.dumps(tree))
    tree["buffers"][0]["uri"] = uri
    return json.dumps(tree, indent=1) + "\n"


def data_uri(data):
    return ("data:application/octet-stream;base64," +
            base64.b64encode(data).decode())


def glb(tree, data):
    text = json.dumps(tree, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text
    body += struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def msh2(points, elements, version="2.2", kind=0, first=1):
    """elements: (type, nodes counted from 0)."""
    return ("$MeshFormat\n%s %d 8\n$EndMeshFormat\n$Nodes\n%d\n" % (
                version, kind, len(points)) +
            "".join("%d %.9g %.9g %.9g\n" % ((i + first,) + p)
                    for i, p in enumerate(points)) +
            "$EndNodes\n$Elements\n%d\n" % len(elements) +
            "".join("%d %d 2 0 1 %s\n" % (
                i + 1, kind_, " ".join(str(n + first) for n in nodes))
                for i, (kind_, nodes) in enumerate(elements)) +
            "$EndElements\n")


def msh4(points, kind, nodes):
    half = len(points) // 2
    out = ("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n"
           "3 1 \"# steel\"\n$EndPhysicalNames\n"
           "$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n"
           "$Nodes\n2 %d 1 %d\n" % (len(points), 10 * len(points)))
    # Tags in two blocks, with gaps, the higher ones first.
    tag = [10 * (len(points) - i) for i in range(len(points))]
    for block in (range(half), range(half, len(points))):
        out += "3 1 0 %d\n" % len(block)
        out += "".join("%d\n" % tag[i] for i in block)
        out += "".join("%.9g %.9g %.9g\n" % points[i] for i in block)
    out += "$EndNodes\n$Elements\n1 %d 1 %d\n3 1 %d %d\n" % (
        len(nodes), len(nodes), kind, len(nodes))
    out += "".join("%d %s\n" % (k + 1, " ".join(str(tag[i]) for i in n))
                   for k, n in enumerate(nodes))
    return out + "$EndElements\n"


def node(points, first=1):
    return ("# points, with an attribute and a marker\n%d 3 1 1\n" %
            len(points) +
            "".join("%d  %.9g %.9g %.9g  7.5 1 # one\n" % ((i + first,) + p)
                    for i, p in enumerate(points)))


def ele(tets, first=1):
    return ("%d  %d  1\n\n" % (len(tets), len(tets[0])) +
            "".join("%d  %s  3\n" % (
                i + first, " ".join(str(n + first) for n in t))
                for i, t in enumerate(tets)) + "# end\n")


# --- good -----------------------------------------------------------------------

def uv_sphere_obj(rings, segments, radius):
    """As Blender writes it: quads, triangles at the poles, a seam."""
    out = "# sphere\nmtllib sphere.mtl\no Sphere\n"
    at, count = {}, 0
    for r in range(rings + 1):
        for s in range(segments if 0 < r < rings else 1):
            a, b = math.pi * r / rings, 2 * math.pi * s / segments
            out += "v %.6f %.6f %.6f\n" % (
                radius * math.sin(a) * math.cos(b), radius * math.cos(a),
                -radius * math.sin(a) * math.sin(b))
            count += 1
            at[r, s] = count
    for r in range(rings + 1):
        for s in range(segments + 1):
            out += "vt %.6f %.6f\n" % (s / segments, 1 - r / rings)
    out += "usemtl None\ns 1\n"

    def corner(r, s):
        point = at[r, s % segments if 0 < r < rings else 0]
        return "%d/%d" % (point, r * (segments + 1) + s + 1)
    for r in range(rings):
        for s in range(segments):
            ring = [corner(r, s), corner(r + 1, s), corner(r + 1, s + 1),
                    corner(r, s + 1)]
            if r == 0:
                ring = ring[:3]
            if r == rings - 1:
                ring = [ring[0], ring[1], ring[3]]
            out += "f %s\n" % " ".join(ring)
    return out


def blob():
    points, faces = icosphere(2, 0.1)
    points = [tuple(x * (1 + 0.2 * math.sin(30 * p[0]) * math.cos(20 * p[1]))
                    for x in p) for p in points]
    return points, [f for f in faces if 0 not in f]


def good():
    tree, data = gltf_parts(POINTS, TRIANGLES)
    put("good/cube.obj", obj(POINTS, QUADS))
    put("good/cube_negative.obj", obj(POINTS, []) + "".join(
        "f %s\n" % " ".join(str(i - 8) for i in q) for q in QUADS))
    put("good/cube_ascii.ply", ply(POINTS, QUADS))
    put("good/cube_binary.ply", ply(POINTS, TRIANGLES, True))
    put("good/cube_big.ply", ply(POINTS, QUADS, ">"))
    put("good/cube_double.ply", ply_typed(POINTS, TRIANGLES, (
        ("double", "d"), ("char", "b"), ("uint", "I")), "vertex"))
    put("good/cube_short.ply", ply_typed(POINTS, TRIANGLES, (
        ("short", "h"), ("ushort", "H"), ("uchar", "B")), ""))
    put("good/cube_corners.ply", ply_typed(POINTS, TRIANGLES, (
        ("char", "b"), ("uint", "I"), ("ushort", "H")), "corner"))
    put("good/cube_ascii.stl", stl_text(POINTS, TRIANGLES))
    put("good/cube_binary.stl", stl_binary(POINTS, TRIANGLES))
    put("good/cube.gltf", gltf(tree, "cube.bin"))
    put("good/cube.bin", data)
    put("good/cube_embedded.gltf", gltf(tree, data_uri(data)))
    put("good/cube.glb", glb(tree, data))
    # Two half cubes, one mirrored: together the cube.
    half, half_data = gltf_parts([(x / 2, y, z) for x, y, z in POINTS],
                                 [t for t in TRIANGLES
                                  if not all(POINTS[i][0] for i in t)])
    half["nodes"] = [{"children": [1, 2], "translation": [0.5, 0, 0]},
                     {"mesh": 0, "translation": [-0.5, 0, 0]},
                     {"children": [3], "scale": [-1, 1, 1]},
                     {"mesh": 0, "translation": [-0.5, 0, 0]}]
    put("good/halves.gltf", gltf(half, data_uri(half_data)))
    half["nodes"] = [{"mesh": 0, "scale": [-1, 1, 1]}]
    put("good/mirrored_open.gltf", gltf(half, data_uri(half_data)))
    put("good/cube.node", node(POINTS))
    put("good/cube.ele", ele(TETS))
    middles = [(a, b) for a in range(8) for b in range(a + 1, 8)]
    ten = [tuple(t) + tuple(8 + middles.index((min(t[a], t[b]),
                                               max(t[a], t[b])))
                            for a, b in ((0, 1), (1, 2), (0, 2), (0, 3),
                                         (1, 3), (2, 3))) for t in TETS]
    fine = POINTS + [tuple((p + q) / 2 for p, q in zip(POINTS[a], POINTS[b]))
                     for a, b in middles]
    put("good/cube_zero.node", node(fine, 0))
    put("good/cube_zero.ele", ele(ten, 0))
    put("good/cube_22.msh", msh2(
        POINTS, [(2, t) for t in TRIANGLES[:4]] + [(4, t) for t in TETS]))
    put("good/cube_22_quads.msh", msh2(POINTS, [(15, (0,)), (1, (0, 1))] +
                                       [(3, q) for q in QUADS]))
    put("good/cube_22_second.msh", msh2(fine, [(11, t) for t in ten]))
    put("good/cube_41.msh", msh4(POINTS, 4, TETS))
    put("good/cube_41_triangles.msh", msh4(POINTS, 2, TRIANGLES))
    put("good/uv_sphere.obj", uv_sphere_obj(12, 16, 0.1))
    put("good/icosphere.ply", ply(*icosphere(2, 0.1)))
    put("good/blob_with_hole.stl", stl_binary(*blob()))


# --- bad ------------------------------------------------------------------------

def cut(name, source, parts):
    stem, ending = os.path.splitext(name)
    for part in parts:
        put("bad/%s_%02d%s" % (stem, part, ending),
            source[:len(source) * part // 100])


def with_point(index, point):
    points = list(POINTS)
    points[index] = point
    return points


def bad_text():
    cube = obj(POINTS, QUADS)
    text = ("Dear reader,\nthis is a letter and no mesh at all.\n" * 4)
    for ending in ("obj", "ply", "stl", "gltf", "glb", "node", "msh"):
        put("bad/empty." + ending, "")
        put("bad/letter." + ending, text)
    put("bad/letter.ele", text)
    put("bad/spaces.obj", "\n \n\t\n")
    put("bad/zeros.stl", b"\0" * 200)
    put("bad/zeros.obj", b"\0" * 200)
    put("bad/unknown.xyz", cube)
    put("bad/ending", cube)
    cut("cut.obj", cube.encode(), (10, 50, 70, 97))
    put("bad/nan.obj", obj(with_point(3, (float("nan"), 0, 0)), QUADS))
    put("bad/inf.obj", obj(with_point(3, (float("inf"), 0, 0)), QUADS))
    put("bad/word_for_number.obj", cube.replace("v 1 0 0", "v one 0 0"))
    put("bad/far.obj", obj(with_point(3, (1e30, 0, 0)), QUADS))
    put("bad/beyond_float.obj", cube.replace("v 1 0 0", "v 1e400 0 0"))
    put("bad/points_only.obj", obj(POINTS, []))
    put("bad/lines_only.obj", obj(POINTS, []) + "l 1 2\nl 3 4 5\n")
    put("bad/one_triangle.obj", obj(POINTS[:3], [(0, 1, 2)]))
    put("bad/zero_area.obj", obj([(0, 0, 0), (1, 1, 1), (2, 2, 2)],
                                 [(0, 1, 2)]))
    put("bad/one_place.obj", obj([(1, 2, 3)] * 8, QUADS))
    put("bad/index_too_high.obj", cube + "f 1 2 9\n")
    put("bad/index_zero.obj", cube + "f 0 1 2\n")
    put("bad/index_too_negative.obj", cube + "f -1 -2 -99\n")
    put("bad/index_huge.obj", cube + "f 1 2 4294967297\n")
    put("bad/long_line.obj", cube + "# " + "x" * 20000 + "\n")
    put("bad/many_corners.obj", cube + "f" + " 1 2 3 4" * 2000 + "\n")
    put("bad/passwd.obj", "mtllib ../../../../../../../etc/passwd\n" + cube)
    put("bad/no_material_index.obj", "mtllib nowhere.mtl\n" + cube +
        "f 1 2 9\n")
    put("bad/no_material.obj", "mtllib nowhere.mtl\nusemtl it\n" + cube)


def bad_shapes():
    twice = [p for p in POINTS for _ in range(2)]
    put("bad/doubled_vertices.obj", obj(twice, [
        [2 * i + (i + k) % 2 for k, i in enumerate(q)] for q in QUADS]))
    put("bad/isolated_vertices.obj",
        obj(POINTS + [(500, 0, 0), (float("nan"), 0, 0)], QUADS))
    put("bad/disconnected.obj", obj(
        POINTS + [(x + 3, y, z) for x, y, z in POINTS],
        QUADS + [tuple(i + 8 for i in q) for q in QUADS]))
    put("bad/self_intersecting.obj", obj(
        POINTS + [(x + .5, y + .5, z + .5) for x, y, z in POINTS],
        QUADS + [tuple(i + 8 for i in q) for q in QUADS]))
    put("bad/flipped.obj", obj(POINTS, [
        q[::-1] if i % 2 else q for i, q in enumerate(QUADS)]))
    put("bad/inside_out.obj", obj(POINTS, [q[::-1] for q in QUADS]))
    put("bad/doubled_faces.obj", obj(POINTS, QUADS + QUADS))
    put("bad/three_on_an_edge.obj", obj(POINTS + [(.5, -1, -1)],
                                        QUADS + [(0, 1, 8)]))
    for exponent in (-6, 6):
        put("bad/scale_1e%d.stl" % exponent, stl_binary(
            [tuple(x * 10.0**exponent for x in p) for p in POINTS],
            TRIANGLES))


def bad_ply():
    text, binary = ply(POINTS, QUADS), ply(POINTS, TRIANGLES, True)
    cut("cut_text.ply", text, (10, 45, 80, 97))
    cut("cut_binary.ply", binary, (30, 60, 97))
    put("bad/huge_vertices.ply", ply(POINTS, QUADS, vertex_count=2**31 - 1))
    put("bad/huge_faces.ply", ply(POINTS, QUADS, face_count=2**31))
    put("bad/huge_binary.ply", ply(POINTS, TRIANGLES, True,
                                   vertex_count=2**40))
    put("bad/negative_count.ply", ply(POINTS, QUADS, vertex_count=-8))
    put("bad/index.ply", ply(POINTS, QUADS + [(0, 1, 8)]))
    put("bad/index_negative.ply", ply(POINTS, TRIANGLES + [(0, 1, -5)], True))
    put("bad/index_binary.ply", ply(POINTS, TRIANGLES + [(0, 1, 70000)], True))
    put("bad/magic.ply", b"plx" + text[3:])
    put("bad/nan.ply", ply(with_point(2, (0, float("nan"), 0)), TRIANGLES,
                           True))
    put("bad/no_properties.ply", text.replace(
        b"element face", b"element nothing 1099511627776\nelement face"))
    put("bad/corners_huge.ply", text.replace(b"\n4 ", b"\n1000000000 ", 1))
    put("bad/word.ply", text.replace(b"1 1 0\n", b"1 one 0\n"))
    put("bad/no_header_end.ply", text.replace(b"end_header\n", b""))


def bad_stl():
    text, binary = stl_text(POINTS, TRIANGLES), stl_binary(POINTS, TRIANGLES)
    cut("cut_text.stl", text.encode(), (3, 30, 50, 99))
    cut("cut_binary.stl", binary, (5, 15, 60, 99))
    put("bad/count_low.stl", stl_binary(POINTS, TRIANGLES, 5))
    put("bad/count_high.stl", stl_binary(POINTS, TRIANGLES, 13))
    put("bad/count_huge.stl", stl_binary(POINTS, TRIANGLES, 2**32 - 1))
    put("bad/count_zero.stl", stl_binary(POINTS, [], 0))
    put("bad/nan.stl", stl_binary(with_point(1, (float("nan"), 0, 0)),
                                  TRIANGLES))
    put("bad/no_vertex.stl", text.replace("vertex", "vertax"))


def bad_gltf():
    tree, data = gltf_parts(POINTS, TRIANGLES)
    uri = data_uri(data)
    whole = glb(tree, data)
    cut("cut.gltf", gltf(tree, uri).encode(), (20, 60, 98))
    cut("cut.glb", whole, (1, 10, 50, 98))
    put("bad/outside.gltf", gltf(tree, "../good/cube.bin"))
    put("bad/absolute.gltf", gltf(tree, "/etc/passwd"))
    put("bad/missing.gltf", gltf(tree, "nowhere.bin"))
    put("bad/uri_cut.gltf", gltf(tree, uri[:-60]))
    put("bad/uri_letters.gltf", gltf(tree, uri[:60] + "!!%%" + uri[64:]))
    put("bad/magic.glb", b"glTG" + whole[4:])
    put("bad/version.glb", whole[:4] + struct.pack("<I", 9) + whole[8:])
    put("bad/length_huge.glb", whole[:8] + b"\xff\xff\xff\xff" + whole[12:])
    put("bad/head_only.glb", whole[:12] + b"\xf4\x01\x00\x64" + whole[16:33])
    put("bad/chunk_huge.glb", whole[:12] + b"\xff\xff\xff\x7f" + whole[16:])

    def variant(name, change):
        copy = json.loads(json.dumps(tree))
        change(copy)
        put("bad/" + name, gltf(copy, uri))
    variant("count_huge.gltf", lambda t: t["accessors"][0].update(
        count=2**31 - 1))
    variant("count_2_40.gltf", lambda t: t["accessors"][1].update(
        count=2**40))
    variant("view_missing.gltf", lambda t: t["accessors"][0].update(
        bufferView=7))
    variant("view_long.gltf", lambda t: t["bufferViews"][0].update(
        byteLength=10**6))
    variant("offset_past_end.gltf", lambda t: t["bufferViews"][1].update(
        byteOffset=10**6))
    variant("mesh_missing.gltf", lambda t: t["nodes"][0].update(mesh=3))
    variant("circle.gltf", lambda t: t.update(nodes=[
        {"mesh": 0, "children": [1]}, {"children": [0]}]))
    variant("deep.gltf", lambda t: t.update(nodes=[
        {"children": [i + 1]} for i in range(3000)] + [{"mesh": 0}]))
    variant("doubling.gltf", lambda t: t.update(nodes=[
        {"children": [i + 1, i + 1]} for i in range(10)] + [{"mesh": 0}]))
    variant("nan_matrix.gltf", lambda t: t["nodes"][0].update(
        matrix=[1e300] * 16))
    variant("points.gltf", lambda t: t["meshes"][0]["primitives"][0].update(
        mode=0))
    bad_index = data[:-2] + b"\xff\x7f"
    put("bad/index.gltf", gltf(tree, data_uri(bad_index)))
    put("bad/deep_json.gltf", '{"asset":{"version":"2.0"},"scenes":' +
        "[" * 50000)


def bad_tets():
    put("bad/alone.ele", ele(TETS))
    put("bad/lonely.node", node(POINTS))
    for name, points, tets in (
            ("gap", node(POINTS).replace("\n5 ", "\n6 "), ele(TETS)),
            ("from_seven", node(POINTS, 7), ele(TETS, 7)),
            ("flat_node", node(POINTS).replace("8 3 1 1", "8 2 1 1"),
             ele(TETS)),
            ("few", node(POINTS)[:150], ele(TETS)),
            ("huge", node(POINTS).replace("8 3", "1099511627776 3"),
             ele(TETS)),
            ("ele_cut", node(POINTS), ele(TETS)[:60]),
            ("ele_corner", node(POINTS), ele(TETS + [(0, 1, 2, 8)])),
            ("ele_negative", node(POINTS), ele(TETS + [(0, 1, 2, -9)])),
            ("ele_huge", node(POINTS),
             ele(TETS).replace("6  4", "2147483648  4")),
            ("ele_none", node(POINTS), "0 4 0\n"),
            ("ele_flat", node([(x, y, 0) for x, y, z in POINTS]), ele(TETS)),
            ("node_nan", node(with_point(2, (0, float("nan"), 0))),
             ele(TETS))):
        put("bad/%s.node" % name, points)
        put("bad/%s.ele" % name, tets)


def bad_msh():
    tets = [(4, t) for t in TETS]
    good2, good4 = msh2(POINTS, tets), msh4(POINTS, 4, TETS)
    cut("cut_22.msh", good2.encode(), (10, 40, 70, 97))
    cut("cut_41.msh", good4.encode(), (30, 60, 90))
    put("bad/version_9.msh", msh2(POINTS, tets, "9"))
    put("bad/version_4.msh", msh2(POINTS, tets, "4"))
    put("bad/binary.msh", msh2(POINTS, tets, kind=1))
    put("bad/hexes.msh", msh2(POINTS, [(5, (0, 1, 3, 2, 4, 5, 7, 6))]))
    put("bad/node_missing.msh", msh2(POINTS[:7], tets))
    put("bad/nodes_huge.msh", good2.replace("$Nodes\n8", "$Nodes\n2147483648"))
    put("bad/elements_huge.msh",
        good4.replace("3 1 4 6", "3 1 4 1099511627776"))
    put("bad/labels_huge.msh", good2.replace("1 4 2 0 1", "1 4 99999999 0 1"))
    put("bad/elements_first.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" +
        good2[good2.index("$Elements"):])
    put("bad/no_format.msh", good2[good2.index("$Nodes"):])
    put("bad/far.msh", msh2(with_point(4, (0, 0, 1e30)), tets))
    put("bad/format_cut.msh", "$MeshFormat\n2.2\n$EndMeshFormat\n")
    put("bad/no_section.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\nnodes\n")
    put("bad/nodes_cut.msh", good4[:good4.index("0 0 0\n")])
    put("bad/same_tags.msh", good2.replace("\n4 1 1 0", "\n3 1 1 0"))


def main():
    for folder in ("good", "bad"):
        os.makedirs(os.path.join(HERE, folder), exist_ok=True)
    good()
    bad_text()
    bad_shapes()
    bad_ply()
    bad_stl()
    bad_gltf()
    bad_tets()
    bad_msh()


if __name__ == "__main__":
    main()
