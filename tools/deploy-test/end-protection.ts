/** Lets a protected stack be destroyed, as an operator does who means it. */

import { CloudFormationClient, UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';

async function main([StackName = '']: readonly string[]): Promise<void> {
  const command = new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false });
  await new CloudFormationClient().send(command);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
