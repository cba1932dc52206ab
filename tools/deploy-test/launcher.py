"""Starts MiniStack 1.5.33, an emulated AWS account, with what it lacks of what the stack uses. It makes nothing stricter."""

import contextvars
import io
import json
import os
import re
import signal
import sys
import threading
import uuid
import zipfile

import ministack.app as app
from ministack.core import iam_evaluator
from ministack.services import apigateway_v1, cloudfront, s3
from ministack.services.cloudformation import provisioners

handlers = provisioners._RESOURCE_HANDLERS


def nothing(*args, **options):
    """A type that the deployment needs, and that does nothing here."""
    return f"nothing-{uuid.uuid4()}", {}


# It has no CodeDeploy for canaries, no metric math for alarms, and attaches no firewall.
for name in ("CodeDeploy::Application", "CodeDeploy::DeploymentGroup", "CloudWatch::Alarm", "WAFv2::WebACLAssociation"):
    handlers[f"AWS::{name}"] = {"create": nothing, "update": nothing, "delete": lambda *args: None}


def planted_fault(*args):
    """The fault of a deployment that the test lets fail."""
    raise ValueError("PlantedFault")


handlers["AWS::Planted::Fault"] = {"create": planted_fault, "delete": lambda *args: None}


def cloudfront_type(config_name, store, new_id):
    """It has the API calls of keys and key groups, and no CloudFormation types for them."""

    def create(logical_id, props, stack_name):
        id = new_id()
        times = dict.fromkeys(("CreatedTime", "LastModifiedTime"), cloudfront._now_iso())
        store[id] = {"Id": id, "ETag": str(uuid.uuid4()), **times, "Config": dict(props[config_name])}
        return id, {"Id": id}

    def update(id, old, new, stack_name):
        store[id]["Config"] = dict(new[config_name])
        return id, {"Id": id}

    return {"create": create, "update": update, "delete": lambda id, props: store.pop(id, None)}


handlers["AWS::CloudFront::PublicKey"] = cloudfront_type("PublicKeyConfig", cloudfront._public_keys, cloudfront._pk_id)
handlers["AWS::CloudFront::KeyGroup"] = cloudfront_type("KeyGroupConfig", cloudfront._key_groups, cloudfront._kg_id)


secret = handlers["AWS::SecretsManager::Secret"]
create_secret, update_secret, delete_secret = (secret[action] for action in ("create", "update", "delete"))


def by_arn(result):
    """In AWS the Ref of a secret is its ARN, which policies rely on; here it is its name."""
    return result[1]["Arn"], result[1]


def name_of(arn):
    return arn.split(":secret:")[1].rsplit("-", 1)[0]


secret["create"] = lambda *args: by_arn(create_secret(*args))
secret["update"] = lambda id, *args, **options: by_arn(update_secret(name_of(id), *args, **options))
secret["delete"] = lambda id, props: delete_secret(name_of(id), props)

# Without its name, an update of a table would look for another one and make it.
table = handlers["AWS::DynamoDB::GlobalTable"]
update_table = table["update"]
table["update"] = lambda id, old, new, stack: update_table(id, {**old, "TableName": id}, {**new, "TableName": id}, stack)


def publish(*args):
    """Does what the CDK's BucketDeployment does by AWS's own command line in a layer, which it does not run."""
    props = [each for each in args if isinstance(each, dict)][-1]
    (bucket,), (key,), (include,) = (props[each] for each in ("SourceBucketNames", "SourceObjectKeys", "Include"))
    with zipfile.ZipFile(io.BytesIO(s3._buckets[bucket]["objects"][key]["body"])) as files:
        for name in [each for each in files.namelist() if each.endswith(include.lstrip("*"))]:
            s3._put_object(props["DestinationBucketName"], name, files.read(name), dict(props["SystemMetadata"]))
    return f"published-{uuid.uuid4()}", {}


handlers["Custom::CDKBucketDeployment"] = {"create": publish, "update": publish, "delete": lambda *args: None}
usage_key = contextvars.ContextVar("usage_key", default=None)
invoke_authorizer = apigateway_v1._invoke_authorizer_lambda


async def invoke_authorizer_for_key(*args, **options):
    """The key of a usage plan that the authorizer names counts, where the API takes its keys from the authorizer."""
    usage_key.set(None)
    result = await invoke_authorizer(*args, **options)
    answer = (result or {}).get("body")
    answer = json.loads(answer) if isinstance(answer, (str, bytes)) else answer
    if isinstance(answer, dict):
        usage_key.set(answer.get("usageIdentifierKey"))
    return result


apigateway_v1._invoke_authorizer_lambda = invoke_authorizer_for_key
apigateway_v1._api_key_from_request = lambda headers: usage_key.get()
# AWS's own host names of APIs, and no port 443 beside the one that it is given.
app._EXECUTE_API_RE = re.compile(r"^([a-f0-9]{8})\.execute-api\.(?:[a-z0-9-]+\.amazonaws\.com|localhost)(?::\d+)?$")
app._port_is_bindable = lambda *_: False
resolve = iam_evaluator._resolve_condition_key


def principal_is_role(key, context):
    """What a policy compares as aws:PrincipalArn is the role's ARN, and not that of its session."""
    value = resolve(key, context)
    is_session = key.lower() == "aws:principalarn" and isinstance(value, str)
    return re.sub(r":sts::(\d+):assumed-role/([^/]+)/.*", r":iam::\1:role/\2", value) if is_session else value


iam_evaluator._resolve_condition_key = principal_is_role


def end_with_parent():
    """Ends this process and its functions when the one that started it is gone, which closes the pipe."""
    sys.stdin.read()
    os.killpg(os.getpgrp(), signal.SIGTERM)


threading.Thread(target=end_with_parent, daemon=True).start()
app.main()
