/** The image that a page shows under the deployment's signer and site key, and what its account is charged for it. */

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outputs } from '../../lambda/contract/outputs';
import { createSigner } from '../../packages/client/src/client';
import { readFacts } from '../../tools/deploy-test/facts';
import { pageOrigin } from '../../tools/deploy-test/operator';
import { type Answer, ask } from '../e2e/ask';

const { outputs: deployed, published, memoryFile } = readFacts();
const url = deployed[outputs.apiUrl] ?? '';
const paidFile = join(dirname(memoryFile), 'paid.json');

export const signer = createSigner(published.signer);
export const imagePath = '/api/image/320x200-harbour';
/** As a browser on the site key's page asks. */
export const fromPage = { Origin: pageOrigin };

export const viewSigned = async (): Promise<Answer> => ask(url, { path: await signer.sign(imagePath) });
export const viewBySiteKey = (): Promise<Answer> =>
  ask(url, { path: `${imagePath}?site=${published.siteKey}`, headers: fromPage });

/** Does the work and says by how many units it has raised the account's usage. */
export async function chargedFor(work: () => Promise<unknown>): Promise<number> {
  const before = await used();
  await work();
  return (await used()) - before;
}

async function used(): Promise<number> {
  const headers = { 'X-API-Key': published.account.key };
  const { status, body } = await ask(url, { path: '/api/usage', headers });
  if (status !== 200) throw new Error(`/api/usage answered ${status}`);
  return JSON.parse(body).used;
}

const today = () => new Date().toISOString().slice(0, 10);

/** Notes for later test files that the image is paid for this UTC day. */
export const notePaid = (): void => writeFileSync(paidFile, JSON.stringify({ day: today() }));

/** Whether no day has ended since the image was paid: past midnight, it is rightly charged anew. */
export const isStillPaid = (): boolean => JSON.parse(readFileSync(paidFile, 'utf8')).day === today();
