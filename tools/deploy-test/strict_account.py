"""Teaches the emulated account to refuse what AWS refuses, and to note what the functions were allowed to do.

CloudFormation reports what it refuses as AWS reports it, so that the deployment fails as it would there.
"""

import contextvars
import posixpath
import re
import urllib.parse

import strict_storage
from ministack import app
from ministack.core import iam_evaluator
from ministack.services import apigateway_v1, cloudfront, cloudwatch, sns, sts
from ministack.services.cloudformation import engine, provisioners, stacks

handlers = provisioners._RESOURCE_HANDLERS

# Alarms that reached their topic, and those whose topic did not let them.
alarms = {"delivered": [], "refused": []}
# Role -> the actions that its functions were allowed and denied.
access = {}


def conflict(operation, message):
    """What CloudFormation makes of a 409."""
    return ValueError(f"Resource handler returned message: {operation}: {message} (Service: Status Code: 409)")


def one_usage_plan_key_at_a_time():
    """API Gateway takes one CreateUsagePlanKey at a time; here nothing runs in parallel, so the order must be declared."""
    sort = stacks._topological_sort

    def checked(resources, conditions):
        names = set(resources)
        needs = {name: engine._extract_deps(each, names) for name, each in resources.items()}

        def reaches(start, goal):
            seen, open_ = set(), [start]
            while open_:
                for name in needs[open_.pop()] - seen:
                    seen.add(name)
                    open_.append(name)
            return goal in seen

        keys = [name for name, each in resources.items() if each["Type"] == "AWS::ApiGateway::UsagePlanKey"]
        for i, one in enumerate(keys):
            for other in keys[i + 1 :]:
                if not reaches(one, other) and not reaches(other, one):
                    raise conflict("CreateUsagePlanKey", f"{one} and {other} are made at the same time")
        return sort(resources, conditions)

    stacks._topological_sort = checked


def alarms_ask_their_topic():
    """An alarm publishes as cloudwatch.amazonaws.com, which the topic's policy must allow."""
    dispatch = cloudwatch._dispatch_alarm_actions

    def checked(alarm, old_state, new_state, reason):
        name, arn = alarm.get("AlarmName", ""), alarm.get("AlarmArn", "")
        actions = []
        for action in alarm.get("AlarmActions") or []:
            is_allowed = sns.topic_policy_allows(
                action, "cloudwatch.amazonaws.com", arn, cloudwatch.get_account_id()
            )
            if new_state == "ALARM":
                alarms["delivered" if is_allowed else "refused"].append(name)
            if is_allowed:
                actions.append(action)
        dispatch({**alarm, "AlarmActions": actions}, old_state, new_state, reason)
        tell()

    cloudwatch._dispatch_alarm_actions = checked


def public_keys_never_change():
    """CloudFront keeps a public key as it is, and wants a reference that no other key ever had."""
    references = {}
    keys, groups = cloudfront._public_keys, cloudfront._key_groups
    key, group = handlers["AWS::CloudFront::PublicKey"], handlers["AWS::CloudFront::KeyGroup"]
    create_key, delete_key, create_group = key["create"], key["delete"], group["create"]

    def new_key(logical_id, props, stack_name):
        config = props["PublicKeyConfig"]
        reference = config["CallerReference"]
        if references.setdefault(reference, config["EncodedKey"]) != config["EncodedKey"]:
            raise conflict("CreatePublicKey", f"the caller reference {reference} was used for another key")
        if any(each["Config"]["Name"] == config["Name"] for each in keys.values()):
            raise conflict("CreatePublicKey", f"there is a public key named {config['Name']}")
        return create_key(logical_id, props, stack_name)

    def changed_key(id, old, new, stack_name):
        for field in ("EncodedKey", "CallerReference"):
            if keys[id]["Config"][field] != new["PublicKeyConfig"][field]:
                raise ValueError(f"CannotChangeImmutablePublicKeyFields: {field}")
        keys[id]["Config"] = dict(new["PublicKeyConfig"])
        tell()
        return id, {"Id": id}

    def end_of_key(id, props):
        if any(id in each["Config"]["Items"] for each in groups.values()):
            raise conflict("DeletePublicKey", f"{id} is in use")
        delete_key(id, props)
        tell()

    def checked_group(config):
        for id in config["Items"]:
            if id not in keys:
                raise ValueError(f"TrustedKeyGroupDoesNotExist: there is no public key {id}")

    def new_group(logical_id, props, stack_name):
        config = props["KeyGroupConfig"]
        checked_group(config)
        if any(each["Config"]["Name"] == config["Name"] for each in groups.values()):
            raise conflict("CreateKeyGroup", f"there is a key group named {config['Name']}")
        return create_group(logical_id, props, stack_name)

    def changed_group(id, old, new, stack_name):
        checked_group(new["KeyGroupConfig"])
        groups[id]["Config"] = dict(new["KeyGroupConfig"])
        tell()
        return id, {"Id": id}

    key.update(create=new_key, update=changed_key, delete=end_of_key)
    group.update(create=new_group, update=changed_group)


