#!/bin/sh
# SPDX-License-Identifier: MIT
# help, new, check, modes, doctor, and the errors for wrong command lines.
. "$(dirname "$0")/lib.sh"

put_scene 0.2 "$work/bell.lua"
bell=$work/bell.lua

# --- help
expect 2
says out 'usage: sandbell VERB'
expect 0 help
says out 'usage: sandbell VERB'
lines err 0
for verb in $("$sandbell" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    expect 0 help "$verb"
    says out "sandbell $verb"
    lines err 0
    cp "$out" "$work/help"
    expect 0 "$verb" --help
    [ "$verb" = help ] || same "$out" "$work/help"
done
for verb in run repl render check modes bake fit truth bench materials doctor new help; do
    expect 0 help "$verb"
    says out '130  interrupted'
done
expect 0 --help
expect 0 -h
expect 0 --version
version=$(sed 's/^sandbell //' "$out")
equal "$(sed -n 's/^## \([0-9.]*\) .*/\1/p' "$root/CHANGELOG.md" | head -1)" "$version" 'the newest version of CHANGELOG.md'
equal "$(sed -n 's/^version: //p' "$root/CITATION.cff")" "$version" 'the version of CITATION.cff'
expect 2 help nonsense
says err "there is no verb 'nonsense'"

# --- what is made from the table of verbs: man page, completions
expect 0 help --man
cp "$out" "$work/sandbell.1"
if command -v groff >/dev/null; then
    groff -man -ww -Tutf8 "$work/sandbell.1" >"$out" 2>"$err"
    lines err 0
    says out 'sandbell - sound simulation sandbox'
fi
for verb in $("$sandbell" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    holds grep -q "^.SS \"sandbell $verb " "$work/sandbell.1"
done
expect 0 help --bash
cp "$out" "$work/sandbell.bash"
complete() { # WORD... : what bash offers for the last one, in one line
    # shellcheck disable=SC2016
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _sandbell; echo "${COMPREPLY[*]}"' - "$work/sandbell.bash" "$@"
}
: >scene.lua
equal "$(complete sandbell re)" 'repl render' 'verbs that begin with re'
equal "$(complete sandbell render --spectr)" '--spectrogram --spectrum' 'options'
equal "$(complete sandbell render sce)" scene.lua 'files'
equal "$(complete sandbell render --rate '')" '' 'a number'
equal "$(complete sandbell render --output sce)" scene.lua 'a file after an option'
equal "$(complete sandbell bench w)" world 'what bench measures'
equal "$(complete sandbell help che)" check 'verbs after help'
rm scene.lua
expect 0 help --zsh
says out '#compdef sandbell'
if command -v zsh >/dev/null; then holds zsh -n "$out"; fi
expect 0 help --markdown
says out '<!-- /cli -->'

# --- unknown verbs and options, with a hint
expect 2 rnder
says err "unknown verb 'rnder'; did you mean 'render'?"
lines err 1
lines out 0
expect 2 qqqqqqqqqqqqq
says err "unknown verb 'qqqqqqqqqqqqq' (sandbell help lists them)"
expect 2 render "$bell" --durtion 1
says err "unknown option '--durtion'; did you mean '--duration'?"
lines err 1
expect 2 render "$bell" -z
says err "unknown option '-z'"
expect 2 render "$bell" --duration
says err '--duration needs a number from 0.001 to 36000'
for value in x 1x '' nan inf -1 0 1e9 0x; do
    expect 2 render "$bell" --duration "$value"
    says err "--duration needs a number from 0.001 to 36000, got '$value'"
    lines err 1
    expect 2 render "$bell" "--duration=$value"
done
expect 2 render "$bell" --rate 44100.5
says err '--rate needs a whole number'
expect 2 render "$bell" --rate 100
says err '--rate needs a number from 8000 to 384000'
expect 2 render "$bell" --set speed
says err "--set needs name=number, got 'speed'"
expect 2 render "$bell" --set =3
expect 2 render "$bell" --set a=b
expect 2 render "$bell" --float=yes
says err '--float needs no value'
expect 2 render "$bell" other.lua
says err "'other.lua' is one argument too many"
expect 2 modes "$bell" --at 0.5
says err '--at needs two numbers from 0 to 1'
expect 2 modes "$bell" --at 0.5,2
expect 2 modes "$bell" --at 0.5,0.5,0.5
for verb in run render check modes new; do
    expect 2 "$verb"
    says err "usage: sandbell $verb"
    lines err 1
done
nothing_left

# --- files that are not scenes
mkdir "$work/folder"
: >"$work/empty.lua"
printf '\033Lua\000\001' >"$work/binary.lua"
printf 'local x = "\000" assert(#x == 1) print "fine"\n' >"$work/zero.lua"
printf '#!/usr/bin/env sandbell\nerror "line two"\n' >"$work/shebang.lua"
echo 'return (' >"$work/syntax.lua"
for verb in run render check modes; do
    expect 2 "$verb" nothing.lua
    says err 'nothing.lua: there is no such file'
    lines err 1
    expect 2 "$verb" "$work/folder"
    case $verb in # check takes folders; this one is empty
    check) says err 'folder holds no scene (.lua)' ;;
    *) says err 'folder: is a folder' ;;
    esac
    expect 2 "$verb" ''
    lines err 1
    expect 2 "$verb" /dev/null
    expect 1 "$verb" "$work/binary.lua"
    says err 'attempt to load a binary chunk'
    lines err 1
    expect 1 "$verb" "$work/syntax.lua"
    says err "syntax.lua:2: unexpected symbol near <eof>"
    lines err 1
    expect 1 "$verb" "$work/shebang.lua"
    says err 'shebang.lua:2: line two'
    nothing_left
