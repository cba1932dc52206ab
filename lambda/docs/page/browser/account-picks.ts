/** The images that an account has chosen or refused for words. */

import { csvButton, tableOf } from './account-chart';
import { section } from './account-usage';
import { create } from './elements';

/** A page of `GET /api/picks`. */
export interface PickPage {
  readonly picks: readonly {
    readonly query: string;
    readonly orientation: string | null;
    readonly provider: string;
    readonly chosen: string | null;
    readonly refused: readonly string[];
    readonly at: string;
  }[];
  readonly next: string | null;
}

/** @param isCut whether there are more than these */
export function pickSection(picks: PickPage['picks'], isCut: boolean): HTMLElement {
  const title = 'Picks';
  if (picks.length === 0)
    return section(
      title,
      create(
        'p',
        { class: 'hint' },
        'None. Images that the account chooses or refuses for words are listed here.',
      ),
    );
  const head = ['Words', 'Orientation', 'Source', 'Chosen', 'Refused', 'Since'];
  const rows = picks.map(({ query, orientation, provider, chosen, refused, at }) => [
    query,
    orientation ?? 'any',
    provider,
    chosen ?? '–',
    refused.join(' ') || '–',
    at.slice(0, 10),
  ]);
  const said = `${picks.length}${isCut ? ' and more' : ''} decided, by words.`;
  return section(
    title,
    create(
      'div',
      { class: 'heading' },
      create('p', { class: 'hint' }, said),
      csvButton(title, 'picks', () => [head, ...rows]),
    ),
    tableOf(title, head, rows),
  );
}
