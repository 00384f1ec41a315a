"""Computes the patch map: the sites that carry the baseline's answer."""
