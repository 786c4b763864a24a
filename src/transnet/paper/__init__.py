"""The paper's nine cases, its figures and tables, and the report that puts them beside what was published."""
