#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws the pictures of scripts/README.md and scripts/guide/ with the program:
#
#   scripts/pictures/draw.sh [NAME ...]     all pictures, or some of them
#
# Then each one is scaled to 800 pixels and reduced to a palette, so that it has
# less than 45 KB; that needs python3-pil and pngquant. The pictures of the studio
# come from a browser (tests/browser/test_pictures.py).
set -eu
cd "$(dirname "$0")/../.."
pictures=$PWD/scripts/pictures work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Scenes that repeat for ever are drawn for this long; the others until they are
# silent.
seconds() {
    case $1 in
    cup_on_table | live_tour | saves) echo 6 ;;
    door_knock) echo 4 ;;
    billiards) echo 3 ;;
    kettledrum) echo 11 ;;
    tuning_fork_turned | walk_round_a_bell) echo 10 ;;
    doppler) echo 12 ;;
    gong) echo 12.5 ;;
    paint_me) echo 8 ;;
    rings) echo 2.5 ;;
    wobble_board) echo 9 ;;
    linear_or_not) echo 1 ;;
    swinging_bar) echo 1.2 ;;
    falling_bowl) echo 0.8 ;;
    wobble_for_real | gong_hit_hard) echo 1.6 ;;
    esac
}

draw_scene() { # NAME SCENE
    for_s=$(seconds "$1")
    ./sandbell render "$2" -o "$work/$1.wav" --spectrogram "$work/$1.png" ${for_s:+--duration "$for_s"}
}

draw_film() { # SCENE NAME OPTION ...
    film_scene=$1 film_name=$2
    shift 2
    ./sandbell render "scripts/$film_scene.lua" -o "$work/$film_name.wav" "$@"
    mv "$work/$film_name.film.png" "$work/$film_name.png"
}

# Block N of Lua in a guide, as a scene.
block() { # FILE N
    awk -v n="$2" '/^```lua/ { i++; on = 1; next } /^```/ { on = 0 } on && i == n' "scripts/guide/$1.md"
}

draw() { # NAME
    case $1 in
    bowl_modes) ./sandbell modes models/bowl.obj --material bronze --thickness 0.003 --plot "$work/$1.png" ;;
    cylinder_spectra)
        ./sandbell render scripts/cylinder_table.lua -o "$work/$1.wav" --spectrum "$work/$1.png" --at 0.226,5.226 ;;
    plate_textures)
        block textures 1 >"$work/plate.lua"
        ./sandbell bake "$work/plate.lua" --modes 15 --size 96 --sheet "$work/$1.png" ;;
    fit)
        g=textures/glass
        ./sandbell fit $g/hit1.flac $g/hit2.flac $g/hit3.flac $g/hit4.flac $g/hit5.flac \
            --at 0.52,0.5 0.63,0.5 0.74,0.5 0.85,0.5 0.96,0.5 --round --compare --picture "$work/$1.png" ;;
    impact)
        ./sandbell render scripts/contact_models.lua -o "$work/$1.wav" --contact-plot "$work/$1.png" --contact 4 \
            --rate 384000 ;;
    bow)
        ./sandbell render scripts/bowed_bar.lua -o "$work/$1.wav" --contact-plot "$work/$1.png" --contact 1 \
            --duration 1 ;;
    saves)
        block live 2 >"$work/saves.lua"
        draw_scene saves "$work/saves.lua" ;;
    # Deformable bodies: the commands of the gallery.
    falling_bowl_film) draw_film falling_bowl "$1" --duration 0.8 --film 8 ;;
    falling_sheet) draw_film "$1" "$1" --duration 0.6 --film 8 ;;
    ball_on_sheet) draw_film "$1" "$1" --duration 0.3 --film 8 ;;
    vibraphone_bar_struck)
        draw_film "$1" "$1" --duration 0.05 --film 6 --film-span 0.04,0.045 --exaggerate 300 ;;
    clamped_bar)
        ./sandbell render "scripts/$1.lua" -o "$work/$1.wav" --duration 0.4 --spectrum "$work/$1.png" --window 0.35 \
            --lines scripts/lines/clamped_bar.txt ;;
    plate_struck)
        ./sandbell render "scripts/$1.lua" -o "$work/centre.wav" --duration 0.4
        ./sandbell render "scripts/$1.lua" -o "$work/off.wav" --duration 0.4 --set off=1 --spectrum "$work/$1.png" \
            --window 0.35 --max-hz 1100 --over "$work/centre.wav" --lines scripts/lines/plate.txt ;;
    vibraphone_two)
        ./sandbell render "scripts/$1.lua" -o "$work/coarse.wav" --duration 0.15 --set elements=13
        ./sandbell render "scripts/$1.lua" -o "$work/fine.wav" --duration 0.15 --spectrum "$work/$1.png" \
            --window 0.13 --over "$work/coarse.wav" --lines scripts/lines/vibraphone_bar.txt ;;
    studio_*)
        PICTURES=$work /usr/bin/python3 tests/browser/test_pictures.py build/bin/sandbell . "Pictures.test_${1#studio_}" ;;
    *) draw_scene "$1" "scripts/$1.lua" ;;
    esac
}

shrink() { # FROM TO
    python3 - "$1" "$work/scaled.png" <<'END'
import sys
from PIL import Image
picture = Image.open(sys.argv[1]).convert("RGB")
width = {"cylinder_spectra": 1000, "fit": 760, "bowl_modes": 760}.get(sys.argv[1].split("/")[-1][:-4], 800)
if width < picture.width:
    picture = picture.resize((width, round(picture.height * width / picture.width)), Image.LANCZOS)
picture.save(sys.argv[2])
END
    for colours in 128 64 48 32 24 20 16 12; do
        pngquant "$colours" --nofs --speed 1 --strip --force --output "$2" "$work/scaled.png"
        if [ "$(wc -c <"$2")" -lt 45000 ]; then break; fi
    done
}

if [ $# -eq 0 ]; then
    for scene in scripts/*.lua; do set -- "$@" "$(basename "$scene" .lua)"; done
    set -- "$@" bow bowl_modes cylinder_spectra falling_bowl_film fit impact plate_textures saves
    for state in strike shape contact paint world lesson; do set -- "$@" "studio_$state"; done
fi
for name; do
    draw "$name"
    shrink "$work/$name.png" "$pictures/$name.png"
done
