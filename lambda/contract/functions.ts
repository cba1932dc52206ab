/** The functions of the service: names, memory and version of Node.js. */

export const functionNodeVersion = 24;

/** Memory of each function in MB. CPU grows with it: 1,769 MB are one core. */
export const functionMemoryMb = {
  authorizer: 512,
  /** Half a core starts fast enough. A whole core saves milliseconds and costs more. */
  api: 1_024,
  renderer: 1_769,
  generator: 1_024,
} as const;

/** The name of a function in log records. Its folder below `lambda/functions` has the same name. */
export type FunctionName = keyof typeof functionMemoryMb;
export const functionNames = Object.keys(functionMemoryMb) as readonly FunctionName[];

/** Writes the logical id of a function in the template, such as `ApiFunction`. */
export const nameFunctionId = (name: FunctionName): string =>
  `${name[0]?.toUpperCase()}${name.slice(1)}Function`;
