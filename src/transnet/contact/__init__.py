"""Inequalities: where there is contact is found with the solution, and its edge is an unknown of its own."""
