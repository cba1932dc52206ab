/** A hand-written DynamoDB client: one signed request (AWS Signature Version 4) over one kept connection. */

import { createHash, createHmac } from 'node:crypto';
import { Agent, request } from 'node:https';

/** Sends an operation such as `UpdateItem` and returns what the answer holds. */
export type LeanCall = (operation: string, input: object) => Promise<unknown>;

const signedHeaders = 'content-type;host;x-amz-date;x-amz-security-token;x-amz-target';
const contentType = 'application/x-amz-json-1.0';

/** Connects with the first call. @param environment region, credentials and endpoint, as the SDK reads them */
export function connectByHand(environment: Readonly<Record<string, string | undefined>>): LeanCall {
  const { hostname, port, host } = new URL(environment['AWS_ENDPOINT_URL_DYNAMODB'] as string);
  const { AWS_REGION: region, AWS_ACCESS_KEY_ID: keyId } = environment as Record<string, string>;
  const { AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = environment as Record<string, string>;
  const agent = new Agent({ keepAlive: true });
  let signingDay = '';
  let signingKey: Buffer = Buffer.alloc(0);

  const keyOf = (day: string): Buffer => {
    if (day !== signingDay) {
      signingKey = [day, region as string, 'dynamodb', 'aws4_request'].reduce(
        hmac,
        Buffer.from(`AWS4${secret}`),
      );
      signingDay = day;
    }
    return signingKey;
  };

  return (operation, input) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify(input);
      const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
      const day = date.slice(0, 8);
      const target = `DynamoDB_20120810.${operation}`;
      const canonical = `POST\n/\n\ncontent-type:${contentType}\nhost:${host}\nx-amz-date:${date}\nx-amz-security-token:${token}\nx-amz-target:${target}\n\n${signedHeaders}\n${sha256(body)}`;
      const scope = `${day}/${region}/dynamodb/aws4_request`;
      const signature = hmac(keyOf(day), `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256(canonical)}`);
      const headers = {
        'content-type': contentType,
        'content-length': Buffer.byteLength(body),
        host,
        'x-amz-date': date,
        'x-amz-security-token': token,
        'x-amz-target': target,
        authorization: `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature.toString('hex')}`,
      };
      const sent = request({ agent, hostname, port, method: 'POST', path: '/', headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => {
          if (response.statusCode === 200) resolve(JSON.parse(text));
          else reject(new Error(`${operation}: ${text}`));
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
