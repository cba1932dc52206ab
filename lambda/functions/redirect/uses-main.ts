/** Wires what has uses of images reported, which few providers want; loaded on first need. */

import { lazily } from '../../base/lazily';
import { createNoteUse, type NoteUse } from '../../stock/uses';
import type { Wiring } from './wiring';

/** Reports are made by the renderer, after the request was answered. */
export function wireUses(wiring: Wiring): NoteUse {
  const { config, clock } = wiring;
  const loadBackground = lazily(async () => {
    const { connectLambda, createInvokeBackground } = await import('../aws/invoke');
    return createInvokeBackground(connectLambda(), config.RENDERER_FUNCTION, clock);
  });
  return createNoteUse({ ...wiring, loadBackground });
}
