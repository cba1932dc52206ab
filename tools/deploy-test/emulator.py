"""Starts MiniStack, an emulated AWS account, with what it lacks of the real one added from outside.

Written for MiniStack 1.5.33. What is added: CloudFormation types of CloudFront, the firewall and budgets, secrets whose
Ref is their ARN, tables that outlive an update, API keys that come from the authorizer, and the host names that AWS gives
to APIs. Canaries are in code_deploy.py; what AWS refuses, and MiniStack would take, in strict_account.py and
strict_storage.py.
"""

import contextvars
import json
import os
import re
import signal
import sys
import threading
import uuid

import code_deploy
import ministack.app as app
import strict_account
from ministack.services import apigateway_v1, budgets, cloudfront, route53
from ministack.services.cloudformation import provisioners

handlers = provisioners._RESOURCE_HANDLERS
distributions = {}
# Distributions with a function before their cache, for the process that runs it in place of CloudFront.
shaped = {}


def tell_edge():
    """Writes who may sign for which paths, for the process that checks signatures in place of CloudFront."""
    facts = {
        "publicKeys": {id: key["Config"]["EncodedKey"] for id, key in cloudfront._public_keys.items()},
        "keyGroups": {id: group["Config"]["Items"] for id, group in cloudfront._key_groups.items()},
        "distributions": distributions,
        "shaped": shaped,
        "alarms": strict_account.alarms,
        "access": strict_account.access,
        "names": {
            record["Name"].rstrip("."): record["AliasTarget"]["DNSName"].rstrip(".")
            for records in route53._records.values()
            for record in records
            if "AliasTarget" in record
        },
    }
    draft = os.environ["EDGE_FILE"] + ".draft"
    with open(draft, "w", encoding="utf-8") as file:
        json.dump(facts, file)
    os.replace(draft, os.environ["EDGE_FILE"])


def cloudfront_type(config_name, store, new_id):
    """CloudFormation handlers of a type whose API calls MiniStack has already."""

    def create(logical_id, props, stack_name):
        id = new_id()
        store[id] = {
            "Id": id,
            "ETag": str(uuid.uuid4()),
            "CreatedTime": cloudfront._now_iso(),
            "LastModifiedTime": cloudfront._now_iso(),
            "Config": dict(props[config_name]),
        }
        tell_edge()
        return id, {"Id": id}

    return {"create": create, "delete": lambda id, props: store.pop(id, None)}


handlers["AWS::CloudFront::PublicKey"] = cloudfront_type("PublicKeyConfig", cloudfront._public_keys, cloudfront._pk_id)
handlers["AWS::CloudFront::KeyGroup"] = cloudfront_type("KeyGroupConfig", cloudfront._key_groups, cloudfront._kg_id)


cache_policies = {}


def noted_cache_policy(handler):
    """Keeps the configuration of a cache policy by its id."""

    def wrapped(*args, **options):
        id, attributes = handler(*args, **options)
        cache_policies[id] = [each for each in args if isinstance(each, dict)][-1]["CachePolicyConfig"]
        return id, attributes

    return wrapped


def shape_of(config):
    """What the default behavior of a distribution does before it asks its origin, if it has a function."""
    behavior = config["DefaultCacheBehavior"]
    functions = behavior.get("FunctionAssociations", [])
    if not functions:
        return None
    function = cloudfront._functions[functions[0]["FunctionARN"].split(":function/")[1]]
    origin = next(each for each in config["Origins"] if each["Id"] == behavior["TargetOriginId"])
    headers = {each["HeaderName"]: each["HeaderValue"] for each in origin.get("OriginCustomHeaders", [])}
    return {
        "functionCode": function["code"].decode(),
        "runtime": function["runtime"],
        "cachePolicy": cache_policies[behavior["CachePolicyId"]],
        "origin": {"host": origin["DomainName"], "path": origin.get("OriginPath", ""), "headers": headers},
    }


def watched_distribution(handler):
    """Notes which paths of a distribution want a signature; the emulated one checks none."""

    def wrapped(*args, **options):
        id, attributes = handler(*args, **options)
        config = [each for each in args if isinstance(each, dict)][-1]["DistributionConfig"]
        label = cloudfront._distributions[id]["DomainName"].split(".")[0]
        behaviors = [*config.get("CacheBehaviors", []), {"PathPattern": "*", **config["DefaultCacheBehavior"]}]
        distributions[label] = [
            {"path": each["PathPattern"], "keyGroups": each.get("TrustedKeyGroups", [])} for each in behaviors
        ]
        shape = shape_of(config)
        if shape:
            shaped[label] = shape
        tell_edge()
        return id, attributes

    return wrapped


