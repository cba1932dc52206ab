// Stands in for the Lambda runtime: loads the handler that _HANDLER names from the task root, gives it one event after
// the other with a context, and reports what the runtime would post back: a JSON result, or an error's type and message.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [file, exported] = process.env._HANDLER.split('.');
const timeoutMs = Number(process.env.TEST_TIMEOUT_MS ?? 28_000);

function contextOf(n) {
  const endsMs = Date.now() + timeoutMs;
  return {
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: '$LATEST',
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    invokedFunctionArn: `arn:aws:lambda:us-east-1:123456789012:function:${process.env.AWS_LAMBDA_FUNCTION_NAME}`,
    awsRequestId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, endsMs - Date.now()),
  };
}

process.once('message', async (events) => {
  const outcomes = [];
  try {
    const { [exported]: handler } = await import(
      pathToFileURL(join(process.env.LAMBDA_TASK_ROOT, `${file}.mjs`)).href
    );
    for (const [n, event] of events.entries()) {
      try {
        // The result crosses as JSON, as in Lambda.
        outcomes.push({ result: JSON.parse(JSON.stringify((await handler(event, contextOf(n))) ?? null)) });
      } catch (error) {
        outcomes.push({ errorType: error?.name ?? 'Error', errorMessage: String(error?.message ?? error) });
      }
    }
  } catch (error) {
    outcomes.push({
      errorType: error?.name ?? 'Error',
      errorMessage: `INIT: ${String(error?.message ?? error)}`,
    });
  }
  process.send(outcomes, () => process.exit(0));
});
