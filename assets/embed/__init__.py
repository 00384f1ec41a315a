"""The script for course pages, which defines their element ``<tinker-former>``."""
