"""Lines of numbers over time, drawn; and those of one night, hand by hand. No extra itself."""
