/** Compares two templates and says in words what a deployment would replace, destroy, add and change. */

import { fullDiff, ResourceImpact } from '@aws-cdk/cloudformation-diff';

/** One resource that a deployment would touch. */
export interface ResourceChange {
  readonly logicalId: string;
  readonly type: string;
  readonly effect: Effect;
  /** Properties that differ. */
  readonly properties: readonly string[];
}

/** From the most to the least drastic. `released` leaves the resource alone but outside the stack. */
const effects = ['destroyed', 'replaced', 'perhaps replaced', 'released', 'added', 'changed'] as const;
type Effect = (typeof effects)[number];

const effectOf: Partial<Record<ResourceImpact, Effect>> = {
  [ResourceImpact.WILL_DESTROY]: 'destroyed',
  [ResourceImpact.WILL_REPLACE]: 'replaced',
  [ResourceImpact.MAY_REPLACE]: 'perhaps replaced',
  [ResourceImpact.WILL_ORPHAN]: 'released',
  [ResourceImpact.WILL_IMPORT]: 'added',
  [ResourceImpact.WILL_CREATE]: 'added',
  [ResourceImpact.WILL_UPDATE]: 'changed',
};

type Template = Readonly<Record<string, unknown>>;

/** What deploying `after` over `before` would touch, the most drastic first. */
export function whatChanges(before: Template, after: Template): readonly ResourceChange[] {
  const changes: ResourceChange[] = [];
  fullDiff(before, after).resources.forEachDifference((logicalId, difference) => {
    const effect = effectOf[difference.changeImpact];
    const type = difference.newResourceType ?? difference.oldResourceType ?? 'unknown type';
    const properties = difference.isUpdate ? Object.keys(difference.propertyUpdates).sort() : [];
    if (effect) changes.push({ logicalId, type, effect, properties });
  });
  const rank = ({ effect, logicalId }: ResourceChange) => `${effects.indexOf(effect)} ${logicalId}`;
  return changes.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** The changes as a Markdown text under a title. @param consequences a sentence each */
export function describeChanges(
  title: string,
  changes: readonly ResourceChange[],
  consequences: readonly string[] = [],
): string {
  const sections = effects.flatMap((effect) => {
    const ofEffect = changes.filter((change) => change.effect === effect);
    if (ofEffect.length === 0) return [];
    const lines = ofEffect.map(({ logicalId, type, properties }) => {
      const what = properties.length > 0 ? `: ${properties.join(', ')}` : '';
      return `- \`${logicalId}\` (${type})${what}`;
    });
    return [`**${effect[0]?.toUpperCase()}${effect.slice(1)}**`, '', ...lines, ''];
  });
  const meaning = consequences.length > 0 ? [...consequences.map((text) => `- ${text}`), ''] : [];
  return [
    `### ${title}`,
    '',
    ...meaning,
    ...(sections.length > 0 ? sections : ['Nothing changes.', '']),
  ].join('\n');
}
