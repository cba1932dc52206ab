/** Wires what only contact sheets and decisions about images need; loaded on first need. */

import type { Change } from '../../base/change-log';
import type { AccountId } from '../../credentials/account-id';
import type { KeyedCaller } from '../../credentials/caller';
import { createChangeLog } from '../../images/change-log';
import { createImageLibrary } from '../../images/s3/open-library';
import { answerPicks, choosableBy, showSheet } from '../../pages/picks';
import { createChooseImage } from '../../stock/choose-image';
import type { MakeContactSheet } from '../../stock/contact-sheet';
import { connectLambda, createDrawSheet } from '../aws/invoke';
import type { AiUseCases } from './ai-main';
import type { SecretsWiring, Wiring } from './wiring';

/** Decisions are kept in the stock memory; the renderer draws the sheets. */
export function wirePicks(
  wiring: Wiring & SecretsWiring,
  makeSheet: MakeContactSheet,
  { mayChoose }: AiUseCases,
) {
  const { config, clock, ids, pickedImages } = wiring;
  const library = createImageLibrary(config.IMAGE_STORE);
  const openLibrary = () => library;
  return {
    makeSheet,
    drawSheet: createDrawSheet(connectLambda(), config.RENDERER_FUNCTION, clock),
    chooseImage: createChooseImage(wiring),
    curate: wiring.curate,
    ledger: wiring.ledger,
    choosable: (pick: string, account: AccountId) => choosableBy({ pickedImages, mayChoose }, pick, account),
    recordChange: ({ keyId }: KeyedCaller, change: Change) =>
      createChangeLog({ openLibrary, clock, ids, readPrincipal: async () => keyId }).record(change),
    answerPicks,
    showSheet,
  };
}

/** The routes of picks, and what the tool for models shows. */
export type PicksPart = ReturnType<typeof wirePicks>;
