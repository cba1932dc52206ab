/** JSON of ASCII alone: CloudFormation hands all other characters of a template back as question marks. */

/** Like `JSON.stringify`; what reads it gets the same value. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
