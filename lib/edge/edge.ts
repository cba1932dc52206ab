/** CloudFront before the API, where the stage has it: shares what the functions let caches share, and nothing else. */

import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import {
  AllowedMethods,
  type BehaviorOptions,
  Function as CloudFrontFunction,
  Distribution,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginProtocolPolicy,
  OriginSslPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import { edgeHeaders } from '../../lambda/contract/edge';
import { variables } from '../../lambda/contract/environment';
import { outputs } from '../../lambda/contract/outputs';
import { gatewayTimeoutMs } from '../../lambda/contract/timeouts';
import { addDistributionRecords, distributionDomain, findingsWithoutDomain } from '../domains';
import type { NodeFunction } from '../functions/node-function';
import { acknowledge, globalName, pinLogicalId } from '../resources';
import type { Stage } from '../stage';
import { GeneratedSecret } from '../stores/secrets';
import { edgeCachePolicy, edgeOriginRequestPolicy, uncachedErrors } from './caching';
import { viewerRequestCode } from './viewer-request-code';

interface EdgeProps {
  readonly stage: Stage;
  /** Id of the API, which has one stage by the name of ours. */
  readonly restApiId: string;
}

/** One distribution, the secrets that it proves itself by, and the DNS records of the API's name. */
export class Edge extends Construct {
  /** URL of the service without a trailing slash: the custom domain, or CloudFront's own name. */
  readonly baseUrl: string;
  /** Secrets by which the API knows the distribution: references that CloudFormation resolves while it deploys. */
  readonly locks: readonly string[];

  constructor(scope: Construct, id: string, { stage, restApiId }: EdgeProps) {
    super(scope, id);
    const { apiDomain } = stage;
    const { region, urlSuffix } = Stack.of(this);
    const originHost = `${restApiId}.execute-api.${region}.${urlSuffix}`;
    const { version, trusted } = stage.originLock;
    const locks = new Map(trusted.map((each) => [each, this.lockSecret(each, stage)]));
    this.locks = [...locks.values()];
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'API of the image redirect service',
      defaultBehavior: this.behavior(originHost, stage.name, locks.get(version) as string),
      errorResponses: uncachedErrors,
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...distributionDomain(this, apiDomain),
    });
    pinLogicalId(distribution, 'EdgeDistribution');
    acknowledge(distribution, {
      'AwsSolutions-CFR1': 'Images are meant for pages anywhere in the world.',
      'AwsSolutions-CFR2':
        'The firewall stands at the API and counts by viewer there, in any region; an answer from the cache costs next to nothing.',
      'AwsSolutions-CFR3': 'Access logs would keep query strings, and with them keys and signatures.',
      ...findingsWithoutDomain(apiDomain, 'apiDomain'),
    });
    const { distributionDomainName: host, distributionId } = distribution;
    this.baseUrl = `https://${apiDomain?.name ?? host}`;
    const values = {
      [outputs.edgeDistribution]: distributionId,
      [outputs.originUrl]: `https://${originHost}/${stage.name}`,
      ...(apiDomain ? { [outputs.apiDomainTarget]: host } : {}),
    };
    for (const [name, value] of Object.entries(values)) new CfnOutput(Stack.of(this), name, { value });
    addDistributionRecords(this, 'ApiRecord', apiDomain, distribution);
  }

  /** Has functions answer requests that come through the distribution only, and name its URL as the service's. */
  lockOrigin(functions: readonly NodeFunction[]): void {
    for (const fn of functions) {
      fn.addEnvironment(variables.originLock, this.locks.join(' '));
      fn.addEnvironment(variables.rootUrl, this.baseUrl);
    }
  }

  /** Every path and method: the functions decide with `Cache-Control` what is kept; CloudFront keeps no POST. */
  private behavior(originHost: string, stageName: string, lock: string): BehaviorOptions {
    const viewerRequest = new CloudFrontFunction(this, 'ViewerRequest', {
      functionName: globalName(this, 'edge'),
      comment: 'Cache key and IP address of the viewer',
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(viewerRequestCode()),
    });
    pinLogicalId(viewerRequest, 'EdgeViewerRequest');
    return {
      origin: new HttpOrigin(originHost, {
        originPath: `/${stageName}`,
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        originSslProtocols: [OriginSslPolicy.TLS_V1_2],
        customHeaders: { [edgeHeaders.lock]: lock },
        // Longer than API Gateway waits: CloudFront sends a request again that was not answered, and it may be charged.
        readTimeout: Duration.millis(gatewayTimeoutMs + 1_000),
      }),
      // As API Gateway, which listens on no other port: a key in a request over HTTP would be readable underway.
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: edgeCachePolicy(this),
      originRequestPolicy: edgeOriginRequestPolicy(this),
      functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: viewerRequest }],
      // The key would have to hold the encodings that a viewer takes.
      compress: false,
    };
  }

  /**
   * Each version is a secret of its own: a template that names the same secret as before has CloudFormation read no new
   * value.
   */
  private lockSecret(version: number, stage: Stage): string {
    const secret = new GeneratedSecret(
      this,
      version === 1 ? 'OriginLock' : `OriginLockV${version}`,
      stage,
      'The distribution and the functions take it at a deployment and have to agree: the originLock setting rotates it.',
      {
        description: 'Header by which the API knows its own CloudFront distribution',
        // Without spaces, which separate the versions in the functions' environment: Secrets Manager leaves them out.
        generateSecretString: { passwordLength: 48, excludePunctuation: true },
      },
    );
    return secret.secretValue.unsafeUnwrap();
  }
}
