# SPDX-License-Identifier: GPL-3.0-or-later
"""A person at the panel's window: panel_window.py ZRI FOLDER SOURCE. The machine is looked at by its control socket, the
screen by what the X server keeps of it; the person has a mouse, and a keyboard in the last part."""
import os
import signal
import struct
import subprocess
import sys
import time

zri, work, source = sys.argv[1:]
sys.path[:0] = [source + "/tests/script", source + "/python"]
from panel_picture import Text
from zri.client import Client, Error

PATIENCE = float(os.environ.get("ZRI_SECONDS", "60"))
LIT = 0xF0E442


def until(what, words):
    """Wait until what() is something."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("in vain: " + words)


class Screen:
    """An X server of its own, and its pixels."""

    def __init__(self):
        self.folder = work + "/screen"
        os.mkdir(self.folder)
        reads, writes = os.pipe()
        self.process = subprocess.Popen(["Xvfb", "-displayfd", str(writes), "-screen", "0", "1400x900x24", "-fbdir",
                                         self.folder, "-nolisten", "tcp", "-noreset"], pass_fds=[writes], stderr=subprocess.DEVNULL)
        os.close(writes)
        with os.fdopen(reads) as number: # a whole line: a server that cannot write its end goes away
            self.display = ":" + number.readline().strip()

    def count(self, colour, box):
        """Pixels of a colour in (x, y, width, height)."""
        data = open(self.folder + "/Xvfb_screen0", "rb").read()
        header = struct.unpack(">25I", data[:100])
        size, step, colours = header[0], header[12], header[19]
        x0, y0, width, height = box
        begin, wanted = size + 12 * colours, struct.pack("<I", colour)[:3]
        return sum(data[begin + y * step + 4 * x:begin + y * step + 4 * x + 3] == wanted
                   for y in range(max(y0, 0), y0 + height) for x in range(max(x0, 0), x0 + width))


class Person:
    def __init__(self, screen, *arguments):
        self.environment = dict(os.environ, DISPLAY=screen.display, SDL_VIDEODRIVER="x11")
        self.environment.pop("WAYLAND_DISPLAY", None)
        path = work + "/control"
        self.errors = open(work + "/errors", "w+")
        self.process = subprocess.Popen([zri, "--panel", "--stop", "--control", "unix:" + path, *arguments],
                                        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self.errors,
                                        env=self.environment)
        until(lambda: os.path.exists(path) or self.process.poll() is not None, "the control socket")
        assert self.process.poll() is None, "zri has ended: " + open(work + "/errors").read()
        try:
            self.client = Client(path, PATIENCE)
        except Error as why:
            raise AssertionError("%s\n%s" % (why, open(work + "/errors").read())) from None
        self.window = until(self.find_window, "a window")
        self.xdotool("windowmove", self.window, "0", "0")

    def xdotool(self, *words):
        return subprocess.run(["xdotool", *words], env=self.environment, stdout=subprocess.PIPE, check=False,
                              stderr=subprocess.DEVNULL).stdout.decode()

    def find_window(self):
        return (self.xdotool("search", "--onlyvisible", "--name", "^zri$").split() or [None])[0]

    def text(self):
        return Text(self.client.text("panel text"))

    def sees(self, what, words=""):
        until(lambda: self.text().find(what), "%r %s in\n%s" % (what, words, "\n".join(self.text().lines)))

    def point(self, what, after=0, *then):
        """The pointer on a text."""
        self.sees(what)
        x, y = self.text().place(what, after)
        self.xdotool("mousemove", "--window", self.window, str(x + 4), str(y), *then)

    def click(self, what, after=0):
        """With the mouse, on a text."""
        self.point(what, after, "click", "1")

    def key(self, *names):
        self.xdotool("key", "--window", self.window, *names)

    def status(self):
        return self.client.command("panel status")


def mouse_alone(person, screen):
    """A program is loaded, started, stopped, stepped, a register is changed, views are switched."""
    person.click("[Load]")
    person.click("ipl %s/loop.bin" % work)
    person.sees("● the machine runs", "after Load")
    until(lambda: screen.count(LIT, (0, 640, 40, 60)) > 60, "the lamp of the running machine on the screen")
    person.click("[Pause]")
    person.sees("○ the machine stands", "after Pause")
    until(lambda: screen.count(LIT, (0, 640, 40, 60)) == 0, "the lamp goes out")
    person.click("[Start]")
    person.sees("● the machine runs", "after Start")
    before = person.client.register("r1")
    until(lambda: person.client.register("r1") != before, "the guest carries out instructions")
    person.click("[Stop]")
    person.sees("● stopped", "after Stop")
    person.sees("○ the machine stands", "after Stop")
    before = person.client.register("r1")
    person.click("[Step]")
    person.click("[Step]")
    until(lambda: person.client.register("r1") == before + 1, "two steps")
    value = "%016X" % person.client.register("r1")
    person.click(value)
    for key in ("[Cle", "[7]", "[C]", "[ Set"):
        person.click(key)
    until(lambda: person.client.register("r1") == 0x7C, "a register changed by the mouse")
    text = person.text()
    x, y = text.find("R1  ")
    until(lambda: screen.count(LIT, (8 * x + 30, 19 * y - 6, 140, 30)) > 120, "it is lit on the screen")
    views = [line for line in text.lines if "F1 Front" in line][0]
    for tab in [part.strip() for part in views.replace("]", "[").split("[") if part.strip().startswith("F")]:
        person.click(tab)
        until(lambda tab=tab: person.status()["view"].startswith(tab.split()[1].lower()[:4]), "the view " + tab)
    person.click("F1 Front")
    person.click("[Light]")
    until(lambda: person.status()["theme"] == "light", "the light theme")
    until(lambda: screen.count(0xFBFBF8, (1180, 560, 90, 20)) == 1800, "a light ground on the screen")


def keyboard(person):
    """Keys, and the line for commands."""
    person.key("ctrl+t")
    until(lambda: person.status()["theme"] == "dark", "Ctrl+T")
    person.key("ctrl+2")
    until(lambda: person.status()["view"] != "front", "Ctrl+2")
    person.point("0000000000000018")
    person.key("F4")  # what is under the pointer
    until(lambda: person.status()["view"] == "translation", "F4")
    person.sees("0000000000000018", "the address under the pointer")
    person.key("F1")
    until(lambda: person.status()["view"] == "front", "F1")
    person.xdotool("type", "--window", person.window, "gpr 9=99")
    person.key("Return")
    until(lambda: person.client.register("r9") == 0x99, "a command that was typed")
    person.xdotool("type", "--window", person.window, "snaps")
    person.key("Tab")
    person.sees("zri> snapshot", "Tab completes a word")
    for _ in range(9):
        person.key("BackSpace")
    person.key("Tab")
    until(lambda: person.status()["focus"] == "F1 Front", "Tab")
    person.key("Escape")
    person.key("ctrl+plus")
    until(lambda: person.status()["scale"] == 110, "Ctrl++")
    person.key("ctrl+0")
    until(lambda: person.status()["scale"] == 100, "Ctrl+0")
    person.xdotool("windowsize", person.window, "900", "700")
    until(lambda: (person.status()["width"], person.status()["height"]) == (900, 700), "another size")


def pictures(person):
    """The guest runs: pictures follow each other; it stands: none is drawn."""
    person.key("ctrl+g")
    person.sees("● the machine runs", "after Ctrl+G")
    before = person.status()["pictures"]
    until(lambda: person.status()["pictures"] > before + 20, "pictures while the guest runs")
    person.key("ctrl+p")
    person.sees("○ the machine stands", "after Ctrl+P")


def closing(person):
    """A window that is closed; the machine stays, and another window can be had."""
    person.key("ctrl+q")
    until(lambda: not person.status()["open"], "the window closes")
    assert person.client.register("r9") == 0x99
    person.client.text("panel open")
    assert person.status()["open"]
    person.window = until(person.find_window, "a second window")


def display_goes(person, screen):
    """The display goes away; the machine stays."""
    screen.process.kill()
    screen.process.wait()
    until(lambda: not person.status()["open"], "the window without a display")
    assert person.client.register("r9") == 0x99
    until(lambda: "the display of the panel has gone; the machine goes on" in open(work + "/errors").read(), "a sentence")


def main():
    # a short PSW with 31-bit addresses, then: add one to general register 1, again and again
    with open(work + "/loop.bin", "wb") as image:
        image.write(bytes.fromhex("0008000080000010" + 16 * "0" + "a71a0001a7f4fffe"))
    screen = Screen()
    person = None
    try:
        person = Person(screen, work + "/loop.bin")
        mouse_alone(person, screen)
        keyboard(person)
        pictures(person)
        closing(person)
        display_goes(person, screen)
        person.process.stdin.write(b"quit\n")
        person.process.stdin.close()
        assert person.process.wait(PATIENCE) == 0
    finally:
        if person:
            ended = person.process.poll()
            if ended != 0:
                print("zri: status %s; it said:\n%s" % (ended, open(work + "/errors").read()))
            if ended is None:
                person.process.send_signal(signal.SIGKILL)
        screen.process.kill()


main()
