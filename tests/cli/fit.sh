#!/bin/sh
# SPDX-License-Identifier: MIT
# fit: its report on recordings, the files it writes, and its errors.
. "$(dirname "$0")/lib.sh"

glass=$root/textures/glass
places='0.52,0.5 0.63,0.5 0.74,0.5 0.85,0.5 0.96,0.5'

# --- required arguments
expect 2 fit
says err 'usage: sandbell fit HIT.wav ...'
expect 2 fit "$glass/hit1.flac" "$glass/hit2.flac" --at 0.5,0.5
says err '2 recordings, but 1 places (--at U,V for each recording)'
expect 2 fit "$glass/hit1.flac" --at 0.5,1.5
says err '--at needs two numbers from 0 to 1, as in 0.5,0.25'
expect 2 fit "$glass/hit1.flac" --line --round
says err 'only one of --line, --round and --scattered can be'
expect 2 fit "$glass/hit1.flac" --textures a_%d.png
says err '--textures needs --at U,V for each recording'
expect 2 fit "$glass/hit1.flac" --at 0.5,0.5 --textures a.png
says err 'has one %d where the number goes'
expect 2 fit "$glass/hit1.flac" -o a.txt
says err '-o needs a name that ends in .lua'
expect 2 fit "$glass/hit1.flac" --picture a.jpg
says err '--picture needs a name that ends in .png'
expect 3 fit nothing.wav
says err 'nothing.wav'
lines err 1
echo text >"$work/text.wav"
expect 3 fit "$work/text.wav"
lines err 1
nothing_left

# --- one document
expect 0 fit "$glass"/hit?.flac --json
equal "$(json modes '#')" 12 'modes of the glass table'
between "$(json modes 1 freq_hz)" 178.49 178.51 'its second mode'
between "$(json modes 1 t60_s)" 0.899 0.901 'its T60'
equal "$(json modes 1 gains '#')" 5 gains
# J_0(3 r) at r = 0.04 and 0.48.
between "$(json modes 1 gains 2) / $(json modes 1 gains 0)" 0.546 0.549 'a ratio of gains'
# ... and at 0.92, beyond its node.
between "$(json modes 1 weights 4)" -0.170 -0.168 'a weight with a sign'
equal "$(json recordings '#')" 5 recordings

# --- the committed textures and modes are what fit makes
cd "$root/textures" && expect 0 fit glass/hit?.flac --at $places --round \
    -o "$work/here/modes.lua" --textures "$work/here/glass_%d.png"
cd "$work/here" || exit 2
says out '12 modes in 5 recordings'
for k in 1 2 3 4 5 6 7 8 9 10 11 12; do
    holds test -s "glass_$k.png"
    set -- $("$facts" png "glass_$k.png")
    equal "$1x$2" 64x64 "size of glass_$k.png"
done
holds grep -q '{ 178.5000' modes.lua
rm -f ./*

# --- a module for a scene, textures along a line, and a comparison
expect 0 fit "$glass/hit2.flac" "$glass/hit4.flac" --at 0.2,0.5 --at 0.8,0.5 --line --size 32 \
    -o two.lua --textures two_%d.png --compare --json
equal "$(json compare '#')" 2 'rows of the comparison'
between "$(json compare 0 spectral_db)" 0 0.1 'the spectral error'
between "$(json compare 0 decay_percent)" -1 1 'the error of the decay'
between "$(json compare 1 left_db)" -200 -60 'what is left'
set -- $("$facts" png fit.png)
between "$3" 20 16777216 'colours of the comparison'
set -- $("$facts" png two_1.png)
equal "$1x$2" 32x1 'size of a texture along a line'
cat >two_scene.lua <<'END'
local sb = require "sandbell"
local found = require "two"
local body = sb.body("found", { shape = sb.modes(found.modes), weights = sb.texture "two_%d.png" })
function scene.start() body:strike { at = { u = 0.2, v = 0.5 }, impulse = 0.01 } end
END
expect 0 render two_scene.lua --duration 0.3 -o two.wav --json
between "$(json peak_dbfs)" -80 0 'what the scene plays'
rm -f ./*

# --- silence, other rates, too short, clipped, two channels
cat >bell.lua <<'END'
local sb = require "sandbell"
local gain = sb.param("gain", { min = 0, max = 100, default = 1 })
local bell = sb.body("bell", { shape = sb.modes { { 440, 0.5 }, { 446, 0.7 }, { 1000, 0.3, 0.5 } } })
function scene.start() sb.listener { gain = gain() }; bell:strike { impulse = 0.05 } end
END
expect 0 render bell.lua --duration 1 -o bell.wav
expect 0 render bell.lua --duration 1 --set gain=0 -o silent.wav
expect 0 render bell.lua --duration 1 --rate 44100 -o other.wav
expect 0 render bell.lua --duration 0.05 -o short.wav
expect 0 fit bell.wav --json
equal "$(json modes '#')" 3 'modes of a bell, in two channels'
between "$(json modes 1 freq_hz)" 445.9 446.1 'the second of a pair'
expect 4 fit silent.wav
says err 'no modes found: the recording is silent'
expect 4 fit silent.wav --json
lines out 0
expect 3 fit bell.wav other.wav
says err 'other.wav: 44100 samples per second, but bell.wav has 48000'
expect 3 fit short.wav
says err 'short.wav: only 0.050 s long'
# 16 bits, one channel, 48000 Hz, a second of noise.
{
    printf 'RIFF\044\167\001\000WAVEfmt \020\000\000\000\001\000\001\000'
    printf '\200\273\000\000\000\167\001\000\002\000\020\000data\000\167\001\000'
    head -c 96000 /dev/urandom
} >noise.wav
expect 4 fit noise.wav
says err 'no modes found'
lines err 1
# Floats, one channel, 48000 Hz: a second of zeros with a NaN and an infinity.
{
    printf 'RIFF\044\356\002\000WAVEfmt \020\000\000\000\003\000\001\000'
    printf '\200\273\000\000\000\356\002\000\004\000\040\000data\000\356\002\000'
    head -c 96000 /dev/zero
    printf '\000\000\300\177\000\000\200\177'
    head -c 95992 /dev/zero
} >odd.wav
expect 3 fit odd.wav
says err 'odd.wav: 2 of its 48000 samples are NaN or infinite, the first at 0.500 s'
lines err 1
finish