def api_keys_are_letters_and_digits():
    """Values of API keys are 20 to 128 letters and digits."""
    create = handlers["AWS::ApiGateway::ApiKey"]["create"]

    def checked(logical_id, props, stack_name):
        if not re.fullmatch("[A-Za-z0-9]{20,128}", props.get("Value", "0" * 20)):
            raise ValueError(f"The value of {logical_id} is not 20 to 128 letters and digits")
        return create(logical_id, props, stack_name)

    handlers["AWS::ApiGateway::ApiKey"]["create"] = checked


def templates_are_ascii():
    """Other characters than ASCII come back from CloudFormation as question marks."""
    provision = stacks._provision_resource

    def ascii(value):
        if isinstance(value, str):
            return "".join(each if " " <= each <= "~" or each in "\t\r\n" else "?" for each in value)
        if isinstance(value, list):
            return [ascii(each) for each in value]
        if isinstance(value, dict):
            return {name: ascii(each) for name, each in value.items()}
        return value

    stacks._provision_resource = lambda type, id, props, *more: provision(type, id, ascii(props), *more)


def paths_stay_encoded():
    """A REST API takes routes and events from the path as it came, and only under names that it has; CloudFront its behaviors from the tidied one."""
    raw = contextvars.ContextVar("raw_path", default=None)
    dispatch, execute, match = app._handle_execute_api_request, apigateway_v1.handle_execute, cloudfront._match_behavior

    async def noted(host, *args, raw_path=None, **options):
        raw.set(raw_path)
        own = app._EXECUTE_API_RE.match(host)
        if own and (apigateway_v1._rest_apis.get(own.group(1)) or {}).get("disableExecuteApiEndpoint"):
            return 403, {"Content-Type": "application/json"}, b'{"message":"Forbidden"}'
        return await dispatch(host, *args, raw_path=raw_path, **options)

    async def executed(api_id, stage, method, path, *more):
        came = raw.get() or ""
        for candidate in (came, came[len(f"/{stage}") :] if came.startswith(f"/{stage}") else came):
            if candidate and urllib.parse.unquote(candidate) == path:
                path = candidate
        return await execute(api_id, stage, method, path, *more)

    app._handle_execute_api_request = noted
    apigateway_v1.handle_execute = executed
    cloudfront._match_behavior = lambda parsed, path: match(parsed, posixpath.normpath(path).replace("//", "/"))


def lengths_are_remapped():
    """A REST API states the length of an answer itself, and renames one that a function states."""
    execute = apigateway_v1.handle_execute

    async def executed(*args):
        status, headers, body = await execute(*args)
        return (
            status,
            {
                ("x-amzn-remapped-content-length" if name.lower() == "content-length" else name): value
                for name, value in headers.items()
            },
            body,
        )

    apigateway_v1.handle_execute = executed


def calls_of_functions_are_noted():
    """Each function calls as its own role; what that role was allowed and denied is recorded."""
    enforce = iam_evaluator.enforce

    def noted(access_key, action, *more, **options):
        denied = enforce(access_key, action, *more, **options)
        arn = (sts._sessions.get(access_key) or {}).get("Arn", "")
        # A request that was cut off by its deadline fails its signature, which says nothing of a role.
        if ":assumed-role/" in arn and not isinstance(denied, iam_evaluator.AuthError):
            role = access.setdefault(arn.split("/")[1], {"allowed": [], "denied": []})
            # What was denied with the table or bucket, as that is the question then.
            noted = f"{action} on {options.get('resource_arn', '*')}" if denied else action
            actions = role["denied" if denied else "allowed"]
            if noted not in actions:
                actions.append(noted)
                tell()
        return denied

    iam_evaluator.enforce = noted


def a_session_has_the_arn_of_its_role():
    """What a policy compares as aws:PrincipalArn is the role's ARN; MiniStack takes the session's."""
    resolve = iam_evaluator._resolve_condition_key

    def resolved(key, context):
        value = resolve(key, context)
        if key.lower() != "aws:principalarn" or not isinstance(value, str):
            return value
        return re.sub(r":sts::(\d+):assumed-role/([^/]+)/.*", r":iam::\1:role/\2", value)

    iam_evaluator._resolve_condition_key = resolved


def names_are_new_with_each_stack():
    """CloudFormation never gives the name of a kept resource to a new one; MiniStack derives names from the stack's."""
    physical_name = provisioners._physical_name

    def fresh(stack_name, *args, **options):
        from ministack.services.cloudformation import _stacks

        seed = provisioners._NAME_SEED.get()
        stack_id = (_stacks.get(stack_name) or {}).get("StackId", "")
        token = provisioners._NAME_SEED.set(f"{seed}{stack_id}")
        try:
            return physical_name(stack_name, *args, **options)
        finally:
            provisioners._NAME_SEED.reset(token)

    provisioners._physical_name = fresh


def tell():
    """Replaced by the launcher, which knows where to write."""


def make_strict(teller):
    global tell
    tell = teller
    one_usage_plan_key_at_a_time()
    alarms_ask_their_topic()
    public_keys_never_change()
    api_keys_are_letters_and_digits()
    lengths_are_remapped()
    templates_are_ascii()
    paths_stay_encoded()
    calls_of_functions_are_noted()
    a_session_has_the_arn_of_its_role()
    strict_storage.make_strict()
    names_are_new_with_each_stack()