for action in ("create", "update"):
    cache_policy = handlers["AWS::CloudFront::CachePolicy"]
    cache_policy[action] = noted_cache_policy(cache_policy[action])
    distribution = handlers["AWS::CloudFront::Distribution"]
    distribution[action] = watched_distribution(distribution[action])


def secrets_named_by_arn(secret):
    """In AWS the Ref of a secret is its ARN, which policies rely on; MiniStack gives its name."""
    create, update, delete = secret["create"], secret["update"], secret["delete"]

    def arn_of(result):
        _, attributes = result
        return attributes["Arn"], attributes

    def name_of(arn):
        return arn.split(":secret:")[1].rsplit("-", 1)[0]

    secret["create"] = lambda *args: arn_of(create(*args))
    secret["update"] = lambda id, *args, **options: arn_of(update(name_of(id), *args, **options))
    secret["delete"] = lambda id, props: delete(name_of(id), props)


secrets_named_by_arn(handlers["AWS::SecretsManager::Secret"])

table = handlers["AWS::DynamoDB::GlobalTable"]
update_table = table["update"]


def updated_table(id, old, new, stack):
    """Without its name, an update would look for another table and make a new one; with another name it is a new one."""
    if "TableName" in new and new["TableName"] != id:
        return table["create"](new["TableName"], new, stack)
    return update_table(id, {**old, "TableName": id}, {**new, "TableName": id}, stack)


table["update"] = updated_table


def alarm_on_one_metric(provision):
    """It has no metric math; of an alarm on several metrics it watches the last."""

    def wrapped(*args):
        props = [each for each in args if isinstance(each, dict)][-1]
        watched = [each["MetricStat"] for each in props.pop("Metrics", []) if "MetricStat" in each]
        for each in watched[-1:]:
            props.update(each["Metric"], Statistic=each["Stat"], Period=each["Period"])
        return provision(*args)

    return wrapped


for action in ("create", "update"):
    alarm = handlers["AWS::CloudWatch::Alarm"]
    alarm[action] = alarm_on_one_metric(alarm[action])

handlers["AWS::WAFv2::WebACLAssociation"] = {
    "create": lambda logical_id, props, stack_name: (f"{props['ResourceArn']}|{props['WebACLArn']}", {}),
    "delete": lambda id, props: None,
}


def told(handler):
    """Tells after the change which names point where."""

    def wrapped(*args, **options):
        result = handler(*args, **options)
        tell_edge()
        return result

    return wrapped


record = handlers["AWS::Route53::RecordSet"]
for action in ("create", "update", "delete"):
    record[action] = told(record[action])


def new_budget(logical_id, props, stack_name):
    name = f"{stack_name}-{logical_id}"
    status, _, body = budgets._create_budget({**props, "Budget": {"BudgetName": name, **props["Budget"]}})
    if status >= 400:
        raise ValueError(f"CreateBudget: {body.decode()}")
    return name, {}


handlers["AWS::Budgets::Budget"] = {
    "create": new_budget,
    "delete": lambda id, props: budgets._delete_budget({"BudgetName": id}),
}

usage_key = contextvars.ContextVar("usage_key", default=None)
invoke_authorizer = apigateway_v1._invoke_authorizer_lambda


async def invoke_authorizer_for_key(*args, **options):
    """Keeps the API key that an authorizer names, which counts where the API takes its keys from the authorizer."""
    usage_key.set(None)
    result = await invoke_authorizer(*args, **options)
    answer = (result or {}).get("body")
    if isinstance(answer, (str, bytes)):
        answer = json.loads(answer)
    if isinstance(answer, dict):
        usage_key.set(answer.get("usageIdentifierKey"))
    return result


apigateway_v1._invoke_authorizer_lambda = invoke_authorizer_for_key
apigateway_v1._api_key_from_request = lambda headers: usage_key.get()

app._EXECUTE_API_RE = re.compile(r"^([a-f0-9]{8})\.execute-api\.(?:[a-z0-9-]+\.amazonaws\.com|localhost)(?::\d+)?$")
# It would also take port 443 where it may.
app._port_is_bindable = lambda *_: False


def end_with_parent():
    """Ends this process and its children when the one that started it is gone, which closes the pipe."""
    sys.stdin.read()
    os.killpg(os.getpgrp(), signal.SIGTERM)


strict_account.make_strict(tell_edge)
code_deploy.emulate()
threading.Thread(target=end_with_parent, daemon=True).start()
app.main()
