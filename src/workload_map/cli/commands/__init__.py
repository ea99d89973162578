"""The commands, a module each, named as the command is; each has a `command`, and no logic of its own."""
