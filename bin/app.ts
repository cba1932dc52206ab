/** CDK entry: reads the stage from the context, and makes its one stack. */

import { App } from 'aws-cdk-lib';
import { ImageRedirectStack } from '../lib/image-redirect-stack';
import { readStage, type Stage, stackNameOf } from '../lib/stage';

const app = new App();
const stage = configuredStage();
new ImageRedirectStack(app, stackNameOf(stage), {
  stage,
  description: 'One URL in an image tag answers with a redirect to a fitting image',
});

/** The stage to deploy; a setting that is not usable ends the program with its message alone, without a stack trace. */
function configuredStage(): Stage {
  try {
    return readStage(app.node.getAllContext());
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
