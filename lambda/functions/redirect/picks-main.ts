/** Wires what only contact sheets and decisions about images need; loaded on first need. */

import type { AccountId } from '../../credentials/account-id';
import { answerPicks, choosableBy, showSheet } from '../../pages/picks';
import type { MakeContactSheet } from '../../stock/contact-sheet';
import { createDecide } from '../../stock/decide';
import { connectLambda, createDrawSheet } from '../aws/invoke';
import type { AiUseCases } from './ai-main';
import type { SecretsWiring, Wiring } from './wiring';

/** Decisions are kept in the stock memory; the renderer draws the sheets. */
export function wirePicks(
  wiring: Wiring & SecretsWiring,
  makeSheet: MakeContactSheet,
  { mayChoose }: AiUseCases,
) {
  const { config, clock, pickedImages } = wiring;
  return {
    makeSheet,
    drawSheet: createDrawSheet(connectLambda(), config.RENDERER_FUNCTION, clock),
    decide: createDecide(wiring),
    curate: wiring.curate,
    ledger: wiring.ledger,
    choosable: (pick: string, account: AccountId) => choosableBy({ pickedImages, mayChoose }, pick, account),
    answerPicks,
    showSheet,
  };
}

/** The routes of picks, and what the tool for models shows. */
export type PicksPart = ReturnType<typeof wirePicks>;
