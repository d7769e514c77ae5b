#!/bin/sh
# SPDX-License-Identifier: MIT
# Films of deformable bodies, and their surfaces for other programs: short, so that
# it also runs under AddressSanitizer.
. "$(dirname "$0")/lib.sh"

# A sheet and a ball that rings fall on a floor.
scene=$work/fall.lua
cat >"$scene" <<'END_SCENE'
local sb = require "sandbell"
sb.listener { position = { 0, 0.3, 0.6 } }
sb.body("floor", { shape = sb.floor {}, material = "concrete" })
sb.deformable("sheet", { shape = sb.plate { width = 0.2, depth = 0.1, thickness = 0.001 }, material = "steel",
  elements = 4, motion = "free", position = { 0, 0.014, 0 }, rotation = { 0, 0, 1, 0.1 } })
sb.body("ball", { shape = sb.sphere { radius = 0.01 }, material = "steel", motion = "free", position = { 0.02, 0.04, 0 } })
END_SCENE
put_scene 0.1 "$work/bell.lua"

# --- films
expect 0 render "$scene" --duration 0.03 -o film.wav --film 4 --checkpoint 0.05
says err 'wrote film.film.png'
holds [ -s film.film.png ]
# Rigid bodies are in it: a ball far to the right makes a frame wide and low.
for far in 0 2; do
    cat >beside.lua <<END_SCENE
local sb = require "sandbell"
sb.deformable("strip", { shape = sb.plate { width = 0.1, depth = 0.1, thickness = 0.001 }, material = "steel", elements = 4 })
sb.body("ball", { shape = sb.sphere { radius = 0.02 }, material = "steel", position = { $far, 0.1, 0 } })
END_SCENE
    expect 0 render beside.lua --duration 0.01 -o beside$far.wav --film 1
done
high0=$("$facts" png beside0.film.png | cut -d' ' -f2)
high2=$("$facts" png beside2.film.png | cut -d' ' -f2)
between "$((high0 - high2))" 100 2000 'pixels by which the film with a far ball is lower'
expect 0 render "$scene" --duration 0.03 -o film.wav --film 4 --film-span 0.01,0.03 --exaggerate 10 --resume
expect 2 render "$scene" --duration 0.1 -o film.wav --film 4 --film-span 5
says err '--film-span needs two times'
expect 2 render "$scene" --duration 0.1 -o film.wav --exaggerate 10
says err 'need --film'
expect 2 render "$work/bell.lua" --duration 0.1 -o film.wav --film 4
says err 'only sb.deformable makes such bodies'

# --- surfaces for other programs
expect 0 render "$scene" --duration 0.03 -o film.wav --poses poses.glb --resume
equal "$(head -c4 poses.glb)" glTF 'the first bytes of a .glb'
expect 0 render "$scene" --duration 0.03 -o film.wav --poses poses.pc2 --resume
equal "$(head -c11 poses.pc2)" POINTCACHE2 'the first bytes of a .pc2'
holds [ -s poses.obj ]
expect 2 render "$work/bell.lua" --duration 0.1 -o film.wav --poses none.glb
says err 'only sb.deformable makes such bodies'

finish
