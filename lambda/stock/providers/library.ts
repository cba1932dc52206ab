/** The operator's own photographs as a stock provider: found in the index of the image library, delivered from it. */

import { asksForCredit } from '../../images/credit';
import type { Candidate } from '../../images/image';
import { isLibraryPath } from '../../images/library-path';
import type { License } from '../../images/record';
import type { Photo } from '../library/photo';
import { type PhotoIndex, textsOf } from '../library/photo-index';
import type { StockProvider } from '../stock-provider';
import { candidatesMax, ownCapability } from './core';
import { describe, present } from './wire/describe';
import { freeLicense } from './wire/licences';

/**
 * What photographs offer is not kept as a choice: the index is in memory, and names all that can be found.
 * @param readIndex throws when the photographs cannot be read
 */
export function createPhotoProvider(readIndex: () => Promise<PhotoIndex>): StockProvider {
  return {
    name: 'library',
    capability: ownCapability,
    isOwn: true,
    async search({ subject: wanted }) {
      return (await readIndex()).search(wanted, candidatesMax).map(({ photo, subject }, index) => ({
        ...candidateOf(photo),
        description: describe(index + 1, textsOf(photo), subject),
      }));
    },
    sourceFor({ extra }) {
      const path = extra?.['path'];
      return isLibraryPath(path) ? { kind: 'stored', path } : undefined;
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
  return freeLicense(name) ?? { id: 'library', name };
}
