/** The tables of a local service: of the one that runs, or of the one at a URL. */

import { connect } from '../../../local/engine/embedded-dynamodb';
import { localNames } from '../../../local/environment';
import { unreachable } from '../../failure';
import { describeLocal } from '../../local-description';
import { readMaster } from './read-master';
import type { Store } from './store';

/**
 * @param serviceUrl of the service; absent for the one that runs
 * @throws `Failure`
 */
export async function localStore(serviceUrl?: string): Promise<Store> {
  const { url, dynamodb, aws, tables, plans, generationsPerDay, token } = await describeLocal(serviceUrl);
  const { apiKeys, quotaCounters } = tables;
  if (!apiKeys || !quotaCounters)
    throw unreachable(`${url} answers, but it is no local image redirect service.`);
  return {
    client: connect(dynamodb, token),
    place: {},
    apiKeysTable: apiKeys,
    quotaCountersTable: quotaCounters,
    readSignerMaster: () =>
      readMaster(aws && localNames.signerSecret, {
        ...(aws === undefined ? {} : { endpoint: aws }),
        region: 'us-east-1',
        credentials: { accessKeyId: token ?? '', secretAccessKey: 'local' },
      }),
    ...(plans === undefined ? {} : { plans }),
    ...(generationsPerDay === undefined ? {} : { generationsPerDay }),
  };
}
