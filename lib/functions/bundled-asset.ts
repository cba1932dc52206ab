/** Makes assets whose files are written during synthesis. The CDK skips them where it needs no code. */

import { AssetHashType, type AssetOptions, DockerImage } from 'aws-cdk-lib';
import { projectRoot } from './bundle';

/**
 * Makes the options of an asset that `make` writes.
 * @param key tells the asset from all others
 * @param make writes the files into an absolute folder
 */
export function createBundledAsset(
  key: string,
  make: (folder: string) => void,
): AssetOptions & { readonly path: string } {
  return {
    path: projectRoot,
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      command: [key],
      local: {
        tryBundle: (folder) => {
          make(folder);
          return true;
        },
      },
      // Required by the type and never used: `tryBundle` makes everything on this machine.
      image: DockerImage.fromRegistry('none'),
    },
  };
}
