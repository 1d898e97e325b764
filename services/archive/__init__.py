"""Series: one line-up of bots plays many matches, and what came of them is counted.

The life of a series in short files:

    spec.py        what is asked for, the checks, and what each match number means
    commands.py    create, pause, resume, cancel, delete
    queries.py     the document, pages, result rows, transcripts
    cleaning.py    what is left of deleted series is removed
    working.py     a worker takes a chunk under a lease, plays a slice, saves or finishes it
    slicing.py     a slice of a chunk: play on for a short time, carefully after a death
    part.py        how far a chunk is: the rows of its finished matches, the answers of the next one
    playing.py     one match from its seed to its row, in memory
    rows.py        a match in one line
    tally.py       whole numbers that add up, in any order, to the same results
    statistics.py  means, intervals and quantiles from those numbers
    files.py       rows and transcripts in a folder or an object store
    local.py       the same without any server, on all cores
    again.py       a single match made again from the document
    made_by.py     which build this is
    documents.py   what queries answer; reporting.py fills them in
"""
