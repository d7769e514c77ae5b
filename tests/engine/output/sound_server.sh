# SPDX-License-Identifier: MIT
# Sourced by tests that need a sound server: start_server starts a PulseAudio
# server of our own, with its home, socket and configuration in $work, so that
# nobody else's is touched. $server is its process, $no_server why there is none.
start_server() { # LOG-LEVEL [OPTION...]
    level=$1
    shift
    server='' no_server=''
    for program in pulseaudio pactl; do
        command -v "$program" >/dev/null && continue
        no_server="$program is not installed (Debian: pulseaudio pulseaudio-utils)"
        return 1
    done
    export HOME="$work" XDG_RUNTIME_DIR="$work" PULSE_RUNTIME_PATH="$work" PULSE_STATE_PATH="$work"
    export PULSE_SERVER="unix:$work/socket"
    unset DISPLAY DBUS_SESSION_BUS_ADDRESS
    pulseaudio -n --daemonize=no --system=false --use-pid-file=no --exit-idle-time=-1 --disable-shm=yes \
        --realtime=no --high-priority=no --log-target=stderr --log-level="$level" \
        -L "module-native-protocol-unix auth-anonymous=1 socket=$work/socket" "$@" >"$work/server.log" 2>&1 &
    server=$!
    tries=0
    until pactl info >"$work/info" 2>/dev/null; do
        kill -0 "$server" 2>/dev/null || {
            server='' no_server='the PulseAudio server does not start here'
            return 1
        }
        tries=$((tries + 1))
        [ "$tries" -lt 100 ] || { no_server='the PulseAudio server does not answer within 10 s' && return 1; }
        sleep 0.1
    done
}
