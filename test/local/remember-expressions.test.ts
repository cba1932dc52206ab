/** Remembered expressions give the trees that the parser gives, with each call's own values. */

import { createRequire } from 'node:module';
import fc from 'fast-check';
import { type Context, type Parse, remembering } from '../../local/engine/remember-expressions';

const load = createRequire(__filename);
const { parse: parseUpdate } = load('dynalite/db/updateParser') as { parse: Parse };
const { parse: parseCondition } = load('dynalite/db/conditionParser') as { parse: Parse };

type Call = readonly [parse: Parse, expression: string];

const calls: readonly Call[] = [
  [parseUpdate, 'ADD taken :one, spent :one SET held = if_not_exists(held, :zero), #ttl = :ttl'],
  [parseUpdate, 'SET leaseHolder = :one, #ttl = if_not_exists(#ttl, :ttl) REMOVE a.b[0], #x'],
  [parseUpdate, 'SET held = held + :one, #x = list_append(#x, :list)'],
  [parseUpdate, 'SET a = :one, a = :zero'],
  [parseUpdate, 'SET a = :missing'],
  [parseUpdate, 'NONSENSE'],
  [parseUpdate, 'ADD a :text'],
  [parseCondition, 'attribute_not_exists(taken) OR taken <= :one'],
  [parseCondition, '(attribute_not_exists(freshUntilMs) OR freshUntilMs <= :one) AND NOT #x = :text'],
  [parseCondition, 'held BETWEEN :zero AND :one'],
  [parseCondition, 'contains(#x, :text) AND size(#x) > :one'],
  [parseCondition, 'begins_with(#ttl, :one)'],
  [parseCondition, 'taken <'],
];

const values = fc.record({
  ':one': fc.oneof(fc.record({ N: fc.nat().map(String) }), fc.record({ S: fc.string() })),
  ':zero': fc.record({ N: fc.nat().map(String) }),
  ':ttl': fc.record({ N: fc.nat().map(String) }),
  ':text': fc.record({ S: fc.string() }),
  ':list': fc.record({ L: fc.array(fc.record({ S: fc.string() })) }),
});

const contextOf = (attrVals: Context['attrVals'], others: object): Context => ({
  attrNames: { '#ttl': 'ttl', '#x': 'extra' },
  attrVals: attrVals as NonNullable<Context['attrVals']>,
  unusedAttrNames: { '#ttl': true, '#x': true },
  unusedAttrVals: Object.fromEntries(Object.keys(attrVals ?? {}).map((name) => [name, true])),
  ...others,
});

function outcomeOf(parse: Parse, expression: string, context: Context): unknown {
  try {
    const tree = parse(expression, { context });
    return { tree, names: Object.keys(context.unusedAttrNames), values: Object.keys(context.unusedAttrVals) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

test('a remembered expression is what the parser makes of it, for any values and after any other call', () => {
  const others = { isReserved: (name: string) => name === 'ttl', compare: () => true };
  const remembered = new Map([parseUpdate, parseCondition].map((parse) => [parse, remembering(parse)]));
  const call = fc.tuple(fc.constantFrom(...calls), values);
  fc.assert(
    fc.property(fc.array(call, { minLength: 2, maxLength: 12 }), (made) => {
      for (const [[parse, expression], attrVals] of made) {
        const again = remembered.get(parse) as Parse;
        const wanted = outcomeOf(parse, expression, contextOf(structuredClone(attrVals), others));
        expect(outcomeOf(again, expression, contextOf(attrVals, others))).toEqual(wanted);
      }
    }),
  );
});

test('the parser is asked once for an expression, and each time where the tree depends on values', () => {
  let asked = 0;
  const counting = remembering((...given) => {
    asked += 1;
    return parseCondition(...given);
  });
  const others = { isReserved: () => false, compare: () => true };
  const ask = (expression: string, value: string) => {
    const context = contextOf({ ':one': { N: value }, ':zero': { N: '0' } }, others);
    return counting(expression, { context });
  };
  ask('taken <= :one', '1');
  const second = ask('taken <= :one', '2');
  expect(asked).toBe(1);
  expect(JSON.stringify(second)).toContain('"N":"2"');
  ask('taken BETWEEN :zero AND :one', '1');
  ask('taken BETWEEN :zero AND :one', '2');
  expect(asked).toBe(3);
});

test('a tree that the engine changes is not remembered as it was changed', () => {
  const parse = remembering(parseUpdate);
  const tree = () =>
    parse('SET a = :one', {
      context: contextOf({ ':one': { N: '1' } }, { isReserved: () => false }),
    }) as { sections: { val: unknown }[] };
  const first = tree();
  (first.sections[0] as { val: unknown }).val = 'changed';
  expect(tree().sections[0]?.val).toEqual({ N: '1' });
});

describe('attribute names', () => {
  const others = { isReserved: (name: string) => name === 'ttl', compare: () => false };
  const named: readonly Call[] = [
    [parseUpdate, 'SET #a.b = :one, #b = :one'],
    [parseUpdate, 'SET #a = :one, #b = :one'],
    [parseUpdate, 'REMOVE #a, #b'],
    [parseUpdate, 'SET #a[0] = if_not_exists(#b.x, :one) REMOVE held'],
    [parseUpdate, 'SET #missing = :one'],
    [parseCondition, 'attribute_not_exists(#a) AND #b = :one'],
    [parseCondition, 'contains(#a, #b)'],
    [parseCondition, 'begins_with(#a.x, :one) AND held > :one'],
    [parseCondition, 'attribute_type(#a, :one)'],
    [parseCondition, 'contains(held, #b)'],
  ];
  const name = fc.constantFrom(
    'a',
    'b',
    'held',
    'ttl',
    'x',
    'op#1',
    'op#2',
    '',
    '\u0000#a',
    '__proto__',
    'SET',
  );
  const value = fc.constantFrom({ S: 'N' }, { S: 'words' }, { N: '1' }, { L: [] }, { S: '\u0000#a' });
  const contextWith = (attrNames: Record<string, string>, one: object): Context => ({
    ...contextOf({ ':one': one } as Context['attrVals'], others),
    attrNames,
    unusedAttrNames: Object.fromEntries(Object.keys(attrNames).map((each) => [each, true])),
  });

  test('are those of the call, whichever names an earlier call has given', () => {
    const remembered = new Map([parseUpdate, parseCondition].map((parse) => [parse, remembering(parse)]));
    fc.assert(
      fc.property(
        fc.constantFrom(...named),
        name,
        name,
        value,
        fc.boolean(),
        ([parse, expression], a, b, one, isOne) => {
          const names = { '#a': a, ...(isOne ? {} : { '#b': b }) };
          const again = remembered.get(parse) as Parse;
          expect(outcomeOf(again, expression, contextWith(names, one))).toEqual(
            outcomeOf(parse, expression, contextWith(names, one)),
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('that hold ids do not have the expression parsed again', () => {
    let asked = 0;
    const counting = remembering((...given) => {
      asked += 1;
      return parseUpdate(...given);
    });
    for (let i = 0; i < 50; i++)
      counting('SET #a = :one', { context: contextWith({ '#a': `op#${i}` }, { N: '1' }) });
    expect(asked).toBe(1);
  });
});
