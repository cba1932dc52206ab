/** CloudFront before the API, where the stage has it: shares what the function lets caches share, and nothing else. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { edgeHeaders, sharedCachingS } from '../../lambda/contract/edge';
import { outputs } from '../../lambda/contract/outputs';
import { parameterNames } from '../../lambda/contract/parameters';
import { gatewayTimeoutMs } from '../../lambda/contract/timeouts';
import { shortNames } from '../../lambda/requests/parameter-names';
import { distributionDomain } from '../domains';
import type { Stage } from '../stage';

/** Answers of the API that no cache may keep, whatever CloudFront does by default: one 503 would be everybody's. */
const uncachedStatuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** One distribution. Requests that reach the API without it are served as before. */
export class Edge extends Construct {
  /** URL of the service without a trailing slash: the custom domain, or CloudFront's own name. */
  readonly baseUrl: string;

  /** @param proof by which the API believes what the distribution says of a viewer */
  constructor(scope: Construct, stage: Stage, restApiId: string, proof: ISecret) {
    super(scope, 'Edge');
    const { api: domain } = stage.domains;
    const { region, urlSuffix } = Stack.of(this);
    const viewerRequest = new cloudfront.Function(this, 'ViewerRequest', {
      comment: 'Cache key and IP address of the viewer',
      runtime: cloudfront.FunctionRuntime.JS_2_0,
      code: cloudfront.FunctionCode.fromInline(viewerRequestCode()),
    });
    const distribution = new cloudfront.Distribution(this, 'Distribution', {
      comment: 'API of the image redirect service',
      defaultBehavior: {
        origin: new HttpOrigin(`${restApiId}.execute-api.${region}.${urlSuffix}`, {
          originPath: `/${stage.name}`,
          customHeaders: { [edgeHeaders.proof]: proof.secretValue.unsafeUnwrap() },
          // Longer than API Gateway waits: CloudFront sends a request again that was not answered, and it may be charged.
          readTimeout: Duration.millis(gatewayTimeoutMs + 1_000),
        }),
        // As API Gateway, which listens on no other port: a key in a request over HTTP would be readable underway.
        viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
        allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
        cachePolicy: this.cachePolicy(),
        // API Gateway tells its APIs apart by `Host`, so the viewer's is not passed on.
        originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        functionAssociations: [
          { eventType: cloudfront.FunctionEventType.VIEWER_REQUEST, function: viewerRequest },
        ],
        // The key would have to hold the encodings that a viewer takes.
        compress: false,
      },
      errorResponses: uncachedStatuses.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      ...distributionDomain(this, domain),
    });
    this.baseUrl = `https://${domain?.name ?? distribution.distributionDomainName}`;
    const values = {
      [outputs.edgeDistribution]: distribution.distributionId,
      ...(domain && { [outputs.apiDomainTarget]: distribution.distributionDomainName }),
    };
    for (const [name, value] of Object.entries(values)) new CfnOutput(Stack.of(this), name, { value });
  }

  /**
   * The key: path, query and what the function leaves of four headers. A policy names ten parameters at most, so that the
   * function, and not a list here, drops the ones that are not known. With `Authorization` and `X-API-Key` in the key,
   * nobody shares an answer to a key. An answer that does not say how long it may be kept is not kept.
   */
  private cachePolicy(): cloudfront.CachePolicy {
    return new cloudfront.CachePolicy(this, 'CachePolicy', {
      queryStringBehavior: cloudfront.CacheQueryStringBehavior.all(),
      headerBehavior: cloudfront.CacheHeaderBehavior.allowList(
        'Accept',
        'Authorization',
        'X-API-Key',
        edgeHeaders.page,
      ),
      cookieBehavior: cloudfront.CacheCookieBehavior.none(),
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(sharedCachingS.fresh),
    });
  }
}

/** The function's source, with the names that it knows. */
export function viewerRequestCode(): string {
  const otherNames = Object.fromEntries(Object.entries(shortNames).map(([name, short]) => [short, name]));
  return [
    `const PARAMETERS = ${JSON.stringify(parameterNames)};`,
    `const OTHER_NAMES = ${JSON.stringify(otherNames)};`,
    readFileSync(join(__dirname, 'viewer-request.js'), 'utf8'),
  ].join('\n');
}
