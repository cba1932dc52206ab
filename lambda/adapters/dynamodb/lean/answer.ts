/** Writes the input of an operation as DynamoDB's JSON, and reads its answer. */

import { type AttributeMap, fromAttributes, toAttributes } from './attribute-values';

/** Parts of an input that hold an item's attributes by name. */
const maps: ReadonlySet<string> = new Set(['Key', 'Item', 'ExpressionAttributeValues', 'ExclusiveStartKey']);

/** @throws `TypeError` for a value that DynamoDB cannot hold */
export function inputJson(input: object): string {
  const parts: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(input)) {
    if (part === undefined) continue;
    if (maps.has(name)) parts[name] = toAttributes(part);
    else if (name === 'RequestItems') parts[name] = keysByTable(part, toAttributes);
    else parts[name] = part;
  }
  return JSON.stringify(parts);
}

/** What an answer holds, in JavaScript values. @throws `SyntaxError` for half an answer */
export function answerIn(text: string): Record<string, unknown> {
  const answer = JSON.parse(text) as Record<string, unknown>;
  for (const name of ['Item', 'Attributes', 'LastEvaluatedKey'])
    if (answer[name]) answer[name] = fromAttributes(answer[name] as AttributeMap);
  if (answer['Items']) answer['Items'] = (answer['Items'] as AttributeMap[]).map(fromAttributes);
  if (answer['Responses']) {
    const tables = Object.entries(answer['Responses'] as Record<string, AttributeMap[]>);
    answer['Responses'] = Object.fromEntries(
      tables.map(([table, items]) => [table, items.map(fromAttributes)]),
    );
  }
  if (answer['UnprocessedKeys'])
    answer['UnprocessedKeys'] = keysByTable(answer['UnprocessedKeys'] as KeysByTable, (key) =>
      fromAttributes(key as AttributeMap),
    );
  return answer;
}

type KeysByTable = Readonly<Record<string, { readonly Keys: readonly object[] }>>;

function keysByTable(byTable: KeysByTable, convert: (key: object) => object): object {
  const tables = Object.entries(byTable).map(([table, wanted]) => [
    table,
    { ...wanted, Keys: wanted.Keys.map(convert) },
  ]);
  return Object.fromEntries(tables);
}
