"""Emulates what stands between a new version of a function and its callers, of which MiniStack has none: CodeDeploy, the
weights of an alias, and alarms on the metrics that functions write into their logs.
"""

import json
import random
import time

from ministack.services import cloudwatch, lambda_svc
from ministack.services.cloudformation import provisioners, stacks

handlers = provisioners._RESOURCE_HANDLERS
# How long a tenth of the requests tries a new version; AWS takes five minutes.
trial_s = 12
# Names of alarms by stack and logical id of their deployment group.
groups = {}


def functions_log_metrics():
    """Adds up the metrics in a function's log, each with its dimensions, and sets off the alarms that watch them."""
    emit = lambda_svc._emit_lambda_logs
    sums = {}

    def note(namespace, metric, dimensions, value):
        for name, alarm in list(cloudwatch._alarms.items()):
            own = {each["Name"]: each["Value"] for each in alarm.get("Dimensions") or []}
            if (alarm.get("Namespace"), alarm.get("MetricName"), own) != (namespace, metric, dimensions):
                continue
            period = (name, int(time.time()) // int(alarm.get("Period", 60)))
            sums[period] = sums.get(period, 0) + value
            is_reached = alarm["ComparisonOperator"] == "GreaterThanOrEqualToThreshold"
            limit = float(alarm["Threshold"])
            if sums[period] > limit or (is_reached and sums[period] == limit):
                state = {"AlarmName": name, "StateValue": "ALARM", "StateReason": f"Sum {sums[period]}"}
                cloudwatch._set_alarm_state({}, state, False, True)

    def emitted(func, request_id, log_text, *more, **options):
        emit(func, request_id, log_text, *more, **options)
        for line in log_text.splitlines():
            if '"_aws"' not in line:
                continue
            document = json.loads(line[line.index("{") :])
            for directive in document["_aws"]["CloudWatchMetrics"]:
                for names in directive["Dimensions"]:
                    for metric in directive["Metrics"]:
                        value = document[metric["Name"]]
                        dimensions = {name: document[name] for name in names}
                        total = sum(value) if isinstance(value, list) else value
                        note(directive["Namespace"], metric["Name"], dimensions, total)

    lambda_svc._emit_lambda_logs = emitted


def aliases_share_their_requests():
    """An alias with a second version sends it the share of its requests that its weight says."""
    effective = lambda_svc._effective_func_record_for_qualifier

    def chosen(func, qualifier):
        alias = (func or {}).get("aliases", {}).get(qualifier, {})
        for version, weight in alias.get("RoutingConfig", {}).get("AdditionalVersionWeights", {}).items():
            if random.random() < weight:
                return effective(func, version)
        return effective(func, qualifier)

    lambda_svc._effective_func_record_for_qualifier = chosen


def aliases_are_shifted_by_code_deploy():
    """An alias with a deployment group tries its new version, unless an alarm of the group is on, and returns when one fires."""
    alias = handlers["AWS::Lambda::Alias"]
    update, on_worker = alias["update"], stacks._runs_on_worker_thread

    def firing(names):
        return [name for name in names if cloudwatch._alarms[name]["StateValue"] == "ALARM"]

    def shifted(id, old, new, stack_name, logical_id=None):
        definition = provisioners._cfn_wait_condition_definition(stack_name, logical_id)
        policy = definition.get("UpdatePolicy", {}).get("CodeDeployLambdaAliasUpdate")
        if not policy or old["FunctionVersion"] == new["FunctionVersion"]:
            return update(id, old, new, stack_name, logical_id)
        names = groups[stack_name, policy["DeploymentGroupName"]["Ref"]]
        weights = {"AdditionalVersionWeights": {new["FunctionVersion"]: 0.1}}
        if not firing(names):
            update(id, old, {**old, "RoutingConfig": weights}, stack_name, logical_id)
        end = time.monotonic() + trial_s
        while not firing(names) and time.monotonic() < end:
            time.sleep(0.2)
        # To the one version or the other, without weights.
        version = old if firing(names) else new
        result = update(id, {**old, "RoutingConfig": weights}, version, stack_name, logical_id)
        if firing(names):
            raise ValueError(f"The deployment was stopped by alarms: {', '.join(firing(names))} (Service: CodeDeploy)")
        return result

    alias["update"] = shifted
    stacks._runs_on_worker_thread = lambda type: type == "AWS::Lambda::Alias" or on_worker(type)


def group_of(logical_id, props, stack_name):
    alarms = props.get("AlarmConfiguration", {}).get("Alarms", [])
    groups[stack_name, logical_id] = [each["Name"] for each in alarms]
    return f"{stack_name}-{logical_id}", {}


def emulate():
    functions_log_metrics()
    aliases_share_their_requests()
    aliases_are_shifted_by_code_deploy()
    handlers["AWS::CodeDeploy::Application"] = {
        "create": lambda logical_id, props, stack_name: (f"{stack_name}-{logical_id}", {}),
        "delete": lambda id, props: None,
    }
    handlers["AWS::CodeDeploy::DeploymentGroup"] = {
        "create": group_of,
        "update": lambda id, old, new, stack_name, logical_id=None: group_of(logical_id, new, stack_name),
        "update_with_logical_id": True,
        "delete": lambda id, props: None,
    }
