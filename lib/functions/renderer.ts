/** The function that makes renditions and stores them. */

import type { Construct } from 'constructs';
import { variables } from '../../lambda/contract/environment';
import type { NodeFunction } from './node-function';
import { ServiceFunction, type Stores } from './service-function';

/** Invoked by the image function, which waits for it. */
export class Renderer extends ServiceFunction {
  constructor(scope: Construct, { stage, imageLibrary, tables, providerSecrets }: Stores) {
    super(scope, 'renderer', {
      stage,
      tables,
      description: 'Draws, crops and stores renditions of images',
      concurrency: stage.rendererConcurrency,
      shifts: true,
    });
    // Providers want to know whom to write to; the images' own URL is better than none.
    if (stage.contact === undefined) this.addEnvironment(variables.contact, imageLibrary.cdn.baseUrl);
    imageLibrary.grantReadImages(this);
    imageLibrary.grantStoreRenditions(this);
    providerSecrets.grantReadForReports(this);
  }

  /** To have renditions made. */
  grantRender(fn: NodeFunction): void {
    this.grantCallAs(fn, variables.rendererFunction);
  }
}
