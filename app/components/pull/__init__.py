"""The line under the frame while an answer is pulled."""
