/** The command that deploys a stack again. */

/** @param stack name, which ends with its stage */
export function deployAgain(stack: string): string {
  return `npx cdk deploy ${stack} -c stage=${stack.split('-').at(-1)}`;
}
