/** Parses DynamoDB's expressions and resolves their values; shared by conditions and updates. */

export type Item = Readonly<Record<string, unknown>>;

/** The context of an expression: the item before the command, and the command's name and value placeholders. */
export interface Scope {
  readonly item: Item | undefined;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The value of a part of an expression; `undefined` when the attribute is not there. */
export type Operand = (scope: Scope) => unknown;

/** An expression that the engine refuses, as DynamoDB refuses it: certainly not applied. */
export class ValidationException extends Error {
  override readonly name = 'ValidationException';
  readonly $metadata = { httpStatusCode: 400 };
}

/** A cursor over the words of an expression. */
export interface Words {
  peek(): string | undefined;
  next(): string;
  /** Takes the next word when it is this one, in either case. */
  take(word: string): boolean;
  /** @throws when the next word is another. */
  expect(word: string): void;
}

const wordForm = /\s*(<>|<=|>=|[=<>(),.+-]|[:#]?[A-Za-z0-9_]+)/y;

function wordsOf(text: string): Words {
  const words: string[] = [];
  const form = new RegExp(wordForm.source, 'y');
  while (form.lastIndex < text.trimEnd().length) {
    const start = form.lastIndex;
    const word = form.exec(text)?.[1];
    if (word === undefined) throw new ValidationException(`Not understood: ${text.slice(start)}`);
    words.push(word);
  }
  let at = 0;
  const peek = () => words[at];
  const take = (word: string) => {
    if (words[at]?.toUpperCase() !== word.toUpperCase()) return false;
    at += 1;
    return true;
  };
  return {
    peek,
    take,
    next() {
      const word = words[at++];
      if (word === undefined) throw new ValidationException(`Ends too early: ${text}`);
      return word;
    },
    expect(word) {
      if (!take(word)) throw new ValidationException(`Expected ${word} in: ${text}`);
    },
  };
}

/** An attribute's path: names or their stand-ins, joined by points. */
function readPath(words: Words): readonly string[] {
  const path = [words.next()];
  while (words.take('.')) path.push(words.next());
  return path;
}

/** The attribute name of a path segment. */
function nameIn({ names }: Scope, word: string): string {
  if (!word.startsWith('#')) return word;
  const name = names[word];
  if (name === undefined) throw new ValidationException(`No name is given for ${word}`);
  return name;
}

function valueAt(path: readonly string[], scope: Scope): unknown {
  let value: unknown = scope.item;
  for (const word of path) {
    if (typeof value !== 'object' || value === null || value instanceof Set) return undefined;
    value = (value as Item)[nameIn(scope, word)];
  }
  return value;
}

/** A value (`:v`), an attribute, or `size(attribute)`. */
function readOperand(words: Words): Operand {
  const first = words.peek() ?? '';
  if (first.startsWith(':')) {
    words.next();
    return ({ values }) => {
      if (!(first in values)) throw new ValidationException(`No value is given for ${first}`);
      return values[first];
    };
  }
  const path = readPath(words);
  if (path.length === 1 && path[0] === 'size' && words.take('(')) {
    const measured = readPath(words);
    words.expect(')');
    return (scope) => sizeOf(valueAt(measured, scope));
  }
  return (scope) => valueAt(path, scope);
}

function sizeOf(value: unknown): number | undefined {
  if (value instanceof Set) return value.size;
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

/** Keeps what an expression was compiled to: the same few come again and again. */
export function remember<T>(compile: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let compiled = known.get(text);
    if (compiled === undefined) {
      compiled = compile(text);
      known.set(text, compiled);
    }
    return compiled;
  };
}

export type Condition = (scope: Scope) => boolean;

/** The condition of an expression. */
export const compileCondition = remember((text: string): Condition => {
  const words = wordsOf(text);
  const condition = readAny(words);
  if (words.peek() !== undefined) throw new ValidationException(`Left over in: ${text}`);
  return condition;
});

function readAny(words: Words): Condition {
  const parts = [readAll(words)];
  while (words.take('OR')) parts.push(readAll(words));
  return parts.length === 1 ? (parts[0] as Condition) : (scope) => parts.some((part) => part(scope));
}

function readAll(words: Words): Condition {
  const parts = [readOne(words)];
  while (words.take('AND')) parts.push(readOne(words));
  return parts.length === 1 ? (parts[0] as Condition) : (scope) => parts.every((part) => part(scope));
}

function readOne(words: Words): Condition {
  if (words.take('NOT')) {
    const inner = readOne(words);
    return (scope) => !inner(scope);
  }
  if (words.take('(')) {
    const inner = readAny(words);
    words.expect(')');
    return inner;
  }
  if (words.take('attribute_exists')) return existence(words, true);
  if (words.take('attribute_not_exists')) return existence(words, false);
  if (words.take('contains')) return pair(words, containsIt);
  if (words.take('begins_with'))
    return pair(words, (whole, part) => typeof whole === 'string' && whole.startsWith(String(part)));
  return readComparison(words);
}

function pair(words: Words, holds: (whole: unknown, part: unknown) => boolean): Condition {
  words.expect('(');
  const path = readPath(words);
  words.expect(',');
  const part = readOperand(words);
  words.expect(')');
  return (scope) => holds(valueAt(path, scope), part(scope));
}

function existence(words: Words, wanted: boolean): Condition {
  words.expect('(');
  const path = readPath(words);
  words.expect(')');
  return (scope) => (valueAt(path, scope) !== undefined) === wanted;
}

function readComparison(words: Words): Condition {
  const left = readOperand(words);
  if (words.take('IN')) {
    words.expect('(');
    const choices: Operand[] = [];
    do choices.push(readOperand(words));
    while (words.take(','));
    words.expect(')');
    return (scope) => choices.some((choice) => isEqual(left(scope), choice(scope)));
  }
  if (words.take('BETWEEN')) {
    const low = readOperand(words);
    words.expect('AND');
    const high = readOperand(words);
    return (scope) =>
      isOrdered(left(scope), low(scope), (order) => order >= 0) &&
      isOrdered(left(scope), high(scope), (order) => order <= 0);
  }
  const sign = words.next();
  const right = readOperand(words);
  switch (sign) {
    case '=':
      return (scope) => isEqual(left(scope), right(scope));
    case '<>':
      return (scope) => !isEqual(left(scope), right(scope));
    case '<':
      return (scope) => isOrdered(left(scope), right(scope), (order) => order < 0);
    case '<=':
      return (scope) => isOrdered(left(scope), right(scope), (order) => order <= 0);
    case '>':
      return (scope) => isOrdered(left(scope), right(scope), (order) => order > 0);
    case '>=':
      return (scope) => isOrdered(left(scope), right(scope), (order) => order >= 0);
    default:
      throw new ValidationException(`No comparison: ${sign}`);
  }
}

/** An attribute that is missing equals nothing. */
function isEqual(left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return false;
  if (typeof left !== 'object' || left === null) return left === right;
  return JSON.stringify(plain(left)) === JSON.stringify(plain(right));
}

function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  return value instanceof Set ? [...value].sort() : value;
}

/** Values of different types, and missing ones, have no order. */
function isOrdered(left: unknown, right: unknown, holds: (order: number) => boolean): boolean {
  if (typeof left === 'number' && typeof right === 'number') return holds(left - right);
  if (typeof left === 'string' && typeof right === 'string')
    return holds(left === right ? 0 : left < right ? -1 : 1);
  return false;
}

function containsIt(whole: unknown, part: unknown): boolean {
  if (whole instanceof Set) return whole.has(part);
  if (Array.isArray(whole)) return whole.some((one) => isEqual(one, part));
  return typeof whole === 'string' && typeof part === 'string' && whole.includes(part);
}

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
