"""Prints as JSON what C2PA's own implementation says of images: python read_manifests.py ANCHORS FILE..."""

import json
import sys

import c2pa

anchors, *files = sys.argv[1:]
settings = c2pa.Settings.from_dict(
    {"trust": {"user_anchors": open(anchors).read()}, "verify": {"verify_trust": True}}
)
context = c2pa.Context(settings)


def read(file):
    media_type = "image/" + file.rsplit(".", 1)[1]
    try:
        with open(file, "rb") as stream:
            store = json.loads(c2pa.Reader(media_type, stream, context=context).json())
    except c2pa.C2paError as error:
        return {"state": type(error).__name__.strip("_")}
    manifest = store["manifests"][store["active_manifest"]]
    assertions = {each["label"]: each["data"] for each in manifest["assertions"]}
    return {
        "state": store["validation_state"],
        "actions": assertions["c2pa.actions.v2"]["actions"],
    }


print(json.dumps({file: read(file) for file in files}))
