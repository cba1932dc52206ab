/** Turns an answer that is not 200 into the error that the SDK would throw for it. */

import { type AttributeMap, fromAttributes } from './attribute-values';

export class DynamoDbError extends Error {
  readonly $metadata: {
    readonly httpStatusCode: number;
    readonly requestId?: string;
    clockSkewCorrected?: true;
  };
  /** What stood there instead, with `ReturnValuesOnConditionCheckFailure`. */
  readonly Item?: Record<string, unknown>;

  constructor(
    override readonly name: string,
    message: string,
    $metadata: DynamoDbError['$metadata'],
    item?: AttributeMap,
  ) {
    super(message);
    this.$metadata = $metadata;
    if (item) this.Item = fromAttributes(item);
  }
}

interface Response {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** @param text the body, which a proxy may have written instead of DynamoDB */
export function errorIn({ statusCode, headers }: Response, text: string): DynamoDbError {
  const body = objectIn(text);
  const type = headers['x-amzn-errortype'] ?? body['__type'] ?? body['code'];
  // `com.amazonaws.dynamodb.v20120810#ThrottlingException:http://…`: only the name in the middle counts.
  const name = String(type ?? 'UnknownError')
    .replace(/^.*#/, '')
    .replace(/:.*/s, '');
  const message = body['message'] ?? body['Message'] ?? `DynamoDB answered ${statusCode}`;
  const requestId = headers['x-amzn-requestid'];
  const metadata = { httpStatusCode: statusCode, ...(requestId === undefined ? {} : { requestId }) };
  return new DynamoDbError(name, String(message), metadata, body['Item'] as AttributeMap | undefined);
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
