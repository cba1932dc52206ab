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

export function wordsOf(text: string): Words {
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
export function readPath(words: Words): readonly string[] {
  const path = [words.next()];
  while (words.take('.')) path.push(words.next());
  return path;
}

/** The attribute name of a path segment. */
export function nameIn({ names }: Scope, word: string): string {
  if (!word.startsWith('#')) return word;
  const name = names[word];
  if (name === undefined) throw new ValidationException(`No name is given for ${word}`);
  return name;
}

export function valueAt(path: readonly string[], scope: Scope): unknown {
  let value: unknown = scope.item;
  for (const word of path) {
    if (typeof value !== 'object' || value === null || value instanceof Set) return undefined;
    value = (value as Item)[nameIn(scope, word)];
  }
  return value;
}

/** A value (`:v`), an attribute, or `size(attribute)`. */
export function readOperand(words: Words): Operand {
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
