/** Fields of a provider's answer as zod schemas: what is missing, damaged or of another type is `undefined`, and all else is clean. */

import * as z from 'zod/mini';
import { list, nameText, positive, text } from './read-json';
import { imageUrl, pageUrl } from './urls';

const field = <T>(read: (value: unknown) => T) => z.pipe(z.optional(z.unknown()), z.transform(read));

/** Text without control characters. */
export const textField = field(text);
/** Text that names a person or a work. */
export const nameField = field(nameText);
/** A whole number above zero. */
export const countField = field(positive);
/** A page that may be linked to. */
export const pageField = field(pageUrl);
/** The URL of an image or of the API, over https. */
export const urlField = field(imageUrl);
/** A value as it came, which is judged where it is used. */
export const anyField = field((value): unknown => value);

/** Fields of the same type. */
export const fields = <Field, const Names extends readonly string[]>(type: Field, ...names: Names) =>
  Object.fromEntries(names.map((name) => [name, type])) as Readonly<Record<Names[number], Field>>;

/** An object; one without any of its fields where something else stands. */
export const part = <Shape extends Record<string, z.ZodMiniType>>(shape: Shape) => {
  const schema = z.object(shape);
  return field((value): z.output<typeof schema> => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return z.parse(schema, isObject ? value : {});
  });
};

/** The members of an array, or of an object in the order of its names. */
export const listOf = <Member extends z.ZodMiniType>(member: Member) =>
  field((value): readonly z.output<Member>[] => list(value).map((each) => z.parse(member, each)));
