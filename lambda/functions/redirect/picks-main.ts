/** Wires what only contact sheets and decisions about images need; loaded on first need. */

import { answerPicks, type PicksDeps, showSheet } from '../../pages/picks';
import type { MakeContactSheet } from '../../stock/contact-sheet';
import { createDecide } from '../../stock/decide';
import { isVisibleTo } from '../../stock/find-picked';
import { connectLambda, createDrawSheet } from '../aws/invoke';
import type { AiUseCases } from './ai-main';
import type { SecretsWiring, Wiring } from './wiring';

export function wirePicks(
  wiring: Wiring & SecretsWiring,
  makeSheet: MakeContactSheet,
  { mayChoose }: AiUseCases,
) {
  const { config, clock, pickedImages } = wiring;
  const choosable: PicksDeps['choosable'] = async (pick, account) => {
    const photo = await pickedImages.photo(pick);
    if (photo) return !photo.value.isGone && isVisibleTo(photo.value, account) ? 'photo' : undefined;
    return (await mayChoose(pick, account)) ? 'ai' : undefined;
  };
  return {
    makeSheet,
    drawSheet: createDrawSheet(connectLambda(), config.RENDERER_FUNCTION, clock),
    decide: createDecide(wiring),
    curate: wiring.curate,
    ledger: wiring.ledger,
    choosable,
    answerPicks,
    showSheet,
  };
}

/** The routes of picks, and what the tool for models shows. */
export type PicksPart = ReturnType<typeof wirePicks>;
