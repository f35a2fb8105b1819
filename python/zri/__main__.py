# SPDX-License-Identifier: GPL-3.0-or-later
"""python3 -m zri: talk to a zri that runs, or start one, from the shell."""
import argparse
import importlib.util
import json
import os
import signal
import sys
import unittest

from . import Client, Error, Machine


def carry_out(client, lines):
    """Console commands, one behind the other; 1 when one was refused."""
    status = 0
    for line in lines:
        try:
            sys.stdout.write(client.text(line.rstrip("\n"), timeout=1e9))
        except Error as why:
            print(why)
            status = 1
        sys.stdout.flush()
    return status


def talk(words):
    with Client(words.socket) as client:
        return carry_out(client, words.command or sys.stdin)


def events(words):
    with Client(words.socket) as client:
        client.subscribe(*words.event)
        while True:
            print(json.dumps(client.next_event(timeout=1e9)), flush=True)


def run(words):
    with Machine(words.image, *words.option) as machine:
        status = carry_out(machine, words.command or ["g"])
        sys.stdout.write(machine.output)
    return status or machine.status_at_end


def test(words):
    suite = unittest.TestSuite()
    for file in words.file:
        name = os.path.splitext(os.path.basename(file))[0]
        spec = importlib.util.spec_from_file_location(name, file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        suite.addTests(unittest.defaultTestLoader.loadTestsFromModule(module))
    return not unittest.TextTestRunner(verbosity=2 if words.verbose else 1).run(suite).wasSuccessful()


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python3 -m zri", description="drive zri, a z/Architecture machine")
    kinds = parser.add_subparsers(dest="kind", metavar="talk | events | run | test")
    kinds.required = True
    one = kinds.add_parser("talk", help="carry out console commands on a zri that has a control socket")
    one.add_argument("socket", help="the PATH of its --control unix:PATH")
    one.add_argument("command", nargs="*", help="commands; without any the lines of standard input")
    one.set_defaults(does=talk)
    one = kinds.add_parser("events", help="show events as lines of JSON while they come")
    one.add_argument("socket")
    one.add_argument("event", nargs="+", help="run, or a class of the event log: svc, io, program ...")
    one.set_defaults(does=events)
    one = kinds.add_parser("run", help="start a machine, carry out console commands, show what the guest wrote")
    one.add_argument("--option", action="append", default=[], help="a word for zri's command line, as --option=--cpus=2")
    one.add_argument("image")
    one.add_argument("command", nargs="*", help="commands; without any: g")
    one.set_defaults(does=run)
    one = kinds.add_parser("test", help="carry out tests of guests (see zri.MachineTest)")
    one.add_argument("-v", "--verbose", action="store_true")
    one.add_argument("file", nargs="+")
    one.set_defaults(does=test)
    words = parser.parse_args(arguments)
    try:
        return words.does(words)
    except Error as why:
        print("python3 -m zri: %s" % why, file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


if __name__ == "__main__":
    sys.exit(main())
