/** `rotate` of API keys, signers and site keys: creates a successor of one, which itself works until an overlap ends. */

import { type Command, Option } from 'commander';
import type { KeyRecord } from '../../../lambda/credentials/api-keys';
import { createCommand } from '../../command';
import { exitCodes, Failure } from '../../failure';
import { yesOption } from '../confirm';
import { readDuration } from '../duration';
import { findKey, type KeyKind, readKeyId } from '../find-keys';
import { stateOf } from '../key-view';
import { type Session, withSession } from '../session';

const kinds = {
  key: { noun: 'Key', argument: '<KEY_ID>', idName: 'keyId', create: 'keys create' },
  signer: { noun: 'Signer', argument: '<SIGNER_ID>', idName: 'signerId', create: 'keys signer create' },
  site: { noun: 'Site key', argument: '<SITE_KEY_ID>', idName: 'siteKeyId', create: 'keys site create' },
} as const;

/** What the commands for the three kinds differ in. `Issued` is the successor, as `show` takes it. */
export interface Rotation<Issued> {
  readonly texts: {
    readonly summary: string;
    readonly details: string;
    readonly examples: readonly string[];
    /** What works during the overlap, as the subject of "… work". */
    readonly overlapping: string;
    readonly overlap: '24h' | '30d';
    /** What an operator confirms who asks for no overlap, as a sentence. */
    readonly consequence: string;
  };
  /** @returns the successor; `undefined` where the old one is gone meanwhile */
  readonly rotate: (session: Session, keyId: string, overlapMs: number) => Promise<Issued | undefined>;
  readonly show: (
    output: Session['output'],
    issued: Issued,
    more: { readonly json: object; readonly lines: readonly (readonly [string, string])[] },
  ) => void;
}

/** The command `rotate` for one kind; an old one that is revoked or expired is refused with exit code 1. */
export function rotateOf<Issued>(kind: KeyKind, { texts, rotate, show }: Rotation<Issued>): Command {
  const { noun, argument, idName, create } = kinds[kind];
  const findOld = (session: Session, keyId: string): Promise<KeyRecord> => findKey(session.keys, keyId, kind);
  return createCommand('rotate', texts)
    .argument(argument, `id of the ${noun.toLowerCase()}`, readKeyId)
    .addOption(
      new Option('--overlap <TIME>', `how long ${texts.overlapping} work, such as 30m, 24h, 30d or 0`)
        .argParser((text) => readDuration('--overlap', text))
        .default(readDuration('--overlap', texts.overlap), texts.overlap),
    )
    .addOption(yesOption())
    .action((keyId: string, { overlap }: { readonly overlap: number }, command: Command) =>
      withSession(command, async (session) => {
        const old = await findOld(session, keyId);
        const state = stateOf(old, session.nowMs());
        if (state === 'revoked' || state === 'expired')
          throw new Failure(
            exitCodes.failed,
            `${noun} ${keyId} is ${state}. Create another one: ${create} --account ${old.account}`,
          );
        if (overlap === 0) await session.confirm(`${noun} ${keyId} ("${old.name}"): ${texts.consequence}`);
        const issued = await rotate(session, keyId, overlap);
        if (!issued) return;
        const { expiresAt = '' } = await findOld(session, keyId);
        show(session.output, issued, {
          json: { replaces: { [idName]: keyId, expiresAt } },
          lines: [
            ['Replaces', keyId],
            ['Which ends', overlap === 0 ? `${expiresAt}, everywhere within a minute` : expiresAt],
          ],
        });
      }),
    );
}
