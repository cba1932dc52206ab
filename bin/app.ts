/** CDK entry: reads the stage from the context, makes its one stack, and says what a deployment would take back. */

import { Annotations, App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { isOlder } from '../lib/deploy-time/check-release/check-release';
import { deployedSettings } from '../lib/deployed-settings';
import { ImageRedirectStack } from '../lib/image-redirect-stack';
import { forRegion } from '../lib/regions';
import { readStage, revertedSettings, type Stage, stackNameOf } from '../lib/stage';
import { version } from '../package.json';

const app = new App();
// Set by the CDK's CLI where it has found credentials.
const { CDK_DEFAULT_REGION: region, CDK_DEFAULT_ACCOUNT: account } = process.env;
const stage = configuredStage();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
const stack = new ImageRedirectStack(app, stackNameOf(stage), {
  stage,
  description: 'One URL in an image tag answers with a redirect to a fitting image',
});

// The app is synthesised when nothing is left to wait for.
void deployedSettings(stack.stackName, region, account).then((deployed) => {
  if (!deployed) return;
  const annotations = Annotations.of(stack);
  for (const { text, isFault } of revertedSettings(deployed.settings, stage))
    if (isFault) annotations.addError(text);
    else annotations.addWarningV2('image-redirect:setting', text);
  if (deployed.version !== undefined && isOlder(version, deployed.version))
    annotations.addWarningV2(
      'image-redirect:version',
      `The stack has version ${deployed.version}, and this one is older: ${version}.`,
    );
});

/** The stage to deploy; a setting that is not usable ends the program with its message alone, without a stack trace. */
function configuredStage(): Stage {
  try {
    return forRegion(readStage(app.node.getAllContext()), region);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
