/** Reads an OpenAPI document from stdin and prints what Redocly's linter finds, as JSON. Its package is an ES module. */

import { createConfig, lintFromString } from '@redocly/openapi-core';

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const config = await createConfig({ extends: ['recommended-strict'] });
const findings = await lintFromString({
  source: Buffer.concat(chunks).toString('utf8'),
  absoluteRef: '/openapi.json',
  config,
});
const lines = findings.map(
  ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
);
process.stdout.write(JSON.stringify(lines));
