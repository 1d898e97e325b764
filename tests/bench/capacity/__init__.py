"""What many open matches and many moves a second need, by arithmetic from what was measured."""
