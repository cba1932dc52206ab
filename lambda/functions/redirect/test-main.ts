/** Wires what only test values need; loaded on first need. */

import { goneCard } from '../../images/gone-card';
import type { AnswerTest, ServeImage } from '../../serving/serve-image';
import { createAnswerTest } from '../../serving/test-values';
import { connectLambda, createInvokeRenderer } from '../aws/invoke';
import type { SecretsWiring, Wiring } from './wiring';

/** @param serve finds the image of the values that give one */
export function wireTestValues(wiring: Wiring & SecretsWiring, serve: ServeImage): AnswerTest {
  const { config, clock, delivery } = wiring;
  const renderer = createInvokeRenderer(connectLambda(), config.RENDERER_FUNCTION, clock);
  return createAnswerTest({
    ...wiring,
    serve,
    isSandbox: (slot) => config.SLOT_BINDINGS[slot] === 'sandbox',
    plans: config.PLANS,
    goneCard: ({ provider: source, ...size }, { format, deadlineMs }) =>
      goneCard({ renderer, delivery }, { source }, size, format, deadlineMs),
  });
}
