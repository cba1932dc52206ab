/** The function that makes renditions and stores them. */

import type { Construct } from 'constructs';
import { variables } from '../../lambda/contract/environment';
import { functionMemoryMb } from '../../lambda/contract/functions';
import { functionTimeoutsS } from '../../lambda/contract/timeouts';
import type { Stage } from '../stage';
import type { ImageLibrary } from '../stores/image-library';
import type { ProviderSecrets } from '../stores/provider-secrets';
import type { Cache } from '../stores/stock-memory';
import { entryOf } from './bundle';
import { NodeFunction } from './node-function';

export interface RendererProps {
  readonly stage: Stage;
  readonly imageLibrary: ImageLibrary;
  readonly cache: Cache;
  readonly providerSecrets: ProviderSecrets;
}

export class Renderer extends NodeFunction {
  constructor(scope: Construct, { stage, imageLibrary, cache, providerSecrets }: RendererProps) {
    super(scope, 'RendererFunction', {
      stage,
      entry: entryOf('renderer'),
      description: 'Draws, crops and stores renditions of images',
      memoryMb: functionMemoryMb.renderer,
      timeoutS: functionTimeoutsS.renderer,
      ...(stage.rendererConcurrency === undefined ? {} : { concurrency: stage.rendererConcurrency }),
      draws: true,
      shifts: true,
      environment: {
        // Providers want to know whom to write to; the images' own URL is better than none.
        [variables.contact]: stage.contact ?? imageLibrary.cdn.baseUrl,
        [variables.providerEndpoints]: JSON.stringify(stage.providerEndpoints),
      },
    });
    imageLibrary.grantRead(this);
    imageLibrary.grantStore(this);
    cache.grantStore(this);
    // To report uses to providers that ask for it.
    providerSecrets.grantReadForStock(this);
  }

  /** To have renditions made. */
  grantRender(fn: NodeFunction): void {
    this.grantCallAs(fn, variables.rendererFunction);
  }
}
