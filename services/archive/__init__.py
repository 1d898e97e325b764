"""The archive: matches that are over, out of the store and still there for who asks.

document.py   what a file holds: `tycoon-archive/1`
files.py      files by place, each of which proves itself
reading.py    the event store with the archive behind it
archiving.py  one match into the archive, or back
retention.py  what is due, by the settings' days
commands.py   what the operator may ask
"""
