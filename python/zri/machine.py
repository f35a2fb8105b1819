# SPDX-License-Identifier: GPL-3.0-or-later
"""A zri that is started, driven and ended."""
import os
import shutil
import subprocess
import tempfile
import time

from .client import Client, Error, Gone, Timeout


class Machine(Client):
    """Start zri with an image, in front of its first instruction, and talk to it.

    `image` is what zri takes (None: an empty machine), `options` are further words of its command line, `program` is the
    zri to start: the environment's ZRI when that is set, else the one that the shell would find. Output and run events
    are subscribed. The machine ends with quit(), or at the end of a `with` block.
    """

    def __init__(self, image=None, *options, program=None, timeout=30.0):
        self._process = None
        self._folder = tempfile.mkdtemp(prefix="zri-")
        self._said = open(os.path.join(self._folder, "said"), "w+b")
        self.path = os.path.join(self._folder, "control")
        self.status_at_end = None
        words = [program or os.environ.get("ZRI") or "zri", "--stop", "--control", "unix:" + self.path]
        words += [str(word) for word in options]
        if image is not None:
            words += ["--batch", "--", str(image)]
        try:
            self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._said)
            self._connect(timeout)
        except OSError as why:
            self._clear()
            raise Error("%s: %s" % (words[0], why)) from None
        except Error:
            self._clear()
            raise
        self.subscribe("output", "run")

    def _connect(self, timeout):
        until = time.monotonic() + timeout
        while True:
            if self._process.poll() is not None:
                raise Error("zri has ended: %s" % self.said().strip())
            if os.path.exists(self.path):
                try:
                    super().__init__(self.path, timeout)
                    return
                except Gone:
                    pass # it does not listen yet
            if time.monotonic() > until:
                raise Timeout("zri does not open its control socket: %s" % self.said().strip())
            time.sleep(0.005)

    def said(self):
        """What zri has written on its standard error: sentences for its operator."""
        with open(self._said.name, "rb") as file:
            return file.read().decode(errors="replace")

    @property
    def pid(self):
        """The number of zri's process."""
        return self._process.pid

    def wait(self, timeout=None):
        """Until zri has ended: its exit status."""
        try:
            self.status_at_end = self._process.wait(self.timeout if timeout is None else timeout)
        except subprocess.TimeoutExpired:
            raise Timeout("zri does not end") from None
        return self.status_at_end

    def quit(self):
        """End zri: its exit status, 0 when the guest came to a good end or was in the middle of something."""
        if self._process.poll() is None:
            try:
                super().quit()
            except Gone:
                pass
        return self.wait()

    def close(self):
        """End zri whatever it does, and clear up."""
        try:
            if self._process is not None:
                self.quit()
        except Error:
            self._process.kill()
            self.status_at_end = self._process.wait()
        finally:
            super().close()
            self._clear()

    def _clear(self):
        if self._process is not None:
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            self._process.stdin.close()
        self._said.close()
        shutil.rmtree(self._folder, ignore_errors=True)
