/** Each parameter takes and refuses what its texts say. */

import { type ParameterName, parameterNames, parameters } from '../../lambda/contract/parameters';
import {
  parseRequest as parse,
  type RequestTexts,
  readParameters,
} from '../../lambda/requests/parse-request';

/** As the function `api` parses a URL, signed where it has `upto`. */
const parseRequest = (raw: RequestTexts) => parse(readParameters(raw), true);

/** The parameters beside one that means nothing on its own. */
const companions: Readonly<Partial<Record<ParameterName, Readonly<Record<string, string>>>>> = {
  upto: { signer: 'sg_live_0123456789ab', width: '480', height: '270' },
};

test.each(parameterNames)('the parameter %s accepts its own example', (name) => {
  const { purpose, example } = parameters[name];
  expect(purpose).toMatch(/^[`\w].+\.$/s);
  expect(parameters[name].bounds).not.toBe('');
  if (example === undefined) return;
  const fields = Object.entries({ query: 'lake', ...companions[name], [name]: String(example) });
  const parsed = parseRequest({ query: Object.fromEntries(fields.map(([key, value]) => [key, [value]])) });
  expect(parsed).toHaveProperty('request');
});
