/** Reads the answer of a Stability model. */

import { imageTypeOf } from '../../../domain/image/image-type';
import { type Drawn, GeneratorFailure } from '../../../ports/generator';

interface StabilityAnswer {
  readonly finish_reasons?: readonly (string | null)[];
  readonly images?: readonly string[];
  readonly 'amazon-bedrock-guardrailAction'?: string;
}

/**
 * A refused request answers with status 200 and no image.
 * @throws `GeneratorFailure` when the model failed, or answered something else.
 */
export function readStabilityAnswer(body: string, modelId: string): Drawn {
  const { finish_reasons, images, 'amazon-bedrock-guardrailAction': guardrail } = parse(body);
  const [reason] = finish_reasons ?? [];
  if (guardrail === 'INTERVENED') return { outcome: 'refused', reason: 'guardrail' };
  if (reason?.startsWith('Filter reason')) return { outcome: 'refused', reason };
  if (reason) throw new GeneratorFailure('unavailable', `${modelId} ended with: ${reason.slice(0, 100)}`);
  const bytes = Buffer.from(images?.[0] ?? '', 'base64');
  const mediaType = imageTypeOf(bytes);
  if (!mediaType) throw new GeneratorFailure('malformed', `${modelId} sent no image`);
  return { outcome: 'image', bytes, mediaType, model: modelId };
}

function parse(body: string): StabilityAnswer {
  try {
    const answer: unknown = JSON.parse(body);
    if (typeof answer === 'object' && answer !== null) return answer;
  } catch {
    // Reported below, like every other answer that is none.
  }
  throw new GeneratorFailure('malformed', 'Bedrock sent no JSON object');
}
