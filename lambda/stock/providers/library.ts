/** The operator's own photographs as a stock provider: found in the index of the image library, delivered from it. */

import { createExpiringCache } from '../../base/expiring-cache';
import { asksForCredit } from '../../images/credit';
import type { Candidate } from '../../images/image';
import { canFill } from '../../images/image';
import type { ImageLibrary } from '../../images/image-library';
import { isLibraryPath } from '../../images/library-path';
import type { License } from '../../images/record';
import { readPhotos } from '../library/manage-photos';
import type { Photo } from '../library/photo';
import { createPhotoIndex, type PhotoIndex, textsOf } from '../library/photo-index';
import { ProviderFailure, type StockProvider } from '../stock-provider';
import { candidatesMax, ownCapability } from './provider-settings';
import { commonsLicense } from './wire/licences';
import { describe, present } from './wire/read-json';

/** Indexes that an instance keeps in memory: while one replaces another, requests may come for both. */
const indexesMax = 2;
const forEverMs = Number.MAX_SAFE_INTEGER;

/** Reads an index once for each version of it, as its files never change. */
export type ReadPhotoIndex = (paths: readonly string[]) => Promise<PhotoIndex>;

/** Keeps two indexes. */
export function createReadPhotoIndex(library: Pick<ImageLibrary, 'get'>): ReadPhotoIndex {
  const indexes = createExpiringCache<Promise<PhotoIndex>>(indexesMax);
  return (paths) => {
    const key = paths.join();
    const cached = indexes.get(key, 0);
    if (cached) return cached;
    const read = readPhotos(library, paths).then(createPhotoIndex);
    indexes.set(key, read, forEverMs);
    read.catch(() => indexes.set(key, read, 0));
    return read;
  };
}

/**
 * What photographs offer is not cached: the index is in memory, and names all that can be found.
 * @param paths of the files that list them
 */
export function createPhotoProvider(readIndex: ReadPhotoIndex, paths: readonly string[]): StockProvider {
  const indexed = async (): Promise<PhotoIndex> => {
    try {
      return await readIndex(paths);
    } catch (error) {
      throw new ProviderFailure('unavailable', `The index of photographs was not read: ${String(error)}`);
    }
  };
  return {
    name: 'library',
    capability: ownCapability,
    async search({ subject: wanted }) {
      return (await indexed()).search(wanted, candidatesMax).map(({ photo, subject }, index) => ({
        ...candidateOf(photo),
        description: describe(index + 1, textsOf(photo), subject),
      }));
    },
    async byId(id) {
      const photo = (await indexed()).byId(id);
      return photo && candidateOf(photo);
    },
    sourceFor({ extra, ...original }, size) {
      const path = extra?.['path'];
      return isLibraryPath(path) && canFill(original, size) ? { kind: 'stored', path } : undefined;
    },
  };
}

function candidateOf(photo: Photo): Candidate {
  const { id, width, height, creator, copyright, landingUrl, path } = photo;
  const license = licenseOf(photo);
  return {
    id,
    widthPx: width,
    heightPx: height,
    sourceUrl: `library:${id}`,
    attribution: {
      providerName: 'Library',
      ...present({ creator, landingUrl }),
      license,
      creditLine:
        [creator && `Photo: ${creator}`, copyright ?? (asksForCredit(license) ? license.name : undefined)]
          .filter((part) => part !== undefined && part !== '')
          .join(', ') || license.name,
    },
    description: describe(1, textsOf(photo)),
    extra: { path },
  };
}

/** A free licence by its name; otherwise whatever rights the photograph states. */
function licenseOf({ license, copyright }: Photo): License {
  const name = license ?? copyright ?? 'All rights reserved';
  return commonsLicense(name, undefined) ?? { id: 'library', name };
}
