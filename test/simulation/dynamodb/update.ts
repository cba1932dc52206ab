/** Compiles DynamoDB's update expressions, for attributes at the top of an item. */

import {
  type Item,
  nameIn,
  type Operand,
  readOperand,
  readPath,
  remember,
  type Scope,
  ValidationException,
  valueAt,
  type Words,
  wordsOf,
} from './expression';

/** An item after an update, and which attributes the update names. */
export interface Updated {
  readonly item: Item;
  readonly touched: readonly string[];
}

type Step = (scope: Scope, next: Record<string, unknown>) => string;

const wrongType = 'An operand in the update expression has an incorrect data type';
const sections = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;

/** The effect of an update expression. Every operand is read from the item before the update. */
export const compileUpdate = remember((text: string): ((scope: Scope, key: Item) => Updated) => {
  const words = wordsOf(text);
  const steps: Step[] = [];
  while (words.peek() !== undefined) {
    const section = sections.find((word) => words.take(word));
    if (!section) throw new ValidationException(`Not understood in: ${text}`);
    do steps.push(readStep(section, words));
    while (words.take(','));
  }
  return (scope, key) => {
    // An item holds its key. One copy from one object is several times cheaper than one from two.
    const next: Record<string, unknown> = scope.item ? { ...scope.item } : { ...key };
    const touched = steps.map((step) => step(scope, next));
    if (touched.some((name, i) => touched.indexOf(name) < i))
      throw new ValidationException('Two document paths overlap with each other');
    return { item: next, touched };
  };
});

function readStep(section: (typeof sections)[number], words: Words): Step {
  const path = readPath(words);
  if (path.length > 1) throw new ValidationException('Only attributes at the top are written here');
  const word = path[0] as string;
  switch (section) {
    case 'SET': {
      words.expect('=');
      const value = readValue(words);
      return (scope, next) => {
        const name = nameIn(scope, word);
        next[name] = known(value(scope));
        return name;
      };
    }
    case 'REMOVE':
      return (scope, next) => {
        const name = nameIn(scope, word);
        delete next[name];
        return name;
      };
    case 'ADD': {
      const added = readOperand(words);
      return (scope, next) => {
        const name = nameIn(scope, word);
        next[name] = sum(scope.item?.[name], added(scope));
        return name;
      };
    }
    case 'DELETE': {
      const removed = readOperand(words);
      return (scope, next) => {
        const name = nameIn(scope, word);
        const left = difference(scope.item?.[name], removed(scope));
        if (left === undefined) delete next[name];
        else next[name] = left;
        return name;
      };
    }
  }
}

/** One operand, or two with a sign between them. */
function readValue(words: Words): Operand {
  const left = readTerm(words);
  if (words.take('+')) return arithmetic(left, readTerm(words), 1);
  if (words.take('-')) return arithmetic(left, readTerm(words), -1);
  return left;
}

function readTerm(words: Words): Operand {
  if (!words.take('if_not_exists')) return readOperand(words);
  words.expect('(');
  const path = readPath(words);
  words.expect(',');
  const otherwise = readTerm(words);
  words.expect(')');
  return (scope) => valueAt(path, scope) ?? otherwise(scope);
}

function arithmetic(left: Operand, right: Operand, sign: 1 | -1): Operand {
  return (scope) => {
    const [a, b] = [known(left(scope)), known(right(scope))];
    if (typeof a !== 'number' || typeof b !== 'number') throw new ValidationException(wrongType);
    return a + sign * b;
  };
}

function known(value: unknown): unknown {
  if (value === undefined)
    throw new ValidationException('The expression refers to an attribute that does not exist in the item');
  return value;
}

function sum(before: unknown, added: unknown): unknown {
  if (typeof added === 'number' && (before === undefined || typeof before === 'number'))
    return (before ?? 0) + added;
  if (added instanceof Set && (before === undefined || before instanceof Set))
    return new Set([...(before ?? []), ...added]);
  throw new ValidationException(wrongType);
}

/** A set that loses its last member goes with it. */
function difference(before: unknown, removed: unknown): unknown {
  if (before === undefined) return undefined;
  if (!(before instanceof Set) || !(removed instanceof Set)) throw new ValidationException(wrongType);
  const left = [...before].filter((member) => !removed.has(member));
  return left.length === 0 ? undefined : new Set(left);
}
