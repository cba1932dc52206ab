/** Checks of a stack after its deployment: what AWS says of it, and what it answers. */

import { outputs } from '../../lambda/contract/outputs';
import { needsKey, type StockProviderName, stockSlots } from '../../lambda/contract/providers';
import { routes } from '../../lambda/contract/routes';
import { countOf } from '../output';
import type { StackFacts } from '../service';
import type { Account } from './account';
import { type Check, failure, pass, putKeys, type Verdict, warning } from './check';

/** Environment variable with the API key for the AI image. */
export const keyVariable = 'IMAGE_REDIRECT_KEY';

/** Sends one request and follows no redirect. @throws when there is no answer in time */
export type Send = (url: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;

/** A deployed stack. */
interface DeployedStack extends StackFacts {
  readonly name: string;
  readonly account: Account;
  readonly send: Send;
  /** API key for the AI image, sent to the service alone and never printed; a test key is served for free. */
  readonly key: string | undefined;
}

/** What a deployed stack can do. */
export function checksAfter(stack: DeployedStack): readonly Check[] {
  return [
    ['stack', async () => status(stack)],
    ['alarms', () => alarms(stack)],
    ['provider keys', () => providerKeys(stack)],
    ...stockSlots.map((slot): Check => [`slot ${slot}`, () => image(stack, slot)]),
    ['AI image', () => aiImage(stack)],
  ];
}

function status({ name, status: state, outputs: values }: DeployedStack): Verdict {
  const again = `npx cdk deploy ${name}`;
  if (!values[outputs.apiUrl]) return failure('it is no image redirect service', again);
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(state)) return pass(state);
  if (state.endsWith('_IN_PROGRESS')) return warning(state, 'Wait until it has ended, and run doctor again.');
  if (state === 'UPDATE_ROLLBACK_COMPLETE') return warning('the last deployment was rolled back', again);
  return failure(state, 'docs/operate.md describes what to do.');
}

async function alarms({ name, account }: DeployedStack): Promise<Verdict> {
  const all = await account.alarms(name);
  const again = `npx cdk deploy ${name} -c alarmEmail=EMAIL`;
  if (all.length === 0) return failure('there are none', again);
  const on = all.filter(({ isOn }) => isOn).map((alarm) => alarm.name);
  if (on.length > 0)
    return failure(`${on.join(', ')} is on`, `aws cloudwatch describe-alarms --alarm-names ${on.join(' ')}`);
  // Those of the canary notify CodeDeploy alone.
  const silent = all.filter(({ notifies, name: alarm }) => !notifies && !alarm.includes('Canary'));
  return silent.length > 0
    ? warning(`${countOf(silent.length, 'alarm')} of ${all.length} notify nobody`, again)
    : pass(`${countOf(all.length, 'alarm')}, none is on`);
}

async function providerKeys({ account, outputs: values }: DeployedStack): Promise<Verdict> {
  const configured = JSON.parse(values[outputs.stockProviders] ?? '{}') as Record<string, string>;
  const bindings = JSON.parse(configured['SLOT_BINDINGS'] ?? '{}') as Record<string, StockProviderName>;
  const keyed = [...new Set(Object.values(bindings))].filter(needsKey);
  const secretId = configured['PROVIDER_SECRET_ID'];
  if (keyed.length === 0 || secretId === undefined) return pass('no stock provider needs a key');
  const keys = JSON.parse((await account.secret(secretId)) || '{}') as Record<string, unknown>;
  const missing = keyed.filter((provider) => !keys[provider]);
  return missing.length === 0
    ? pass(`${keyed.join(', ')} set`)
    : failure(`${missing.join(', ')} not set`, putKeys(secretId, missing));
}

async function aiImage(stack: DeployedStack): Promise<Verdict> {
  if (stack.key !== undefined) return image(stack, 'ai');
  const create = `npm run keys -- create --name doctor --test --stack ${stack.name}`;
  return warning('not checked: it takes an API key', `${create}, and set ${keyVariable} to the key`);
}

/** Requests an image of a slot or of AI, and the file behind it. */
async function image({ name, outputs: values, send, key }: DeployedStack, wanted: string): Promise<Verdict> {
  const root = values[outputs.apiUrl];
  const log = `aws logs tail --since 10m "$(aws cloudformation describe-stack-resource --stack-name ${name} --logical-resource-id ApiFunctionLogs --query StackResourceDetail.PhysicalResourceId --output text)"`;
  const network = 'Check the network of this machine, and with a domain its DNS record.';
  const url = `${root}${routes.image}/200x200-mountain-lake?provider=${wanted}`;
  const answer = await send(url, key === undefined ? {} : { 'X-API-Key': key }).catch(() => undefined);
  if (!answer) return failure(`${root} does not answer`, network);
  if (answer.status !== 302) {
    const { code, requestId } = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
    const said = `answered with ${answer.status} ${code} (request ${requestId})`;
    if (answer.status === 429)
      return warning(said, `Set ${keyVariable} to another API key, or wait for an hour.`);
    return failure(said, answer.status === 404 ? `npm run image-redirect -- providers --stack ${name}` : log);
  }
  const file = await send(answer.headers.get('location') ?? '').catch(() => undefined);
  if (file?.status !== 200) return failure(`its file is answered with ${file?.status ?? 'nothing'}`, network);
  const source = answer.headers.get('x-image-source');
  return source === wanted
    ? pass('serves an image')
    : warning(`${source} answered in its place`, `npm run image-redirect -- providers --stack ${name}`);
}
