/** Checks of a deployed service by requests: an image of each stock slot, and a private image through CloudFront. */

import { stockSlots } from '../../lambda/contract/providers';
import { routes } from '../../lambda/contract/routes';
import { type Check, failure, pass, type Verdict, warning } from './finding';

/** Share of a ceiling from which it is worth a warning. */
export const warningShare = 0.8;

/** Sends one request and follows no redirect. @throws when there is no answer in time */
export type Ask = (url: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;

/** Environment variable with the API key for the private image. */
export const keyVariable = 'IMAGE_REDIRECT_KEY';

const imagePath = `${routes.image}/200x200-mountain-lake`;

export interface ServicePlace {
  readonly stack: string;
  /** Root of the service. */
  readonly apiUrl: string;
  /** Root of the CDN. */
  readonly imageUrl: string;
  /** Sent to the service alone, never printed. */
  readonly key?: string;
}

export function serviceChecks(place: ServicePlace, ask: Ask): Check[] {
  return [
    ...stockSlots.map((slot) => ({ name: `slot ${slot}`, examine: () => slotServes(place, ask, slot) })),
    { name: 'private image', examine: () => privateImage(place, ask) },
    // The account's own ceiling is known for the key's account alone.
    ...(place.key === undefined
      ? []
      : [{ name: 'generations this month', examine: () => generationsThisMonth(place, ask) }]),
  ];
}

const keyHeader = (key: string | undefined): Readonly<Record<string, string>> =>
  key === undefined ? {} : { 'X-API-Key': key };

async function slotServes({ stack, apiUrl, key }: ServicePlace, ask: Ask, slot: string): Promise<Verdict> {
  const providers = `npx image-redirect providers --stack ${stack}`;
  const answer = await reached(() => ask(`${apiUrl}${imagePath}?provider=${slot}`, keyHeader(key)));
  if (!answer)
    return failure(`${apiUrl} does not answer`, 'Check the DNS record of apiDomain, and the stack.');
  const { status, headers } = answer;
  if (status === 429)
    return warning(
      'the limit of this caller is used up',
      `Set ${keyVariable} to an API key, or wait an hour.`,
    );
  if (status === 401) return failure(`the key in ${keyVariable} is not valid`, newKey(stack));
  if (status !== 302)
    return failure(
      `answered with ${status} (${await codeOf(answer)})`,
      status === 404 ? providers : logs(stack),
    );
  const source = headers.get('x-image-source');
  if (source !== slot) return warning(`${source} answered in its place`, providers);
  return pass('serves an image');
}

/** A test key is answered with a sandbox image, which costs nothing. */
async function privateImage({ stack, apiUrl, imageUrl, key }: ServicePlace, ask: Ask): Promise<Verdict> {
  if (key === undefined) return warning('not checked: it takes an API key', newKey(stack));
  const answer = await reached(() =>
    ask(`${apiUrl}${imagePath}?provider=ai&visibility=private`, keyHeader(key)),
  );
  if (!answer)
    return failure(`${apiUrl} does not answer`, 'Check the DNS record of apiDomain, and the stack.');
  if (answer.status === 401) return failure(`the key in ${keyVariable} is not valid`, newKey(stack));
  if (answer.status === 429 || answer.status === 503)
    return warning(
      `answered with ${answer.status} (${await codeOf(answer)})`,
      'Run doctor again in a minute.',
    );
  const location = answer.headers.get('location') ?? '';
  if (answer.status !== 302)
    return failure(`answered with ${answer.status} (${await codeOf(answer)})`, logs(stack));
  if (!location.startsWith(`${imageUrl}/private/`))
    return failure('the image is not at a private URL of the CDN', `npx cdk deploy ${stack}`);
  const unsigned = location.split('?')[0] ?? '';
  const statusOf = async (url: string) => (await reached(() => ask(url)))?.status;
  const [signed, ...others] = await Promise.all([
    statusOf(location),
    statusOf(unsigned),
    statusOf(
      location.replace(/([?&]Expires=)(\d+)/, (_, name, seconds) => `${name}${Number(seconds) + 3_600}`),
    ),
    statusOf(unsigned.replace('/private/', '/private%2F')),
  ]);
  const names = ['without a signature', 'with another expiry', 'with %2F in its path'];
  const open = names.filter((_, i) => others[i] !== 403);
  if (signed === undefined)
    return failure(
      `${imageUrl} does not answer`,
      'Check the DNS record of imageDomain, and the distribution.',
    );
  if (signed !== 200)
    return failure(
      `CloudFront answers ${signed} to a signed URL`,
      'Rotate the signing key: see the README, "Operate".',
    );
  return open.length === 0
    ? pass('delivered with its signature only')
    : failure(`CloudFront does not answer 403 ${open.join(', ')}`, `npx cdk deploy ${stack}`);
}

/** Images generated for the key's account; a test key has no ceiling, because the sandbox draws for it. */
async function generationsThisMonth({ stack, apiUrl, key }: ServicePlace, ask: Ask): Promise<Verdict> {
  const answer = await reached(() => ask(`${apiUrl}${routes.usage}`, keyHeader(key)));
  if (!answer)
    return failure(`${apiUrl} does not answer`, 'Check the DNS record of apiDomain, and the stack.');
  if (answer.status === 401) return failure(`the key in ${keyVariable} is not valid`, newKey(stack));
  if (answer.status !== 200)
    return failure(`answered with ${answer.status} (${await codeOf(answer)})`, logs(stack));
  const { generations } = (await answer.json().catch(() => ({}))) as {
    readonly generations?: { readonly limit: number; readonly used: number };
  };
  if (!generations) return pass('the key has no ceiling');
  const { limit, used } = generations;
  const found = `${used} of ${limit} images of the account of ${keyVariable}`;
  const raise = `Raise generationsPerMonth of the account's plan: npx cdk deploy ${stack} -c plans=…`;
  if (used >= limit) return failure(`${found}: generation is paused until the month ends`, raise);
  return used >= limit * warningShare ? warning(found, raise) : pass(found);
}

async function reached(request: () => Promise<Response>): Promise<Response | undefined> {
  return request().catch(() => undefined);
}

async function codeOf(answer: Response): Promise<string> {
  const { code } = (await answer.json().catch(() => ({}))) as { readonly code?: string };
  return code ?? 'no problem document';
}

const newKey = (stack: string) =>
  `npx image-redirect keys create --name doctor --test --stack ${stack}, and set ${keyVariable} to the key`;
const logs = (stack: string) =>
  `aws logs tail --since 10m "$(aws cloudformation describe-stack-resource --stack-name ${stack} --logical-resource-id RedirectFunctionLogs --query StackResourceDetail.PhysicalResourceId --output text)"`;
