/** Runs the CDK app, which has one stack for the stage that the context names. */

import { App } from 'aws-cdk-lib';
import { ImageRedirectStack } from '../lib/image-redirect-stack';
import { makeStackName, readStage, type Stage } from '../lib/stage';

const app = new App();
const stage = readConfiguredStage();
new ImageRedirectStack(app, makeStackName(stage), {
  stage,
  description: 'One URL in an image tag answers with a redirect to a fitting image',
});

/** Reads the stage to deploy. A wrong setting ends the program with a message and no stack trace. */
function readConfiguredStage(): Stage {
  try {
    return readStage(app.node.getAllContext());
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
