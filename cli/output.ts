/** Writes results to stdout, as text for people or JSON for scripts; everything else goes to stderr. */

export interface Output {
  /** The command's one result: JSON with `--json`, else the text. */
  result(value: unknown, text: (columns: number) => string): void;
  /** A remark for people. */
  note(text: string): void;
}

export interface OutputStreams {
  /** `columns` is the width of a terminal; a pipe has none. */
  readonly stdout: { write(text: string): unknown; readonly columns?: number };
  readonly stderr: { write(text: string): unknown };
}

export function createOutput({ stdout, stderr }: OutputStreams, isJson: boolean): Output {
  return {
    result: (value, text) => {
      const written = isJson
        ? JSON.stringify(value)
        : text(stdout.columns ?? Number.POSITIVE_INFINITY).trimEnd();
      stdout.write(`${written}\n`);
    },
    note: (text) => {
      stderr.write(`${text}\n`);
    },
  };
}
