# Written by `npm run generate` from the registry of operations; do not edit.
__version__ = "0.1.0"
