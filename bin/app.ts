/** CDK entry: reads the stage from the context and makes its one stack. */

import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ImageRedirectStack } from '../lib/image-redirect-stack';
import { readStage, stackNameOf } from '../lib/stage';

const app = new App();
const stage = readStage(app.node);
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
new ImageRedirectStack(app, stackNameOf(stage), {
  stage,
  description: 'One URL in an image tag answers with a redirect to a fitting image',
});
