/** A generation whose image is stored and settled. */

import type { Generation } from '../../lambda/generation/generation';
import { type ImageKey, imageIdOf } from '../../lambda/generation/generation-identity';
import { libraryPath } from './branded';

/** @param masterPath where its master stands, as a path of the image library */
export function readyGeneration(key: ImageKey, masterPath: string): Generation {
  return {
    key,
    imageId: imageIdOf(key),
    state: 'READY',
    execution: '01',
    fence: 1,
    settled: true,
    due: false,
    tries: 0,
    master: { path: libraryPath(masterPath), model: 'm' },
  };
}
