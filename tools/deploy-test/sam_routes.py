"""Prints what "sam local start-api" makes of a template, by SAM's own parser: METHOD PATH FUNCTION AUTHORIZER, a line each."""

import sys

from samcli.lib.providers.api_provider import ApiProvider
from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider

stacks, _ = SamLocalStackProvider.get_stacks(sys.argv[1])
for route in ApiProvider(stacks).api.routes:
    for method in route.methods:
        print(method, route.path, route.function_name, route.authorizer_name or "-")
