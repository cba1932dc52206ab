/** Which licences satisfy a condition that a request sets. */

import type { LicenseCondition } from '../../contract/request-bounds';
import type { License } from '../image/image';

/** Licences by which an image is free for any use, by the ids that the adapters give them. */
const publicDomain = /^(cc0|pdm|public-domain|no-restrictions|no-known-copyright-restrictions)(-|$)/;
/** Providers' own licences, none of which asks for a credit. */
const withoutCredit: readonly string[] = ['unsplash', 'pexels', 'pixabay'];

/** Whether a licence allows what the condition asks for; without a condition every licence does. */
export function satisfies({ id }: License, condition: LicenseCondition | undefined): boolean {
  if (condition === undefined || publicDomain.test(id)) return true;
  return condition === 'attribution-free' && withoutCredit.includes(id);
}
