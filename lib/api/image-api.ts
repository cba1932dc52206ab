/** The regional REST API: routes, authorizer, usage plans per tier, the gateway's own answers and the access log. */

import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  ApiKeySourceType,
  AuthorizationType,
  type CfnAuthorizer,
  EndpointType,
  type IAuthorizer,
  LambdaIntegration,
  MethodLoggingLevel,
  RequestAuthorizer,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import { type ApiRoute, apiRoutes } from '../../lambda/contract/routes';
import { addApiDomain } from '../domains';
import { Edge } from '../edge/edge';
import type { NodeFunction } from '../functions/node-function';
import { acknowledge, pinLogicalId } from '../resources';
import type { Stage } from '../stage';
import { accessLog } from './access-log';
import { addFirewall } from './firewall';
import { addGatewayResponses, addOtherMethods, rootUrlOf } from './gateway-answers';
import { addUsagePlans, floodLimits } from './throttling';

interface ImageApiProps {
  readonly stage: Stage;
  readonly authorizer: NodeFunction;
  /** By the name that the contract's routes call them. */
  readonly functions: Readonly<Record<ApiRoute['function'], NodeFunction>>;
}

/** One API with one stage, by the stage's own name. */
export class ImageApi extends RestApi {
  /** URL of the service without a trailing slash: the custom domain, or the stage's. */
  readonly baseUrl: string;
  private readonly keyed: IAuthorizer;

  constructor(scope: Construct, id: string, { stage, authorizer, functions }: ImageApiProps) {
    super(scope, id, {
      // API Gateway's metrics are counted under this name.
      restApiName: Stack.of(scope).stackName,
      description: 'Image redirect service',
      endpointTypes: [EndpointType.REGIONAL],
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      cloudWatchRole: stage.setsApiGatewayLogRole,
      // Other APIs of the account may write their logs by it, too.
      ...(stage.setsApiGatewayLogRole
        ? { cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE }
        : {}),
      // URLs that were given out before the stage had a domain keep working. Written out, as CloudFormation resets no
      // property that goes.
      disableExecuteApiEndpoint: false,
      // Functions get every body as bytes, in base64: a page may not be UTF-8, and its size is bounded in bytes.
      binaryMediaTypes: ['*/*'],
      deployOptions: {
        stageName: stage.name,
        // The execution log would hold query strings, and with them keys.
        loggingLevel: MethodLoggingLevel.OFF,
        ...accessLog(scope, stage),
        ...floodLimits(stage),
      },
    });
    pinLogicalId(this, id);
    // The stack says the service's own URL; the API's would only be a second one.
    this.node.tryRemoveChild('Endpoint');
    this.keyed = this.requestAuthorizer(authorizer);
    const edge = stage.edge ? new Edge(this, 'Edge', { stage, restApiId: this.restApiId }) : undefined;
    edge?.lockOrigin(Object.values(functions));
    const rootUrl = rootUrlOf(stage, edge?.baseUrl);
    for (const route of apiRoutes) this.addRoute(route, functions[route.function], rootUrl);
    addUsagePlans(this, stage);
    this.baseUrl = edge?.baseUrl ?? this.ownUrl(stage);
    addGatewayResponses(this, rootUrl, stage.contact);
    addFirewall(this, stage, edge?.locks);
    this.acknowledgeFindings(stage);
  }

  private ownUrl({ apiDomain }: Stage): string {
    return apiDomain ? addApiDomain(this, apiDomain) : this.url.replace(/\/$/, '');
  }

  private addRoute(
    { path, methods, refused = [], isAuthorized, hasOtherMethods }: ApiRoute,
    { live }: NodeFunction,
    rootUrl: string,
  ): void {
    const resource = this.root.resourceForPath(path);
    const integration = new LambdaIntegration(live, { scopePermissionToMethod: false });
    const keyed = {
      authorizer: this.keyed,
      authorizationType: AuthorizationType.CUSTOM,
      apiKeyRequired: true,
    };
    for (const method of [...methods, ...refused])
      resource.addMethod(
        method,
        integration,
        isAuthorized ? keyed : { authorizationType: AuthorizationType.NONE },
      );
    if (hasOtherMethods) addOtherMethods(resource, methods, rootUrl);
  }

  /**
   * Any identity source would make API Gateway answer 401 by itself when that source is missing, and a cached answer
   * needs one. Callers without a key, with a header and with a parameter share the routes, so there is neither.
   */
  private requestAuthorizer({ live }: NodeFunction): IAuthorizer {
    const authorizer = new RequestAuthorizer(this, 'Authorizer', {
      handler: live,
      identitySources: [],
      resultsCacheTtl: Duration.seconds(0),
    });
    pinLogicalId(authorizer, 'ImageAuthorizer');
    // The CDK writes the empty list as an empty source, which is not the same as none.
    (authorizer.node.defaultChild as CfnAuthorizer).identitySource = undefined;
    return authorizer;
  }

  private acknowledgeFindings(stage: Stage): void {
    acknowledge(this, {
      'AwsSolutions-APIG2':
        'The functions check every parameter themselves, as a fault is named with its bounds.',
      'AwsSolutions-APIG4':
        'Preflights, refusals of methods and the documentation are meant for callers without a key.',
      'AwsSolutions-APIG6':
        'The execution log would hold query strings, and with them keys; the access log holds none.',
      'AwsSolutions-COG4':
        'Callers have API keys, which the Lambda authorizer resolves; there are no user pools.',
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        "The account's role for API Gateway logs takes the policy that AWS made for exactly this.",
      ...(stage.firewallRequestsPer5Min === 'off'
        ? {
            'AwsSolutions-APIG3':
              'A firewall costs more than many installations spend; the firewallRequestsPer5Min setting adds one.',
          }
        : {}),
    });
  }
}
