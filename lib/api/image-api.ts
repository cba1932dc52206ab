/** Defines the REST API: resources, authorizer, usage plans of the tiers, and the gateway's own responses. */

import { Duration, Fn, Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, LogGroupClass } from 'aws-cdk-lib/aws-logs';
import type { Construct, IDependable } from 'constructs';
import { type Tier, tiers } from '../../lambda/contract/plans';
import { gatewayResources } from '../../lambda/contract/routes';
import {
  type GatewayResponseType,
  gatewayResponses,
  writeGatewayResponse,
} from '../../lambda/http/gateway-responses';
import { computePerSecond, getRemovalPolicy, type Stage } from '../stage';

/** The throttle of pages, documents and paths that do not exist. */
const publicThrottle = { throttlingRateLimit: 50, throttlingBurstLimit: 100 } as const;

/** Methods of public resources with a throttle of their own, because API Gateway takes none for ANY. */
const throttledMethods = ['GET', 'HEAD'] as const;

/**
 * The fields of a line of the access log. Query string and path are left out, because they hold keys and search words.
 * The IP address is left out too, because no log keeps it in the clear.
 */
const logFields = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  responseBytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  functionLatencyMs: '$context.integration.latency',
  authorizerLatencyMs: '$context.authorizer.latency',
  caller: '$context.authorizer.caller',
  plan: '$context.authorizer.plan',
  keyId: '$context.authorizer.keyId',
  gatewayResponse: '$context.error.responseType',
  fault: '$context.integrationErrorMessage',
} as const;

/** The API. It has one stage with the name of the service's stage. */
export class ImageApi extends apigateway.RestApi {
  /** @param logRole the account's role with which API Gateway writes the access log */
  constructor(scope: Construct, stage: Stage, logRole: IDependable) {
    const throttles = gatewayResources.flatMap(({ path, isAuthorized }) =>
      // The method settings of the root begin with two slashes.
      isAuthorized ? [] : throttledMethods.map((method) => [`${path}/${method}`, publicThrottle]),
    );
    const accessLog = new LogGroup(scope, 'RequestLog', {
      // Half the price of the standard class. Logs Insights searches it; metrics and alarms cannot read it.
      logGroupClass: LogGroupClass.INFREQUENT_ACCESS,
      retention: stage.logRetentionDays,
      removalPolicy: getRemovalPolicy(stage),
    });
    super(scope, 'ImageApi', {
      // API Gateway's metrics are counted under this name.
      restApiName: Stack.of(scope).stackName,
      description: 'Image redirect service',
      endpointTypes: [apigateway.EndpointType.REGIONAL],
      apiKeySourceType: apigateway.ApiKeySourceType.AUTHORIZER,
      // The key maker sets the account's role if it has none.
      cloudWatchRole: false,
      // URLs that were given out before the stage had a domain keep working.
      disableExecuteApiEndpoint: false,
      // The function gets every body in base64, because a page may have another encoding than UTF-8.
      binaryMediaTypes: ['*/*'],
      deployOptions: {
        stageName: stage.name,
        // The execution log would hold query strings, and with them keys.
        loggingLevel: apigateway.MethodLoggingLevel.OFF,
        accessLogDestination: new apigateway.LogGroupLogDestination(accessLog),
        accessLogFormat: apigateway.AccessLogFormat.custom(JSON.stringify(logFields)),
        methodOptions: Object.fromEntries(throttles),
      },
    });
    // The stack has an output ApiUrl already, so the CDK's own output is removed.
    this.node.tryRemoveChild('Endpoint');
    this.deploymentStage.node.addDependency(logRole);
    this.addUsagePlans(stage);
  }

  /**
   * Adds the methods and the gateway's own responses. Methods that need a credential get the authorizer.
   * @param rootUrl URL of the service without a trailing slash; may hold names that API Gateway fills in
   */
  serve(authorizer: IFunction, api: IFunction, rootUrl: string, contact: string | undefined): void {
    // No identity sources, and so no cache: API Gateway refuses callers who lack a source, and no source is common
    // to callers with a header, with a parameter, and without a key.
    const requestAuthorizer = new apigateway.RequestAuthorizer(this, 'Authorizer', {
      handler: authorizer,
      identitySources: [],
      resultsCacheTtl: Duration.seconds(0),
    });
    // The CDK would write the empty list as one empty source.
    (requestAuthorizer.node.defaultChild as apigateway.CfnAuthorizer).identitySource = undefined;
    const keyedMethod: apigateway.MethodOptions = {
      authorizer: requestAuthorizer,
      authorizationType: apigateway.AuthorizationType.CUSTOM,
      apiKeyRequired: true,
    };
    const publicMethod = { authorizationType: apigateway.AuthorizationType.NONE };
    const integration = new apigateway.LambdaIntegration(api, { scopePermissionToMethod: false });
    for (const { path, isAuthorized } of gatewayResources)
      for (const method of isAuthorized ? ['ANY'] : ['ANY', ...throttledMethods])
        this.root
          .resourceForPath(path)
          .addMethod(method, integration, isAuthorized ? keyedMethod : publicMethod);
    // Errors of API Gateway are problem documents that pages of any origin can read.
    for (const type of Object.keys(gatewayResponses) as GatewayResponseType[]) {
      const context = { requestId: '$context.requestId', rootUrl, contact };
      const { status, headers, body } = writeGatewayResponse(type, context);
      // API Gateway wants static values in single quotes.
      const quotedHeaders = Object.entries(headers).map(([name, value]) => [name, `'${value}'`]);
      this.addGatewayResponse(type, {
        type: apigateway.ResponseType.of(type),
        statusCode: String(status),
        responseHeaders: Object.fromEntries(quotedHeaders),
        // Only the template for application/json is sure to be used, whatever the caller accepts.
        templates: { 'application/json': body },
      });
    }
  }

  /** Throttles the callers of each tier together; the functions count each account's own quota. */
  private addUsagePlans({ plans }: Stage): void {
    const tierKeys = makeTierKeys(this.stack);
    let previousPlan: IDependable = this.deploymentStage;
    for (const tier of tiers) {
      const perSecond = computePerSecond(tier, plans);
      const plan = this.addUsagePlan(`${tier}Plan`, {
        description: `Throttle of all callers of the ${tier} tier together`,
        throttle: { rateLimit: perSecond, burstLimit: perSecond },
        apiStages: [{ stage: this.deploymentStage }],
      });
      const description = `Stands for all callers of the ${tier} tier`;
      plan.addApiKey(this.addApiKey(`${tier}Key`, { value: tierKeys[tier], description }));
      // API Gateway changes one plan or key of an account at a time, and refuses others with 409.
      plan.node.addDependency(previousPlan);
      previousPlan = plan;
    }
  }
}

/**
 * Makes the value of each tier's key: 20 to 128 characters. It comes from the stack's id, because it must be
 * unique in the account. It need not be secret: API Gateway takes it from the authorizer, never from a caller.
 */
export function makeTierKeys(stack: Stack): Readonly<Record<Tier, string>> {
  // API Gateway documents letters and digits only for the value of a key.
  const uniqueId = Fn.join('', Fn.split('-', Fn.select(2, Fn.split('/', stack.stackId))));
  const tierKeys = tiers.map((tier) => [tier, Fn.join('', ['tier', tier, uniqueId])]);
  return Object.fromEntries(tierKeys) as Record<Tier, string>;
}
