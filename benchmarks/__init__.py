"""Measuring the product: accuracy against real measurements, calibration, ranking speed."""