done
expect 0 check "$work/empty.lua"
says out 'ok, 0 bodies, 0 modes'
expect 0 check "$work/zero.lua"
says err fine # print of a scene that is only checked
expect 4 modes "$work/empty.lua"
says err 'the scene has no bodies'
lines out 0
if [ "$(id -u)" -ne 0 ]; then
    put_scene 0.2 "$work/secret.lua"
    chmod 000 "$work/secret.lua"
    expect 1 check "$work/secret.lua"
    says err 'cannot be read'
fi

# --- check
expect 0 check "$bell"
says out 'bell.lua: ok, 1 body, 2 modes'
lines err 0
echo 'require("sandbell").body("b", { shape = require("sandbell").modes { { 440, 1 } } })' >"$work/unstruck.lua"
expect 0 check "$work/unstruck.lua"
says err 'nothing sounds in the first 1 s; does scene.start strike a body?'
says out 'ok, 1 body, 1 mode'
echo 'function scene.update() if require("sandbell").now() > 2 then error "late" end end' >"$work/late.lua"
expect 0 check "$work/late.lua"
expect 1 check "$work/late.lua" --for 3
says err 'late.lua:1: late'
lines out 0

# --- modules: beside the scene only, links and all
mkdir "$work/scene" "$work/scene/inside"
echo 'return "yes"' >"$work/outside.lua"
echo 'return "yes"' >"$work/scene/inside/part.lua"
ln -s "$work/outside.lua" "$work/scene/link.lua"
ln -s "$work" "$work/scene/up"
ln -s part.lua "$work/scene/inside/alias.lua"
cat >"$work/scene/scene.lua" <<'END'
assert(require "inside.part" == "yes" and require "inside.alias" == "yes")
for _, name in ipairs { "link", "up.outside", "up.scene.inside.nothing" } do
  local is_well, message = pcall(require, name)
  assert(not is_well and message:find("there is no module '" .. name .. "' beside the scene", 1, true), message)
end
END
expect 0 check "$work/scene/scene.lua"
(cd "$work/scene" && "$sandbell" check scene.lua >"$out" 2>"$err") || fault 'check in the scene'"'"'s own folder'

