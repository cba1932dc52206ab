/** The management of keys, with each change written to the log of changes. */

import type { RecordChange } from '../base/change-log';
import type { KeyRecord } from './api-keys';
import type { ManageKeys } from './manage-keys';

const subjectOf = ({ publishedAs }: KeyRecord) =>
  publishedAs === 'site' ? 'site_key' : (publishedAs ?? 'key');

/** A change whose entry cannot be written stands, and its method throws. */
export function recordedKeys(keys: ManageKeys, record: RecordChange): ManageKeys {
  const note = (
    done: 'created' | 'rotated' | 'revoked',
    of: KeyRecord,
    details: { readonly id?: string; readonly successor?: string } = {},
  ) =>
    record({
      action: `${subjectOf(of)}.${done}`,
      account: of.account,
      id: of.keyId,
      mode: of.mode,
      ...details,
    });
  const rotated = async (id: string, successor: KeyRecord | undefined) => {
    if (successor) await note('rotated', successor, { id, successor: successor.keyId });
  };
  return {
    ...keys,
    async issue(order) {
      const issued = await keys.issue(order);
      await note('created', issued.record);
      if (issued.signer) await note('created', issued.signer);
      return issued;
    },
    async issueSigner(order) {
      const made = await keys.issueSigner(order);
      await note('created', made);
      return made;
    },
    async issueSiteKey(order) {
      const issued = await keys.issueSiteKey(order);
      await note('created', issued.record);
      return issued;
    },
    async rotate(id, overlapMs) {
      const issued = await keys.rotate(id, overlapMs);
      await rotated(id, issued?.record);
      return issued;
    },
    async rotateSigner(id, overlapMs) {
      const made = await keys.rotateSigner(id, overlapMs);
      await rotated(id, made);
      return made;
    },
    async rotateSiteKey(id, overlapMs) {
      const issued = await keys.rotateSiteKey(id, overlapMs);
      await rotated(id, issued?.record);
      return issued;
    },
    async revoke(id) {
      const revoked = await keys.revoke(id);
      if (revoked) await note('revoked', revoked);
      return revoked;
    },
    async setPlan(account, plan) {
      const count = await keys.setPlan(account, plan);
      await record({ action: 'plan.changed', account, plan });
      return count;
    },
    async setName(account, accountName) {
      const count = await keys.setName(account, accountName);
      await record({ action: 'account.named', account, accountName });
      return count;
    },
  };
}
