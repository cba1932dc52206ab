// Stands in for the Lambda runtime: loads the handler from the task root, gives it one event after the other
// with a context, and reports what the runtime would post back: a JSON result, or an error's message.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

process.once('message', async (events) => {
  const outcomes = [];
  try {
    const file = join(process.env.LAMBDA_TASK_ROOT, 'main.mjs');
    const { handler } = await import(pathToFileURL(file).href);
    for (const [n, event] of events.entries()) {
      const endsMs = Date.now() + 28_000;
      const context = {
        functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
        functionVersion: '$LATEST',
        awsRequestId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
        getRemainingTimeInMillis: () => Math.max(0, endsMs - Date.now()),
      };
      // The result crosses as JSON, as in Lambda.
      outcomes.push({ result: JSON.parse(JSON.stringify((await handler(event, context)) ?? null)) });
    }
  } catch (error) {
    outcomes.push({ errorMessage: String(error?.message ?? error) });
  }
  process.send(outcomes, () => process.exit(0));
});
