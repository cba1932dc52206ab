/** A local service, found as the commands for keys find it. */

import { connect } from '../../local/engine/embedded-dynamodb';
import { unreachable } from '../failure';
import { describeLocal } from '../local-description';
import { readConfiguration, type Site } from './site';

/** @throws `Failure` */
export async function localSite(serviceUrl?: string): Promise<Site> {
  const { url, dynamodb, tables, aws, stockProviders, token } = await describeLocal(serviceUrl);
  const { lookupCache } = tables;
  if (!lookupCache || !aws || !stockProviders)
    throw unreachable(`${url} answers, but it does not say which providers it has. Is it an older version?`);
  // The service's own Secrets Manager holds the very keys that it uses.
  Object.assign(process.env, {
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: token ?? 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: aws,
  });
  for (const name of ['AWS_PROFILE', 'AWS_SESSION_TOKEN']) delete process.env[name];
  return {
    name: url,
    client: connect(dynamodb, token),
    place: {},
    lookupCacheTable: lookupCache,
    configuration: readConfiguration(stockProviders, url),
    howToSetKey: (provider) => `Set ${provider.toUpperCase()}_KEY in .env and start the service again.`,
  };
}
