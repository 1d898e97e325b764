"""The command line. Its games are played over HTTP like anybody else's."""

import click

from api.cli import (
    archive,
    backup,
    erasing,
    keys,
    matches,
    play,
    projections,
    refold,
    series,
    up,
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Tycoon: a game server for four get-rich games."""


main.add_command(up.command)
main.add_command(play.command)
main.add_command(matches.group)
main.add_command(series.group)
main.add_command(erasing.group)
main.add_command(projections.group)
main.add_command(archive.group)
main.add_command(keys.group)
main.add_command(backup.backup)
main.add_command(backup.restore)
main.add_command(refold.command)