# --- modes
expect 0 modes "$bell"
says out 'bell: 2 modes'
says out '440.000  A4 +0'
expect 0 modes "$bell" --json
lines err 0
equal "$(json bodies '#')" 1 bodies
equal "$(json bodies 0 name)" bell name
holds json bodies 0 rigid_modes
holds [ -n "$(json bodies 0 method)" ]
equal "$(json bodies 0 modes '#')" 2 modes
equal "$(json bodies 0 modes 0 index)" 1 index
equal "$(json bodies 0 modes 1 freq_hz)" 1000 freq_hz
between "$(json bodies 0 modes 0 t60_s)" 0.1999 0.2001 t60_s
holds [ -n "$(json bodies 0 modes 0 label)" ]
equal "$(json bodies 0 modes 0 weight)" missing 'weight without --at'
expect 0 modes "$bell" --json --at 0.5,0.5
holds json bodies 0 modes 0 weight
expect 0 modes "$bell" --json --limit 1
equal "$(json bodies 0 modes '#')" 1 'modes with --limit'
cat >"$work/two.lua" <<'END'
local sb = require "sandbell"
local p = sb.param("length", { min = 0.1, max = 1, default = 0.2 })
sb.body("bar", { shape = sb.bar { length = p(), width = 0.02, thickness = 0.005 }, material = "steel" })
sb.body("wall", { shape = sb.rigid {} })
END
expect 0 modes "$work/two.lua" --json --body bar
equal "$(json bodies '#')" 1 'bodies with --body'
low=$(json bodies 0 modes 0 freq_hz)
equal "$(json bodies 0 rigid_modes)" 6 'rigid motions of a free bar'
expect 0 modes "$work/two.lua" --json --body bar --set length=0.4
between "$(json bodies 0 modes 0 freq_hz) / $low" 0.24 0.26 'a bar of twice the length'
expect 0 modes "$work/two.lua"
says out 'a rigid body does not ring'
expect 2 modes "$work/two.lua" --body barr
says err "no body is called 'barr'; did you mean 'bar'?"
expect 2 modes "$work/two.lua" --set lenght=0.4
says err "has no param called 'lenght'; did you mean 'length'?"
expect 2 modes "$work/two.lua" --set length=4
says err "--set: param 'length': the value must be from 0.1 to 1, got 4"
lines err 1

# --- doctor
expect 0 doctor
says out 'modal bank'
says out devices
lines err 0

# --- materials: the table, some of it, JSON
expect 0 materials
lines err 0
says out 'T60 = 2.2 / (eta f)'
says out 'Structure-Borne Sound'
cp "$out" "$work/materials"
for name in aluminium pmma rubber wood; do holds grep -q "^$name  *[0-9]" "$work/materials"; done
expect 0 materials steel oak --json
lines err 0
cp "$out" "$work/materials.json"
holds "$facts" json "$work/materials.json"
says out '"name":	"oak"'
says out '"loss_1khz":'
says out '"t60_1khz_s":'
says out '"source":'
expect 2 materials unobtainium
says err "there is no material 'unobtainium' (sandbell materials lists them)"
lines err 1
expect 0 help materials
says out 'sandbell materials steel oak'

# --- new
expect 0 new first
says out 'first/scene.lua'
holds test -f first/scene.lua
holds test -f first/.luarc.json
holds test -f first/.luacheckrc
holds "$facts" json first/.luarc.json
expect 0 check first/scene.lua --for 3
cp first/scene.lua "$work/kept"
echo '-- mine' >>first/scene.lua
cp first/scene.lua "$work/mine"
expect 2 new first
says err 'first/scene.lua already exists and was left unchanged'
same first/scene.lua "$work/mine"
mkdir second
echo mine >second/other
expect 0 new second
same second/scene.lua "$work/kept"
equal "$(cat second/other)" mine 'a file that was there'
expect 3 new /dev/null/x
expect 3 new missing/deep
lines err 1
rm -rf first second
nothing_left
finish
