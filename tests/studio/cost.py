#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What pages cost the program, and how soon it answers them.

    python3 tests/studio/cost.py build/bin/sandbell

Runs scenes on the silent clock with pages that are plain sockets, and prints
one line per figure: processor time of the program with none, one and four
pages; from a strike message to its reply, which is sent after the strike is in
the audio thread's ring; late commands and missed deadlines with a page that
floods and one that never reads. All figures of a table come from one run.
"""
import base64
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

HUNDRED = '''
local sb = require "sandbell"
sb.body("floor", { shape = sb.floor(), material = "oak" })
for i = 0, 99 do
  sb.body("b" .. i, { shape = sb.bar { length = 0.04 + 1e-5 * i, width = 0.02, thickness = 0.005 }, material = "steel",
    motion = "free", position = { (i % 10) * 0.06 - 0.3, 0.1 + 0.01 * (i % 7), (i // 10) * 0.06 - 0.3 } })
end
sb.every(1, function()
  for i = 0, 99 do
    local b = sb.find("b" .. i)
    if b then b:push { 0, 0.03, 0 } end
  end
end)
'''
QUIET = '''
local sb = require "sandbell"
sb.body("bar", { shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 }, material = "steel" })
'''
DRUM = '''
local sb = require "sandbell"
sb.body("drum", { shape = sb.membrane { radius = 0.6, tension = 2000, surface_density = 0.26, merge = MERGE }, material = "hard_plastic" })
'''
TOPICS = ["poses", "contacts", "spectrum", "scope", "energies", "stats", "params", "log"]


def frame(payload, opcode=1):
    """A masked frame; the mask is zero."""
    n = len(payload)
    if n < 126:
        head = struct.pack(">BB", 0x80 | opcode, 0x80 | n)
    elif n < 65536:
        head = struct.pack(">BBH", 0x80 | opcode, 0x80 | 126, n)
    else:
        head = struct.pack(">BBQ", 0x80 | opcode, 0x80 | 127, n)
    return head + b"\0\0\0\0" + payload


class Page:
    """A page without a browser."""

    def __init__(self, program, topics, window=20):
        self.socket = socket.create_connection(("127.0.0.1", program.port), timeout=10)
        self.buffer = b""
        self.binary = 0
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET /api/v1/socket HTTP/1.1\r\nHost: 127.0.0.1:{program.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: sandbell.v1, token.{program.token}\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(4096)
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        assert b" 101 " in head.split(b"\r\n")[0], head
        self.number = 0
        self.ask({"type": "hello", "protocol": 1, "subscribe": topics, "window": window})

    def say(self, message):
        self.socket.sendall(frame(json.dumps(message).encode()))

    def take(self, count):
        while len(self.buffer) < count:
            more = self.socket.recv(1 << 20)
            if not more:
                raise EOFError
            self.buffer += more
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def next(self):
        """The next JSON message; binary ones are acknowledged."""
        while True:
            opcode, count = self.take(2)
            count &= 127
            if count == 126:
                count, = struct.unpack(">H", self.take(2))
            elif count == 127:
                count, = struct.unpack(">Q", self.take(8))
            payload = self.take(count)
            if opcode & 15 == 1:
                return json.loads(payload)
            if opcode & 15 == 2:
                self.binary += 1
                self.say({"type": "ack", "n": self.binary})
            if opcode & 15 == 8:
                raise EOFError

    def ask(self, message):
        self.number += 1
        self.say(dict(message, id=self.number))
        while True:
            reply = self.next()
            if reply.get("id") == self.number:
                return reply

    def wait(self, kind):
        while True:
            message = self.next()
            if message["type"] == kind:
                return message


class Program:
    """sandbell studio on the silent clock."""

    def __init__(self, path, text):
        self.file = tempfile.NamedTemporaryFile("w", suffix=".lua")
        self.file.write(text)
        self.file.flush()
        self.process = subprocess.Popen(
            [path, "studio", self.file.name, "--no-open", "--print-url", "--backend", "null"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        found = re.match(r"http://127\.0\.0\.1:(\d+)/#token=(\w+)", self.process.stdout.readline())
        self.port, self.token = int(found[1]), found[2]
        time.sleep(2)

    def threads(self):
        """Processor time of the studio's own threads."""
        total = 0
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            folder = f"/proc/{self.process.pid}/task/{task}"
            with open(f"{folder}/comm", encoding="ascii") as comm:
                if not comm.read().startswith("studio-"):
                    continue
            with open(f"{folder}/stat", encoding="ascii") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")

    def share(self, page, span=8.0):
        """Of one core that pages cost, over this time: threads, and control."""
        control, busy, began = page.wait("stats")["pages_s"], self.threads(), time.monotonic()
        until = began + span
        while time.monotonic() < until:
            last = page.wait("stats")["pages_s"]
        span = time.monotonic() - began
        return (self.threads() - busy) / span, (last - control) / span

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def get(program, what):
    """The bytes of an answer below /api/v1/."""
    request = urllib.request.Request(f"http://127.0.0.1:{program.port}/api/v1/{what}",
                                     headers={"Authorization": f"Bearer {program.token}"})
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def load(program):
    """Fetch all that a page fetches; the number of triangles."""
    bodies = json.loads(get(program, "scene"))["scene"]["bodies"]
    meshes = [get(program, f"bodies/{body['id']}/mesh.bin") for body in bodies]
    return sum(struct.unpack_from("<I", mesh, 8)[0] for mesh in meshes)


