"""The script of course pages, which makes ``<tinker-former>`` an element of theirs."""
