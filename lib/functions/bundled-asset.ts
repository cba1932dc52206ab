/** Assets that are made during synthesis: the CDK gives each a folder of its own, and skips them where bundling is switched off. */

import { AssetHashType, type AssetOptions, DockerImage } from 'aws-cdk-lib';
import { projectRoot } from './bundle';

/**
 * Where an asset comes from.
 * @param key tells it from every other one
 * @param make writes its files into a folder, which is absolute
 */
export function bundledAsset(
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
