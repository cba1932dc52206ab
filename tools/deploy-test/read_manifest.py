"""Prints what C2PA's own implementation says of a JPEG: python read_manifest.py ANCHORS FILE"""

import json
import sys

import c2pa

anchors, file = sys.argv[1:]
trust = {"user_anchors": open(anchors, encoding="utf-8").read()}
context = c2pa.Context(c2pa.Settings.from_dict({"trust": trust, "verify": {"verify_trust": True}}))
with open(file, "rb") as stream:
    print(json.loads(c2pa.Reader("image/jpeg", stream, context=context).json())["validation_state"])
