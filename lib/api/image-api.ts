/** Declares the REST API: resources, authorizer, usage plans by tier, and the gateway's own answers. */

import { Duration, Fn, Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct, IDependable } from 'constructs';
import { type Tier, tiers } from '../../lambda/contract/plans';
import { gatewayResources } from '../../lambda/contract/routes';
import {
  type GatewayResponseType,
  gatewayResponses,
  writeGatewayResponse,
} from '../../lambda/http/gateway-responses';
import { perSecondOf, type Stage } from '../stage';
import { addAccessLog } from './access-log';

/** Throttle of pages, documents and paths that do not exist. */
const openMethod = { throttlingRateLimit: 50, throttlingBurstLimit: 100 } as const;

/** Methods that are throttled where no credential is asked for: API Gateway takes no throttle for ANY. */
const throttledMethods = ['GET', 'HEAD'] as const;

/** The API with one stage, which has the name of the service's stage. */
export class ImageApi extends apigateway.RestApi {
  /** @param logRole the account's role with which API Gateway writes the access log */
  constructor(scope: Construct, stage: Stage, logRole: IDependable) {
    const open = gatewayResources.filter(({ isAuthorized }) => !isAuthorized);
    const throttled = open.flatMap(({ path }) =>
      // The root's name in method settings has two slashes.
      throttledMethods.map((method) => [`${path === '/' ? '/' : path}/${method}`, openMethod]),
    );
    super(scope, 'ImageApi', {
      // API Gateway's metrics are counted under this name.
      restApiName: Stack.of(scope).stackName,
      description: 'Image redirect service',
      endpointTypes: [apigateway.EndpointType.REGIONAL],
      apiKeySourceType: apigateway.ApiKeySourceType.AUTHORIZER,
      // The key maker sets the account's role, where there is none.
      cloudWatchRole: false,
      // URLs that were given out before the stage had a domain keep working.
      disableExecuteApiEndpoint: false,
      // The function gets every body in base64: a page may not be UTF-8, and its size is bounded in bytes.
      binaryMediaTypes: ['*/*'],
      deployOptions: {
        stageName: stage.name,
        // The execution log would hold query strings, and with them keys.
        loggingLevel: apigateway.MethodLoggingLevel.OFF,
        ...addAccessLog(scope, stage),
        methodOptions: Object.fromEntries(throttled),
      },
    });
    // The stack's output ApiUrl names the service; the CDK's own would be a second one.
    this.node.tryRemoveChild('Endpoint');
    this.deploymentStage.node.addDependency(logRole);
    this.addUsagePlans(stage);
  }

  /**
   * Adds the methods, behind the authorizer where they ask for a credential, and the gateway's own answers.
   * @param rootUrl URL of the service without a trailing slash; may hold names that API Gateway fills in
   */
  serve(authorizer: IFunction, api: IFunction, rootUrl: string, contact: string | undefined): void {
    const keyed: apigateway.MethodOptions = {
      authorizer: this.requestAuthorizer(authorizer),
      authorizationType: apigateway.AuthorizationType.CUSTOM,
      apiKeyRequired: true,
    };
    const open: apigateway.MethodOptions = { authorizationType: apigateway.AuthorizationType.NONE };
    const integration = new apigateway.LambdaIntegration(api, { scopePermissionToMethod: false });
    for (const { path, isAuthorized } of gatewayResources)
      for (const method of isAuthorized ? ['ANY'] : ['ANY', ...throttledMethods])
        this.root.resourceForPath(path).addMethod(method, integration, isAuthorized ? keyed : open);
    // Errors of API Gateway are problem documents that pages of any origin can read.
    for (const type of Object.keys(gatewayResponses) as GatewayResponseType[]) {
      const context = { requestId: '$context.requestId', rootUrl, contact };
      const { status, headers, body } = writeGatewayResponse(type, context);
      this.addGatewayResponse(type, {
        type: apigateway.ResponseType.of(type),
        statusCode: String(status),
        // API Gateway wants static values in single quotes.
        responseHeaders: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, `'${value}'`]),
        ),
        // Only the template for application/json is sure to be used, whatever the caller accepts.
        templates: { 'application/json': body },
      });
    }
  }

  /**
   * Makes the authorizer without identity sources, and so without a cache. API Gateway answers 401 to callers who
   * lack a source, and callers without a key, with a header and with a parameter have none in common.
   */
  private requestAuthorizer(handler: IFunction): apigateway.RequestAuthorizer {
    const authorizer = new apigateway.RequestAuthorizer(this, 'Authorizer', {
      handler,
      identitySources: [],
      resultsCacheTtl: Duration.seconds(0),
    });
    // The CDK writes the empty list as one empty source.
    (authorizer.node.defaultChild as apigateway.CfnAuthorizer).identitySource = undefined;
    return authorizer;
  }

  /** Throttles the callers of each tier together; the functions count each account's own quota. */
  private addUsagePlans({ plans }: Stage): void {
    const values = makeTierKeys(this.stack);
    let previous: IDependable = this.deploymentStage;
    for (const tier of tiers) {
      const perSecond = perSecondOf(tier, plans);
      const plan = this.addUsagePlan(`${tier}Plan`, {
        description: `Throttle of all callers of the ${tier} tier together`,
        throttle: { rateLimit: perSecond, burstLimit: perSecond },
        apiStages: [{ stage: this.deploymentStage }],
      });
      const description = `Stands for all callers of the ${tier} tier`;
      plan.addApiKey(this.addApiKey(`${tier}Key`, { value: values[tier], description }));
      // API Gateway changes one plan or key of an account at a time, and answers 409 to others.
      plan.node.addDependency(previous);
      previous = plan;
    }
  }
}

/**
 * Makes the value of each tier's key: 20 to 128 characters, derived from the stack's id as it must be unique in
 * the account. It need not be secret: API Gateway takes it from the authorizer alone, never from the caller.
 */
export function makeTierKeys(stack: Stack): Readonly<Record<Tier, string>> {
  // Letters and digits alone: API Gateway documents no other characters for the value of a key.
  const uniqueId = Fn.join('', Fn.split('-', Fn.select(2, Fn.split('/', stack.stackId))));
  const values = tiers.map((tier) => [tier, Fn.join('', ['tier', tier, uniqueId])]);
  return Object.fromEntries(values) as Record<Tier, string>;
}
