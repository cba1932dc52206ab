/** The operator's photographs as a stock provider. */

import { dropUndefined } from '../../base/drop-undefined';
import { choiceImagesMax } from '../../contract/request-bounds';
import { asksForCredit, findFreeLicense } from '../../images/credit';
import type { Candidate } from '../../images/image';
import type { License } from '../../images/record';
import { isStoredPath } from '../../images/stored-path';
import type { Photo } from '../library/manage-photos';
import { getImageTexts } from '../library/photo-index';
import type { StockProvider } from '../stock-provider';
import type { Subject } from '../subject';
import { type ProviderSettings, plainCapability } from './adapter';
import { makeDescription } from './wire/description';

const refusePhotos = () => Promise.reject(new Error('The photographs of the operator are not read here.'));

/** Makes the adapter of the operator's photographs. It searches an index in memory and sends no request. */
export function createPhotoProvider(settings: Pick<ProviderSettings, 'readPhotoIndex'>): StockProvider {
  const { readPhotoIndex = refusePhotos } = settings;
  return {
    name: 'library',
    capability: plainCapability,
    readQuota: async () => ({}),
    isInMemory: true,
    async search(query) {
      const searchPhotos = await readPhotoIndex();
      const matches = searchPhotos(query.subject).slice(0, choiceImagesMax);
      return matches.map(({ photo, subject }, index) => describePhoto(photo, index + 1, subject));
    },
    offerImage({ extra }) {
      const path = extra?.['path'];
      return isStoredPath(path) ? { kind: 'stored', path } : undefined;
    },
  };
}

function describePhoto(photo: Photo, rank: number, subject: Subject): Candidate {
  const { id, width, height, creator, copyright, landingUrl, path } = photo;
  const license = readLicense(photo);
  return {
    id,
    widthPx: width,
    heightPx: height,
    sourceUrl: `library:${id}`,
    attribution: {
      providerName: 'Library',
      ...dropUndefined({ creator, landingUrl }),
      license,
      creditLine:
        [creator && `Photo: ${creator}`, copyright ?? (asksForCredit(license) ? license.name : undefined)]
          .filter((part) => part !== undefined && part !== '')
          .join(', ') || license.name,
    },
    description: makeDescription(rank, getImageTexts(photo), subject),
    extra: { path },
  };
}

/** Finds the free licence that a photograph names, or else returns the rights that it states. */
function readLicense({ license, copyright }: Photo): License {
  const name = license ?? copyright ?? 'All rights reserved';
  return findFreeLicense(name) ?? { id: 'library', name };
}
