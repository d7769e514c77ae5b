#!/bin/sh
# SPDX-License-Identifier: MIT
# bake: a body's modes as textures, their contact sheet, and unwrapped meshes.
. "$(dirname "$0")/lib.sh"

cat >"$work/plate.lua" <<'END'
local sb = require "sandbell"
sb.body("plate", { shape = sb.plate { width = 0.3, depth = 0.3, thickness = 0.002 }, material = "steel" })
END
cat >"$work/two.lua" <<'END'
local sb = require "sandbell"
sb.body("disk", { shape = sb.disk { radius = 0.15, thickness = 0.002 }, material = "brass" })
sb.body("wire", { shape = sb.string { length = 0.6, diameter = 0.0005, tension = 80 }, material = "steel" })
sb.body("stone", { shape = sb.rigid {}, material = "steel" })
END
put_scene 0.2 "$work/bell.lua"

# --- required arguments
expect 2 bake "$work/plate.lua"
says err '-o NAME_%d.png or --sheet PNG says where to write'
for pattern in plate.png plate_%d.jpg plate_%s.png plate_%d_%d.png plate_%d%%.png plate_%03d.png; do
    expect 2 bake "$work/plate.lua" -o "$pattern"
    says err '-o needs a name that ends in .png and has one %d'
    lines err 1
done
expect 2 bake "$work/plate.lua" --sheet a.jpg
says err '--sheet needs a name that ends in .png'
expect 2 bake "$work/plate.lua" --sheet a.png --size 1
says err '--size needs a number from 2 to 8192'
expect 2 bake "$work/plate.lua" --sheet a.png --size 2.5
says err '--size and --modes need whole numbers'
expect 2 bake "$root/models/plate.obj" --sheet a.png
says err '--material is needed'
expect 2 bake "$work/two.lua" --sheet a.png
says err 'the scene has 3 bodies; choose one with --body NAME'
expect 2 bake "$work/two.lua" --body disc --sheet a.png
says err "no body is called 'disc'; did you mean 'disk'?"
expect 2 bake "$work/two.lua" --body stone --sheet a.png
says err "'stone' cannot be baked: a rigid body has no surface"
expect 2 bake "$work/bell.lua" --sheet a.png
says err "'bell' cannot be baked: modes given by hand have no surface"
expect 2 bake "$work/plate.lua" -o a_%d.png --size 4096
says err 'are more than the 64 million that a scene takes back; --modes 4 bakes'
expect 2 bake "$work/plate.lua" --modes 1 -o nowhere/a_%d.png
says err 'nowhere/a_1.png cannot be written'
lines out 0
nothing_left

# --- files, and the line printed about them
expect 0 bake "$work/plate.lua" -o p_%d.png --size 64 --modes 6 --sheet sheet.png
says out 'plate: 6 modes of 64 x 64 texels, p_1.png to p_6.png, sheet sheet.png'
lines out 1
equal "$(ls | wc -l)" 7 'files'
equal "$("$facts" png p_6.png | cut -d' ' -f1-2)" '64 64' 'size of a texture'
holds grep -qa 'sandbell.weights' p_1.png
holds grep -qa 'signed scale=' p_1.png
between "$("$facts" png sheet.png | cut -d' ' -f3)" 20 4096 'colours of the sheet'
cp p_3.png "$work/before.png"
expect 0 bake "$work/plate.lua" -o p_%d.png --size 64 --modes 3
same p_3.png "$work/before.png"
rm -f ./*

expect 0 bake "$work/plate.lua" -o p_%d.png --size 64 --modes 6 --json
equal "$(json body)" plate 'body'
equal "$(json width)" 64 'width'
equal "$(json height)" 64 'height'
equal "$(json edges)" clamp 'edges'
equal "$(json covered)" 1 'covered'
equal "$(json modes '#')" 6 'modes'
equal "$(json modes 5 mode)" 6 'number'
equal "$(json modes 5 file)" p_6.png 'file'
between "$(json modes 0 freq_hz)" 72 74 'frequency'
between "$(json modes 0 largest)" 2 5 'largest'
between "$(json modes 0 scale)" "$(json modes 0 largest)" 5 'scale'
rm -f ./*

expect 0 bake "$work/two.lua" --body disk -o d_%d.png --size 32 --modes 2
says out '79 % of them on the surface'
expect 0 bake "$work/two.lua" --body wire -o w_%d.png --size 32 --modes 2 --sheet w.png --json
equal "$(json height)" 1 'height of a string'
equal "$("$facts" png w_2.png | cut -d' ' -f1-2)" '32 1' 'a strip'
rm -f ./*

# --- a picture that another program saved with its text in another chunk
put_player() { # $1 is the pattern of its pictures
    cat <<END
local sb = require "sandbell"
local plate = sb.body("plate", {
  shape = sb.plate { width = 0.3, depth = 0.3, thickness = 0.002 }, material = "steel",
  weights = sb.texture "$1",
})
function scene.start() plate:strike { at = { u = 0.3, v = 0.2 }, speed = 1, mass = 0.01 } end
END
}
expect 0 bake "$work/plate.lua" -o tEXt_%d.png --size 32 --modes 4
for kind in zTXt iTXt none; do
    for k in 1 2 3 4; do
        holds "$facts" note tEXt_$k.png $kind ${kind}_$k.png
    done
done
holds grep -qa 'iTXtsandbell.weights' iTXt_1.png
holds grep -qa 'zTXtsandbell.weights' zTXt_1.png
holds eval '! grep -qa sandbell.weights none_1.png'
for kind in tEXt zTXt iTXt none; do
    put_player "${kind}_%d.png" >play_$kind.lua
    expect 0 render play_$kind.lua -o $kind.wav --float --duration 0.3
done
same zTXt.wav tEXt.wav
same iTXt.wav tEXt.wav
holds eval '! cmp -s none.wav tEXt.wav'
rm -f ./*

# --- a mesh with texture coordinates, and one without
cp "$root/models/plate.obj" sheet.obj
sed -e '/^vt/d' -e 's#/[0-9]*##g' sheet.obj >bare.obj
for mesh in sheet bare spread; do
    echo "local sb = require 'sandbell'
sb.body('b', { shape = sb.mesh('$mesh.obj', { thickness = 0.002, max_hz = 1000 }), material = 'steel' })" >$mesh.lua
done
expect 0 bake sheet.lua -o m_%d.png --size 64 --modes 4 --sheet m.png --json
between "$(json covered)" 0.99 1 'covered'
equal "$(json doubled)" 0 'doubled'
expect 2 bake bare.lua --sheet m.png
says err 'its mesh has no texture coordinates; sandbell bake --unwrap MESH -o OUT.obj makes some'
expect 2 bake --unwrap bare.obj
says err '--unwrap needs -o and a name that ends in .obj'
expect 2 bake --unwrap bare.lua -o spread.obj
says err '--unwrap needs a mesh'
expect 2 bake --unwrap bare.obj -o spread.obj --sheet a.png
says err 'are for scenes'
expect 3 bake --unwrap nothing.obj -o spread.obj
says err 'nothing.obj: '
expect 0 bake --unwrap bare.obj -o spread.obj
says out 'spread.obj: 1372 faces in 1 chart, which cover'
lines err 0
expect 0 bake --unwrap sheet.obj -o again.obj --json
says err 'has texture coordinates of its own; those of again.obj are new'
equal "$(json charts)" 1 'charts'
expect 0 bake spread.lua -o s_%d.png --size 64 --modes 4 --json
between "$(json covered)" 0.9 1 'covered'
equal "$(json faces_outside)" 0 'outside'
finish
