/** Says what a change of a template means for data, for URLs that were given out, and for requests under way. */

import { outputs } from '../../lambda/contract/outputs';
import type { ResourceChange } from './what-changes';

interface Template {
  readonly Resources?: Readonly<
    Record<
      string,
      { readonly Properties?: Readonly<Record<string, unknown>>; readonly DeletionPolicy?: string }
    >
  >;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
}

/** Types that hold data. */
const stores = /^AWS::(DynamoDB::GlobalTable|S3::Bucket|SecretsManager::Secret)$/;

interface Compared {
  readonly changes: readonly ResourceChange[];
  readonly before: Template;
  readonly after: Template;
}

/** What is said where the changes fit, in this order. */
const rules: readonly ((compared: Compared) => string | undefined)[] = [
  ({ changes }) =>
    listed(
      changes,
      'Data: lost with',
      ({ type, effect }) => stores.test(type) && ['destroyed', 'replaced'].includes(effect),
    ),
  ({ changes }) =>
    listed(
      changes,
      'Data: kept, but outside the stack:',
      ({ type, effect }) => stores.test(type) && effect === 'released',
    ),
  ({ changes, before, after }) => {
    const policyOf = (template: Template) => template.Resources?.['QuotaCountersTable']?.DeletionPolicy;
    if (changes.length === 0 || policyOf(before) === policyOf(after)) return undefined;
    return policyOf(after) === 'Delete'
      ? 'Data: from now on deleted with the stack.'
      : 'Data: from now on kept when the stack goes.';
  },
  urlRule(
    outputs.apiUrl,
    'URLs: the service answers at another URL. The host that AWS gave the API keeps working; with a distribution before it, it answers 421.',
  ),
  urlRule(
    outputs.imageUrl,
    'URLs: new images are delivered from another host; URLs that were given out keep working at the old one as long as its DNS name points to the distribution.',
  ),
  ({ changes }) =>
    listed(
      changes,
      'URLs: those of private images that were signed with these keys end with',
      ({ type, effect }) => type === 'AWS::CloudFront::PublicKey' && effect === 'destroyed',
    ),
  ({ changes, before, after }) => {
    const secrets = [before, after].map((template) =>
      JSON.stringify(template.Resources?.['RedirectFunction']?.Properties?.['Environment'] ?? {}).includes(
        'ORIGIN_LOCK',
      ),
    );
    return changes.length > 0 && secrets[0] !== secrets[1]
      ? 'Requests under way: those that reach the API by the other way are answered with 421 until DNS has changed everywhere.'
      : undefined;
  },
  ({ changes }) =>
    changes.some(({ type }) => /^AWS::Lambda::(Function|Version|Alias)$/.test(type))
      ? 'Requests under way: finished by the instances that run them; with `canary`, a tenth of new ones tries the new version for five minutes.'
      : undefined,
  ({ changes }) =>
    changes.some(({ type, effect }) => type === 'AWS::ApiGateway::Deployment' && effect !== 'changed')
      ? 'Requests under way: the API changes between two requests, none is cut off.'
      : undefined,
];

function urlRule(output: string, text: string) {
  return ({ before, after }: Compared) => {
    const [old, young] = [before, after].map(({ Outputs }) => JSON.stringify(Outputs?.[output]?.Value));
    return old !== undefined && young !== undefined && old !== young ? text : undefined;
  };
}

function listed(
  changes: readonly ResourceChange[],
  text: string,
  fits: (change: ResourceChange) => boolean,
): string | undefined {
  const ids = changes.filter(fits).map(({ logicalId }) => `\`${logicalId}\``);
  return ids.length > 0 ? `${text} ${ids.join(', ')}.` : undefined;
}

/** One sentence for each consequence; none where data, URLs and requests stay as they are. */
export function consequencesOf(
  before: Template,
  after: Template,
  changes: readonly ResourceChange[],
): readonly string[] {
  return rules.flatMap((rule) => rule({ changes, before, after }) ?? []);
}
