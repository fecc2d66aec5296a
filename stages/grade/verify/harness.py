# Runs program.py as the main module, then every test function in it, and says so
# on standard output with a word that the program was not told. A program that
# ends before its tests are through does not know the word.
import os
import sys


def _run():
    with open("word.txt") as file:
        word = file.read()
    os.remove("word.txt")
    with open("program.py", encoding="utf-8") as file:
        code = compile(file.read(), "program.py", "exec")
    exec(code, globals())
    for name, value in list(globals().items()):
        if name.startswith("test_") and callable(value):
            value()
    sys.stdout.flush()
    os.write(1, ("\n" + word).encode())


_run()
