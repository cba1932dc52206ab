/** DynamoDB over AWS's own signer and HTTP handler, without the rest of the SDK: for functions whose start must be short. */

import type { Database } from '../call';
import { answerIn, inputJson } from './answer';
import { errorIn } from './answer-error';
import { carrierTo } from './carrier';
import type { CredentialSource, DynamoDbPlace } from './plain-environment';

export interface LeanDatabaseOptions extends DynamoDbPlace {
  readonly credentials: CredentialSource;
  readonly nowMs: () => number;
}

/** A clock that is off by more is corrected: DynamoDB refuses signatures that are five minutes old. */
const skewMsMax = 240_000;

export interface LeanDatabase extends Database {
  /** Closes the connections. */
  destroy(): void;
}

export function createLeanDatabase(options: LeanDatabaseOptions): LeanDatabase {
  const { credentials, nowMs } = options;
  const carrier = carrierTo(options, credentials);
  let skewMs = 0;

  return {
    async send<Output>(
      { operation, input }: { operation: string; input: object },
      { abortSignal }: { readonly abortSignal?: AbortSignal } = {},
    ): Promise<Output> {
      const body = inputJson(input);
      const signingDate = new Date(nowMs() + skewMs);
      const answer = await carrier.carry({ operation, body, signingDate, abortSignal });
      if (answer.statusCode === 200) return answerIn(answer.text) as Output;
      const error = errorIn(answer, answer.text);
      const serverMs = Date.parse(answer.headers['date'] ?? '');
      if (Math.abs(serverMs - signingDate.getTime()) >= skewMsMax) {
        skewMs = serverMs - nowMs();
        error.$metadata.clockSkewCorrected = true;
      }
      throw error;
    },
    destroy: () => carrier.destroy(),
  };
}
