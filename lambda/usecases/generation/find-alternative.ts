/** Finds the public image that `alt` asks for among those that exist. */

import type { KeyedCaller } from '../../domain/caller/caller';
import type { Generation } from '../../domain/generation/generation';
import { generationIdentity, lookOf } from '../../domain/generation/generation-identity';
import type { AiRequest } from '../../domain/request/image-request';
import type { GenerationIndex } from '../../ports/generation-index';

/** Public images of one look that are considered, oldest first. */
const alternativesMax = 100;

/**
 * The `alt`-th public image of the same words and style, counted round where there are fewer. The caller's own base is
 * skipped while another exists; a test key has a namespace of its own, in which nothing is public.
 */
export async function findAlternative(
  index: Pick<GenerationIndex, 'publicOf'>,
  request: AiRequest,
  caller: KeyedCaller,
  alt: number,
): Promise<Generation | undefined> {
  if (caller.kind === 'test') return undefined;
  const all = await index.publicOf(lookOf(request), alternativesMax);
  const ownBase = generationIdentity({ ...request, visibility: 'public' }, caller, undefined).key;
  const others = all.filter(({ key }) => key !== ownBase);
  const choice = others.length > 0 ? others : all;
  return choice[(alt - 1) % choice.length];
}
