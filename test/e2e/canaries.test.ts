/** Secrets, an IP address and a prompt are sent on every route, then searched for in all that is kept. */

import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { readLocalDescription } from '../../cli/local-services';
import { connectDatabase } from '../../local/tables';
import { makeTestFolder, startFixture } from '../fakes/fixture';
import { makePng } from '../fakes/images';
import { listenOnLoopback } from '../fakes/loopback';
import { connectLocalAccounts } from './local-account';
import { startService } from './local-service';
import { createOperator } from './operator';

const providerKey = 'canaryprovider0123456789';
const modelKey = 'canarymodel0123456789';
const address = '127.66.77.88';

const folder = makeTestFolder();
const model = startFixture(async () => {
  const b64_json = (await makePng(64, 64)).toString('base64');
  return listenOnLoopback(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    response.setHeader('content-type', 'application/json');
    const refusal = { code: 'moderation_blocked', type: 'user_error', message: body };
    if (body.includes('forbidden')) response.writeHead(400).end(JSON.stringify({ error: refusal }));
    else if (body.includes('broken')) response.writeHead(500).end(body);
    else response.end(JSON.stringify({ data: [{ b64_json }] }));
  });
});
const service = startFixture(() => {
  const baseUrl = `${model.address}/v1`;
  const generator = { kind: 'openai-compatible', baseUrl, model: 'm', apiKeyName: 'openai' };
  return startService(['--data', folder, '--json-logs', '--fake-providers', '--bind', 'stock_b=unsplash'], {
    GENERATOR: JSON.stringify(generator),
    UNSPLASH_KEY: providerKey,
    OPENAI_API_KEY: modelKey,
  });
});

/** Status line, headers and body of an answer to a client at the address. */
function send(url: string, headers: Readonly<Record<string, string>> = {}, body?: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    request(
      new URL(url, service.url),
      { method, localAddress: address, headers: { ...headers, ...type } },
      async (answer) => {
        const text = Buffer.concat(await answer.toArray()).toString('latin1');
        resolve(`${answer.statusCode} ${answer.rawHeaders.join('\n')}\n${text}`);
      },
    )
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const listFiles = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));

test('no response, log or item contains a key, a secret or an IP address', async () => {
  const accounts = await connectLocalAccounts(service.url);
  const { key, account } = await accounts.open('business', 0);
  accounts.close();
  const operator = createOperator(service.url, folder);
  const { signer, secret } = await operator.openSigner(account);
  const { siteKey } = await operator.openSite(account, 'https://a.example', 200);
  const bearer = { Authorization: `Bearer ${key}` };
  const image = { 'Sec-Fetch-Dest': 'image' };
  const stock = '/api/image?width=200&height=200&query=quokka';
  const ai = '/api/image?width=200&height=200&provider=ai&query=zyzzyva';
  const signed = await signer.sign(stock);
  const size = { width: 300, height: 200 };
  const images = [
    { slot: 'a', query: 'quokka', ...size },
    { slot: 'b', query: 'zyzzyva', provider: 'ai', ...size },
    { slot: 'c', query: 'zyzzyva forbidden', provider: 'ai', ...size },
  ];
  const call = { name: 'find_images', arguments: { images: images.slice(0, 2) } };
  const questions: [status: number, ...Parameters<typeof send>][] = [
    [302, stock],
    [302, `${stock}&api_key=${key}`],
    [302, stock, { 'X-API-Key': key }],
    [200, `${stock}&format=json&provider=stock_b`, bearer],
    [302, `${ai}&visibility=private`, bearer],
    [422, `${ai}+forbidden`, bearer],
    [502, `${ai}+broken`, { ...bearer, ...image }],
    [401, `${stock}&api_key=${key}x`],
    [400, `${stock}&api_key=${key}&api_key=${key}x`],
    [400, `${stock}&api_key=${key}&site=${siteKey}`],
    [400, `${stock}&width=9`, bearer],
    [302, `${stock}&site=${siteKey}`, { Origin: 'https://a.example' }],
    [403, `${stock}&site=${siteKey}`, { ...image, Referer: `https://b.example/${key}` }],
    [302, signed],
    [401, `${signed}x`, image],
    [200, '/api/images', bearer, { images }],
    [200, '/mcp', bearer, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }],
    [200, '/v1/images/generations', bearer, { prompt: 'quokka', model: 'stock', size: '300x200' }],
    [404, `/v1/${key}`, bearer],
    [401, '/v1/models', { Authorization: `Bearer ${key}x` }],
    [200, '/api/usage', bearer],
    [404, `/nothing/${key}`, bearer],
  ];
  const answers: string[] = [];
  for (const [, ...question] of questions) answers.push(await send(...question));
  expect(answers.map((answer) => Number(answer.slice(0, 3)))).toEqual(questions.map(([status]) => status));

  const { dynamodb, token, tables } = await readLocalDescription(service.url);
  const db = connectDatabase(dynamodb, token).client;
  const items = Object.entries(tables).map(
    async ([name, TableName]) =>
      [name, inspect(await db.send(new ScanCommand({ TableName })), { depth: null })] as const,
  );
  const places = Object.fromEntries(await Promise.all(items));
  db.destroy();
  await service.stop();
  expect(service.stderr()).toContain('"requests"');
  Object.assign(places, { answers: answers.join(), logs: service.stderr() });
  places['files'] = listFiles(folder)
    .map((file) => file + readFileSync(file, 'latin1'))
    .join();

  const findCanary = (canary: string) =>
    Object.keys(places)
      .filter((place) => places[place]?.includes(canary))
      .toSorted();
  const secrets = [key.slice(8), secret.slice(9, 52), siteKey.slice(10), providerKey, modelKey, address];
  expect(secrets.map(findCanary)).toEqual(secrets.map(() => []));
  // A prompt is told to its own account alone, in what it asked for.
  expect(findCanary('zyzzyva')).toEqual(['answers']);
  // A drawing of the sandbox has the words that it is drawn of.
  expect(findCanary('quokka')).toEqual(['answers', 'cache', 'files', 'images']);
});
