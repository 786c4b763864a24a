"""The figures and tables of the report, one file each."""
