/** DynamoDB over AWS's own signer and HTTP handler, without the rest of the SDK: for functions whose start must be short. */

import type { Database } from '../call';
import { errorIn } from './answer-error';
import { type AttributeMap, fromAttributes, toAttributes } from './attribute-values';
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

/** Parts of an input that hold an item's attributes by name. */
const maps: ReadonlySet<string> = new Set(['Key', 'Item', 'ExpressionAttributeValues', 'ExclusiveStartKey']);

/** @throws `TypeError` for a value that DynamoDB cannot hold */
function inputJson(input: object): string {
  const parts: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(input)) {
    if (part === undefined) continue;
    if (maps.has(name)) parts[name] = toAttributes(part);
    else if (name === 'RequestItems') parts[name] = keysByTable(part, toAttributes);
    else parts[name] = part;
  }
  return JSON.stringify(parts);
}

/** What an answer holds, in JavaScript values. @throws `SyntaxError` for half an answer */
function answerIn(text: string): Record<string, unknown> {
  const answer = JSON.parse(text) as Record<string, unknown>;
  for (const name of ['Item', 'Attributes', 'LastEvaluatedKey'])
    if (answer[name]) answer[name] = fromAttributes(answer[name] as AttributeMap);
  if (answer['Items']) answer['Items'] = (answer['Items'] as AttributeMap[]).map(fromAttributes);
  if (answer['Responses']) {
    const tables = Object.entries(answer['Responses'] as Record<string, AttributeMap[]>);
    answer['Responses'] = Object.fromEntries(
      tables.map(([table, items]) => [table, items.map(fromAttributes)]),
    );
  }
  if (answer['UnprocessedKeys'])
    answer['UnprocessedKeys'] = keysByTable(answer['UnprocessedKeys'] as KeysByTable, (key) =>
      fromAttributes(key as AttributeMap),
    );
  return answer;
}

type KeysByTable = Readonly<Record<string, { readonly Keys: readonly object[] }>>;

function keysByTable(byTable: KeysByTable, convert: (key: object) => object): object {
  const tables = Object.entries(byTable).map(([table, wanted]) => [
    table,
    { ...wanted, Keys: wanted.Keys.map(convert) },
  ]);
  return Object.fromEntries(tables);
}
