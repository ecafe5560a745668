"""A memetic colony."""
