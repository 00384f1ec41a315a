"""All that goes in or out as text or bytes: links, sessions, tables, weights, scripts."""
