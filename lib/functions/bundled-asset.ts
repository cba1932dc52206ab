/** Assets of files that synthesis writes. The CDK skips them when it needs no code, as in tests. */

import { AssetHashType, type AssetOptions, DockerImage } from 'aws-cdk-lib';
import { projectRoot } from './bundle';

/**
 * Returns the options of an asset.
 * @param key tells the asset from all others
 * @param make writes the files of the asset into an absolute folder
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
      // The type requires an image. It is never used, because `tryBundle` always succeeds.
      image: DockerImage.fromRegistry('none'),
    },
  };
}
