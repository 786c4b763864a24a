"""Domains that move, by a given law or with a front that is an unknown: solved on a domain at rest."""
