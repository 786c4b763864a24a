"""The paper's nine cases, its figures and tables, and the report that compares them with the published ones."""
