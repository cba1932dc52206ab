/** The AWS services that the functions call beside DynamoDB, on one loopback port of their own. */

import type { RequestListener } from 'node:http';
import { guarded } from '../guard';
import { type Grace, type Listening, listen } from '../listen';
import { createLambdaEndpoint, type LambdaEndpoint, type LocalFunction } from './lambda-endpoint';
import { createSecretsEndpoint } from './secrets-endpoint';

export interface AwsEdge {
  readonly url: string;
  /** Waits for the invocations that run, as long as the grace lasts. */
  drain(grace: Grace): Promise<void>;
  stop(): Promise<void>;
}

export interface AwsEdgeOptions {
  /** Filled after the URL is known, because the functions are loaded with it in their environment. */
  readonly functions: Readonly<Record<string, LocalFunction>>;
  readonly secret: (id: string) => string | undefined;
  /** The access key id that every caller has to sign with. */
  readonly token: string;
  readonly onFailure: (functionName: string, error: unknown) => void;
}

export async function startAwsEdge({
  functions,
  secret,
  token,
  onFailure,
}: AwsEdgeOptions): Promise<AwsEdge> {
  const lambda: LambdaEndpoint = createLambdaEndpoint(functions, onFailure);
  const secrets = createSecretsEndpoint(secret);
  const answer: RequestListener = (request, response) => {
    const isLambda = (request.url ?? '').match(/^\/(2015-03-31|2016-08-19)\//) !== null;
    const answered = isLambda ? lambda.handle(request, response) : secrets(request, response);
    answered.catch((error: unknown) => {
      onFailure('edge', error);
      response.destroy();
    });
  };
  const edge: Listening = await listen(0, guarded(answer, token));
  return {
    url: edge.url,
    drain: async (grace) => {
      await Promise.race([lambda.drained(), grace]);
    },
    stop: () => edge.stop(),
  };
}
