/** Runs the local service until a signal ends it, and prints how to try it. */

import { Failure } from '../cli/failure';
import { createSharedLoader } from '../lambda/base/concurrency';
import { anonymousRequestsPerHour, planNames, unlimitedRequests } from '../lambda/contract/plans';
import { routes } from '../lambda/contract/routes';
import type { LocalOptions } from './environment';
import { type LocalService, startLocalService } from './service';

/** Starts the service, and resolves when it is ready. @throws `Failure`, and `ConfigurationError` for a setting */
export async function runService(options: LocalOptions): Promise<void> {
  // Only this user may read files with keys and images.
  process.umask(0o077);
  // The message of a `Failure` is complete. Any other error is a fault, and is printed with its stack.
  const onFault = (error: unknown) => console.error(error instanceof Failure ? error.message : error);
  const service = await startLocalService(options, onFault);
  const end = createSharedLoader(async () => {
    await service.stop().catch((error: unknown) => {
      onFault(error);
      process.exitCode = 1;
    });
    process.exit();
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end);

  process.stderr.write(writeBanner(service, options));
  if (options.json) process.stdout.write(`${JSON.stringify(service)}\n`);
}

/** Writes the text for people when the service is ready. No log holds the keys of this text. */
export function writeBanner(
  { url, keys, accounts, fakeProviders, samEnvironment }: LocalService,
  { data, json, bind, photos, anonymousPerHour: perHour }: LocalOptions,
): string {
  if (json) return `Ready at ${url}\n`;
  const rows = planNames.flatMap((plan) => [
    `${plan.padEnd(11)}live     ${keys[plan].live}`,
    `${''.padEnd(11)}test     ${keys[plan].test}`,
    `${''.padEnd(11)}account  ${accounts[plan]}`,
  ]);
  const slots = Object.entries(bind).map(([slot, provider]) => `${slot} ${provider}`);
  const hints: string[] = [];
  if (!photos && !fakeProviders)
    hints.push('Real photos of Openverse and Wikimedia Commons: npm start -- --photos');
  if (samEnvironment !== undefined)
    hints.push(
      'For SAM, from a template that "npx cdk synth -c sam=true" has made:',
      `  sam local start-api -t cdk.out/ImageRedirect-dev.template.json --env-vars ${samEnvironment} --add-host host.docker.internal:host-gateway`,
    );
  const anonymous =
    perHour === unlimitedRequests
      ? `no limit here; ${anonymousRequestsPerHour} requests per hour where it is deployed (npm start -- --anonymous-per-hour ${anonymousRequestsPerHour} to try it)`
      : `${perHour} requests per hour`;
  const text = `
The image redirect service is ready:  ${url}

Try it in another shell:
  curl -i "${url}${routes.image}?query=mountain%20lake"
  curl -i -H "X-API-Key: ${keys.pro.live}" "${url}${routes.image}/800x600-city-night?provider=ai&style=minimal"

Demo keys, one account a plan:
${rows.join('\n')}

Images: ${slots.join(', ')}${fakeProviders ? ' (local fake providers)' : ''}
${[...hints, `Without a key: ${anonymous}`].join('\n')}
Data: ${data ?? 'in memory, gone at the end'}.  Stop with Ctrl-C.
`;
  return `${text.replace(/^(?=.)/gm, '  ')}\n`;
}
