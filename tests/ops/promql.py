"""What is wrong with a query: names, labels and values that nobody exposes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import promql_parser
from promql_parser import MatchOp

from tests.ops.exposed import Samples

GRAFANA = {"$__rate_interval": "5m", "$__interval": "1m", "$__range": "1h"}


def faults(query: str, exposed: Samples) -> list[str]:
    """Empty for a query that can find something."""
    for variable, value in GRAFANA.items():
        query = query.replace(variable, value)
    try:
        parsed = promql_parser.parse(query)
    except ValueError as wrong:
        return [f"it can't be read: {wrong}"]
    found = list(_nodes(parsed))
    selectors = [node for node in found if isinstance(node, promql_parser.VectorSelector)]
    if not selectors:
        return ["it asks for nothing"]
    wrong: list[str] = []
    for selector in selectors:
        wrong += _of_selector(selector, exposed)
    for node in found:
        known = {
            label
            for inner in _nodes(node)
            if isinstance(inner, promql_parser.VectorSelector)
            for label in exposed.get(inner.name or "", {})
        }
        wrong += [f"no such label to group by: {name}" for name in _grouped(node) - known]
    return wrong


def labels_left(query: str) -> set[str]:
    """Labels that the result of the outermost aggregation has, for a legend."""
    for variable, value in GRAFANA.items():
        query = query.replace(variable, value)
    for node in _nodes(promql_parser.parse(query)):
        if isinstance(node, promql_parser.AggregateExpr):
            return _grouped(node) - {"le"}
    return set()


def _of_selector(selector: Any, exposed: Samples) -> Iterator[str]:
    labels = exposed.get(selector.name or "")
    if labels is None:
        yield f"no such metric: {selector.name}"
        return
    for matcher in selector.matchers.matchers:
        if matcher.name not in labels:
            yield f"no such label of {selector.name}: {matcher.name}"
        elif not any(_fits(matcher, value) for value in labels[matcher.name]):
            yield f"no such value of {selector.name}: {matcher}"


def _fits(matcher: Any, value: str) -> bool:
    """Also what is excluded must be there: to exclude a value that never comes is a mistake."""
    if matcher.op in (MatchOp.Equal, MatchOp.NotEqual):
        return bool(matcher.value == value)
    return re.fullmatch(matcher.value, value) is not None


def _grouped(node: Any) -> set[str]:
    """Labels that a node names itself, by `by`, `without`, `on` or `ignoring`."""
    if isinstance(node, promql_parser.AggregateExpr) and node.modifier is not None:
        return set(node.modifier.labels)
    if isinstance(node, promql_parser.BinaryExpr) and node.modifier is not None:
        matching = node.modifier.matching
        return set() if matching is None else set(matching.labels)
    return set()


def _nodes(expr: Any) -> Iterator[Any]:
    seen: list[Any] = []

    def visit(node: Any) -> bool:
        seen.append(node)
        if isinstance(node, promql_parser.MatrixSelector):
            seen.append(node.vector_selector)
        return True

    promql_parser.walk(expr, pre_visit=visit)
    yield from seen
