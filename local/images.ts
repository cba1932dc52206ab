/** Opens the images of the local service: those of the last start, and the public files of a deployment. */

import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSharedLoader } from '../lambda/base/concurrency';
import type { ImageStore } from '../lambda/images/image-store';
import { draftsFolder } from '../lambda/images/stores/folder-store';
import { openImageStore } from '../lambda/images/stores/open-image-store';
import { publicFileMakers, publicMediaTypes } from '../lib/public-files';

/** Opens the folder of images; without one, a temporary folder that is removed at the end. */
export function openImages(dataFolder: string | undefined) {
  const folder = dataFolder ? resolve(dataFolder, 'images') : mkdtempSync(join(tmpdir(), 'image-redirect-'));
  const areKept = existsSync(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Files that a killed process had begun to write.
  rmSync(join(folder, draftsFolder), { recursive: true, force: true });
  const storeUrl = pathToFileURL(folder).href;
  const stop = () => (dataFolder ? undefined : rmSync(folder, { recursive: true, force: true }));
  return { imageStore: openImageStore(storeUrl), storeUrl, areKept, stop };
}

/** Adds the files below `public/` to the images. A deployment uploads these files; here a request makes them. */
export function addPublicFiles(imageStore: ImageStore): Pick<ImageStore, 'get'> {
  const makers = new Map([...publicFileMakers].map(([path, make]) => [path, createSharedLoader(make)]));
  return {
    async get(path) {
      const bytes = await makers.get(path)?.();
      const ending = path.split('.').at(-1) as keyof typeof publicMediaTypes;
      return bytes ? { bytes, mediaType: publicMediaTypes[ending] } : imageStore.get(path);
    },
  };
}
