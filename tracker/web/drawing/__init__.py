"""Drawings as SVG: boards, cards, charts, colours, player tokens."""