def listen(program, stop):
    page = Page(program, TOPICS)
    load(program)
    while not stop.is_set():
        page.next()


def print_shares(path):
    """Loading the surfaces counts: it is in the time that is measured."""
    with Program(path, HUNDRED) as program:
        stop = threading.Event()
        first = Page(program, TOPICS)
        threads = [threading.Thread(target=listen, args=(program, stop)) for _ in range(3)]
        for count in (1, 4):
            started = threads if count > 1 else [threading.Thread(target=load, args=(program,))]
            for thread in started:
                thread.start()
            own, control = program.share(first)
            if count == 1:
                triangles = load(program)
            print(f"100 moving bodies, {triangles} triangles, {count} page{'s' if count > 1 else ''}: "
                  f"{100 * (own + control):.1f} % of a core "
                  f"(studio's threads {100 * own:.1f} %, control thread {100 * control:.1f} %)")
        stop.set()
        for thread in threads:
            thread.join()


def spread(times):
    times.sort()
    return f"median {1e3 * times[len(times) // 2]:.2f} ms, p99 {1e3 * times[int(0.99 * len(times))]:.2f} ms"


def print_delays(path):
    with Program(path, QUIET) as program:
        page = Page(program, [])
        times = []
        for i in range(1000):
            began = time.perf_counter()
            page.ask({"type": "strike", "body": 1, "point": [0.05, 0.0025, 0], "speed": 0.5})
            times.append(time.perf_counter() - began)
            time.sleep(0.003 + 0.007 * (i % 10) / 10)
        print(f"from a strike to its reply: {spread(times)}")


def print_shapes(path):
    """The first mode shape that is asked for, and others."""
    for merge in ("false", "1"):
        with Program(path, DRUM.replace("MERGE", merge)) as program:
            def shape(n):
                began = time.perf_counter()
                get(program, f"bodies/1/modes/{n}.bin")
                return time.perf_counter() - began
            rows = json.loads(get(program, "bodies/1/modes"))["rows"]
            first = shape(7)
            times = [shape(1 + 37 * i % len(rows)) for i in range(50)]
            print(f"mode shapes of a drum of {len(rows)} modes (merge = {merge}): first {1e3 * first:.0f} ms, "
                  f"others {spread(times)}")


class Trouble:
    """A page that floods, one that never reads, and one that reads slowly."""

    def __init__(self, program):
        self.over = threading.Event()
        self.sent = 0
        topics = ["pcm", "spectrum", "scope", "stats", "poses"]
        self.stalled = Page(program, topics, 1000)
        self.slow = Page(program, topics, 20)
        self.flood = Page(program, [])
        self.threads = [threading.Thread(target=run, daemon=True) for run in (self.pour, self.drain, self.drip)]
        for thread in self.threads:
            thread.start()

    def pour(self):
        block = frame(b'{"type":"ping","t":1}') * 2000
        try:
            while not self.over.is_set():
                self.flood.socket.sendall(block)
                self.sent += 2000
        except OSError:  # it was closed
            pass

    def drain(self):
        try:
            while not self.over.is_set():
                self.flood.socket.recv(1 << 20)
        except OSError:
            pass

    def drip(self):
        try:
            while not self.over.is_set():
                self.slow.socket.recv(2000)
                time.sleep(0.1)
        except OSError:
            pass

    def end(self):
        self.over.set()
        for page in (self.flood, self.slow, self.stalled):
            page.socket.close()
        for thread in self.threads:
            thread.join()


def print_flood(path, rounds=6, span=4.0):
    """Turn about, in one run: what the machine does besides is in both."""
    with Program(path, QUIET) as program:
        calm = Page(program, ["stats"])
        found = {False: [0, 0, []], True: [0, 0, []]}
        sent = 0
        for turn in range(2 * rounds):
            has_trouble = turn % 2 == 1
            trouble = Trouble(program) if has_trouble else None
            first, until = calm.wait("stats"), time.monotonic() + span
            while time.monotonic() < until:
                began = time.perf_counter()
                calm.ask({"type": "ping", "t": 1})
                found[has_trouble][2].append(time.perf_counter() - began)
                time.sleep(0.01)
            last = calm.wait("stats")
            if trouble:
                trouble.end()
                sent += trouble.sent
            found[has_trouble][0] += last["late"] - first["late"]
            found[has_trouble][1] += last["missed"] - first["missed"]
        for has_trouble, name in ((False, "alone"), (True, "with a page that floods, one that never reads, one that is slow")):
            late, missed, times = found[has_trouble]
            print(f"{name}, {rounds} times {span:g} s in turns: {late} late commands, {missed} missed deadlines; "
                  f"another page: {spread(times)}")
        print(f"{sent / span / rounds:.0f} messages a second from the one that floods")


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "build/bin/sandbell"
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print_delays(path)
    print_shapes(path)
    print_flood(path)
    print_shares(path)


if __name__ == "__main__":
    main()
