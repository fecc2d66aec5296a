# Runs program.py as the main module, then every test function in it, and says so
# on standard output with a word that the program was not told. A program that
# ends before its tests are through does not say the word. It finds no name of
# this file in its own, such as a module that it forgot to import.
def _run():
    import os

    write = os.write
    with open("word.txt") as file:
        word = file.read()
    os.remove("word.txt")
    with open("program.py", encoding="utf-8") as file:
        code = compile(file.read(), "program.py", "exec")
    names = globals()
    del names["_run"]
    exec(code, names)
    for name, value in list(names.items()):
        if name.startswith("test_") and callable(value):
            result = value()
            if type(result).__name__ == "coroutine":
                import asyncio

                asyncio.run(result)
    write(1, ("\n" + word + "\n").encode())


_run()
