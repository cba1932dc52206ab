/** A generation whose image is stored. */

import { type ImageKey, imageIdOf } from '../../lambda/generation/generation-identity';
import type { Generation } from '../../lambda/generation/generations';
import { libraryPath } from './branded';

/** @param masterPath where its master stands, as a path of the image library */
export function readyGeneration(key: ImageKey, masterPath: string): Generation {
  return {
    key,
    imageId: imageIdOf(key),
    state: 'ready',
    execution: '01HF0000000000000000000000',
    master: { path: libraryPath(masterPath), model: 'm', widthPx: 1_536, heightPx: 1_024 },
  };
}
