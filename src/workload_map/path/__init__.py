"""The path language: jq as a pure function of its input, compiled to Python."""
