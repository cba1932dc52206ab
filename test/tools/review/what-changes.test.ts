/** The comparison of templates states what a deployment would destroy or replace. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describeChanges, whatChanges } from '../../../tools/review/what-changes';

interface Template {
  Resources: Record<string, { Type: string; Properties: Record<string, unknown>; DeletionPolicy?: string }>;
}

const committed = join(__dirname, '../../../docs/template/dev.yaml');
const before: Template = parse(readFileSync(committed, 'utf8'));

function changed(change: (template: Template) => void) {
  const after = structuredClone(before);
  change(after);
  return whatChanges({ ...before }, { ...after });
}

const propertiesOf = (template: Template, id: string) => {
  const resource = template.Resources[id];
  if (!resource) throw new Error(`There is no ${id}`);
  return resource.Properties;
};

test('the same template changes nothing', () => {
  expect(changed(() => undefined)).toEqual([]);
  expect(describeChanges('Stage dev', [])).toContain('Nothing changes.');
});

test('another partition key replaces a table', () => {
  const changes = changed((template) => {
    propertiesOf(template, 'ApiKeysTable')['KeySchema'] = [{ AttributeName: 'other', KeyType: 'HASH' }];
  });
  expect(changes).toEqual([
    {
      logicalId: 'ApiKeysTable',
      type: 'AWS::DynamoDB::GlobalTable',
      effect: 'replaced',
      properties: ['KeySchema'],
    },
  ]);
});

test('a new index changes a table in place, reported in one line', () => {
  const changes = changed((template) => {
    const table = propertiesOf(template, 'QuotaCountersTable');
    table['GlobalSecondaryIndexes'] = [
      ...((table['GlobalSecondaryIndexes'] as object[] | undefined) ?? []),
      { IndexName: 'byOther' },
    ];
  });
  expect(describeChanges('Stage dev', changes)).toBe(
    '### Stage dev\n\n**Changed**\n\n- `QuotaCountersTable` (AWS::DynamoDB::GlobalTable): GlobalSecondaryIndexes\n',
  );
});

test('a table that is gone is destroyed, or released where it is retained', () => {
  const gone = (policy: string) => {
    const retained = structuredClone(before);
    const table = retained.Resources['ImagesTable'];
    if (table) table.DeletionPolicy = policy;
    const after = structuredClone(retained);
    delete after.Resources['ImagesTable'];
    return whatChanges({ ...retained }, { ...after }).map(({ effect }) => effect);
  };
  expect(gone('Delete')).toEqual(['destroyed']);
  expect(gone('Retain')).toEqual(['released']);
});

test('the most drastic change comes first', () => {
  const changes = changed((template) => {
    delete template.Resources['ImagesTable'];
    propertiesOf(template, 'ApiKeysTable')['KeySchema'] = [{ AttributeName: 'other', KeyType: 'HASH' }];
    propertiesOf(template, 'AuthorizerFunction')['MemorySize'] = 1_024;
    template.Resources['Another'] = { Type: 'AWS::SNS::Topic', Properties: {} };
  });
  expect(changes.map(({ effect }) => effect)).toEqual(['destroyed', 'replaced', 'added', 'changed']);
});
