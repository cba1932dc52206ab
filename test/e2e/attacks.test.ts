/** Attacks on the inside of the local service, over HTTP. What bounds costs is tested where it is counted. */

import { readLocalDescription } from '../../cli/local-services';
import { startFixture } from '../fakes/fixture';
import { getSharedService } from './shared-service';

const service = startFixture(getSharedService);

test('internal routes refuse programs without the token, as well as every web page', async () => {
  const { dynamodb, aws = '', token = '' } = await readLocalDescription(service.url);
  const signed = {
    authorization: `AWS4-HMAC-SHA256 Credential=${token}/20261121/local/dynamodb/aws4_request`,
  };
  for (const [url, target] of [
    [dynamodb, 'DynamoDB_20120810.PutItem'],
    [aws, 'secretsmanager.GetSecretValue'],
    [`${aws}/2015-03-31/functions/renderer/invocations`, ''],
    [`${service.url}/_local`, ''],
  ] as const) {
    const askForStatus = async (headers: Readonly<Record<string, string>>) =>
      (await fetch(url, { method: 'POST', body: '{}', headers: { ...headers, 'x-amz-target': target } }))
        .status;
    expect(await askForStatus({})).toBe(403);
    expect(await askForStatus({ ...signed, origin: 'https://page.example' })).toBe(403);
    expect(await askForStatus(signed)).not.toBe(403);
  }
});
