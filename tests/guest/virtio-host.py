# SPDX-License-Identifier: GPL-3.0-or-later
"""The host's side of linux-virtio.sh: virtio-host.py FOLDER CONSOLE. Serves FOLDER/root by HTTP on a free port, writes
that port and another free one, for forwarding, to FOLDER/ports; when the guest says on its CONSOLE that it is ready, sends
it bytes through the forwarded port and judges the sum that it answers."""
import hashlib
import http.server
import os
import socket
import sys
import threading
import time

work, console = sys.argv[1:3]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *words):
        super().__init__(*words, directory=work + "/root")

    def log_message(self, *words):
        pass


def ready():
    with open(console, errors="replace") as f:
        return "virtio: ready" in f.read()


def ask(port, sent):
    answer = b""
    with socket.create_connection(("127.0.0.1", port), 10) as s:
        s.settimeout(20)
        s.sendall(sent)
        s.shutdown(socket.SHUT_WR)
        while some := s.recv(1000):
            answer += some
    return answer


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
threading.Thread(target=server.serve_forever, daemon=True).start()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    forward = free.getsockname()[1]
with open(work + "/ports.new", "w") as f:
    f.write("%d %d\n" % (server.server_address[1], forward))
os.rename(work + "/ports.new", work + "/ports")

for i in range(600):
    if ready():
        break
    time.sleep(0.2)
sent = bytes(range(256)) * 1000
answer = b""
for i in range(20):
    try:
        answer = ask(forward, sent)
    except OSError as error:
        answer = str(error).encode()
    if answer.split()[:1] == [hashlib.sha256(sent).hexdigest().encode()]:
        print("host: the guest summed up what it was sent")
        sys.exit(0)
    time.sleep(0.5)
print("host: the guest answered %r" % answer)
sys.exit(1)
