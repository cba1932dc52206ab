/** Checks of a deployed service by requests: an image of each stock slot, and a private image through CloudFront. */

import { outputs } from '../../lambda/contract/outputs';
import { stockSlots } from '../../lambda/contract/providers';
import { routes } from '../../lambda/contract/routes';
import { type Check, deployAgain, failure, pass, type Verdict, warning } from './check';
import { ceilingVerdict } from './model-checks';
import type { DeployedStack } from './stack-checks';

/** Environment variable with the API key for the private image. */
export const keyVariable = 'IMAGE_REDIRECT_KEY';

const imagePath = `${routes.image}/200x200-mountain-lake`;

/** What a deployed service answers; each check sends at most a few requests. */
export const serviceChecks: readonly Check<DeployedStack>[] = [
  ...stockSlots.map((slot) => ({
    name: `slot ${slot}`,
    examine: (stack: DeployedStack) => slotServes(stack, slot),
  })),
  { name: 'private image', examine: privateImage },
  { name: 'edge', examine: edge },
  { name: 'generations this month', examine: generationsThisMonth },
];

/** The service's answer to a request with the key, or the verdict where there is none, or the key is not valid. */
async function request({ facts, key, name, send }: DeployedStack, path: string): Promise<Response | Verdict> {
  const apiUrl = facts.outputs[outputs.apiUrl];
  const headers: Record<string, string> = key === undefined ? {} : { 'X-API-Key': key };
  const answer = await send(`${apiUrl}${path}`, headers).catch(() => undefined);
  if (!answer)
    return failure(
      `${apiUrl} does not answer`,
      'Check the network of this machine, the stack, and with apiDomain its DNS record.',
    );
  return answer.status === 401 ? failure(`the key in ${keyVariable} is not valid`, newKey(name)) : answer;
}

async function slotServes(stack: DeployedStack, slot: string): Promise<Verdict> {
  const providers = `npm run image-redirect -- providers --stack ${stack.name}`;
  const answer = await request(stack, `${imagePath}?provider=${slot}`);
  if ('outcome' in answer) return answer;
  const { status, headers } = answer;
  if (status === 429)
    return warning(
      'the limit of this caller is used up',
      `Set ${keyVariable} to an API key, or wait an hour.`,
    );
  if (status !== 302)
    return failure(
      `answered with ${status} (${await codeOf(answer)})`,
      status === 404 ? providers : logs(stack.name),
    );
  const source = headers.get('x-image-source');
  if (source !== slot) return warning(`${source} answered in its place`, providers);
  return pass('serves an image');
}

/** A test key is answered with a sandbox image, which costs nothing. */
async function privateImage(stack: DeployedStack): Promise<Verdict> {
  const { facts, key, name, send } = stack;
  if (key === undefined) return warning('not checked: it takes an API key', newKey(name));
  const answer = await request(stack, `${imagePath}?provider=ai&visibility=private`);
  if ('outcome' in answer) return answer;
  if (answer.status === 429 || answer.status === 503)
    return warning(
      `answered with ${answer.status} (${await codeOf(answer)})`,
      'Run doctor again in a minute.',
    );
  const imageUrl = facts.outputs[outputs.imageUrl];
  const location = answer.headers.get('location') ?? '';
  if (answer.status !== 302)
    return failure(`answered with ${answer.status} (${await codeOf(answer)})`, logs(name));
  if (!location.startsWith(`${imageUrl}/private/`))
    return failure('the image is not at a private URL of the CDN', deployAgain(stack));
  const unsigned = location.split('?')[0] ?? '';
  const statusOf = async (url: string) => (await send(url).catch(() => undefined))?.status;
  const [signed, ...others] = await Promise.all([
    statusOf(location),
    statusOf(unsigned),
    statusOf(
      location.replace(/([?&]Expires=)(\d+)/, (_, option, seconds) => `${option}${Number(seconds) + 3_600}`),
    ),
    statusOf(unsigned.replace('/private/', '/private%2F')),
  ]);
  const names = ['without a signature', 'with another expiry', 'with %2F in its path'];
  const open = names.filter((_, i) => others[i] !== 403);
  if (signed === undefined)
    return failure(
      `${imageUrl} does not answer`,
      'Check the network of this machine, the distribution, and with imageDomain its DNS record.',
    );
  if (signed !== 200)
    return failure(
      `CloudFront answers ${signed} to a signed URL`,
      'Rotate the signing key: see docs/operate.md.',
    );
  return open.length === 0
    ? pass('delivered with its signature only')
    : failure(`CloudFront does not answer 403 ${open.join(', ')}`, deployAgain(stack));
}

/** AI images of the key's account, whose ceiling is known with a key only. */
async function generationsThisMonth(stack: DeployedStack): Promise<Verdict | readonly Verdict[]> {
  const { key, name } = stack;
  if (key === undefined) return [];
  const answer = await request(stack, routes.usage);
  if ('outcome' in answer) return answer;
  if (answer.status !== 200)
    return failure(`answered with ${answer.status} (${await codeOf(answer)})`, logs(name));
  const { generations } = (await answer.json().catch(() => ({}))) as {
    readonly generations?: { readonly limit: number; readonly used: number };
  };
  if (!generations) return pass('the key has no ceiling');
  return ceilingVerdict(
    generations,
    `${generations.used} of ${generations.limit} images of the account of ${keyVariable}`,
    'the month ends',
    `Raise generationsPerMonth of the account's plan: ${deployAgain(stack)} -c plans=…`,
  );
}

/** Whether the distribution before the API caches. */
async function edge({ facts, send }: DeployedStack): Promise<Verdict | readonly Verdict[]> {
  const { [outputs.edgeDistribution]: distribution, [outputs.apiUrl]: apiUrl } = facts.outputs;
  if (distribution === undefined) return [];
  await send(`${apiUrl}/`).catch(() => undefined);
  const again = await send(`${apiUrl}/`).catch(() => undefined);
  return again?.headers.has('age')
    ? pass('the distribution caches')
    : warning('the second answer of the documentation page has no Age', 'Run doctor again in a minute.');
}

async function codeOf(answer: Response): Promise<string> {
  const { code } = (await answer.json().catch(() => ({}))) as { readonly code?: string };
  return code ?? 'no problem document';
}

const newKey = (stack: string) =>
  `npm run keys -- create --name doctor --test --stack ${stack}, and set ${keyVariable} to the key`;
const logs = (stack: string) =>
  `aws logs tail --since 10m "$(aws cloudformation describe-stack-resource --stack-name ${stack} --logical-resource-id ApiFunctionLogs --query StackResourceDetail.PhysicalResourceId --output text)"`;
