/** Writes results to stdout, as text for people or JSON for scripts; everything else goes to stderr. */

export interface Output {
  /** The command's one result: JSON with `--json`, else the text. */
  result(value: unknown, text: () => string): void;
  /** A remark for people. */
  note(text: string): void;
}

export interface OutputStreams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

export function createOutput({ stdout, stderr }: OutputStreams, isJson: boolean): Output {
  return {
    result: (value, text) => {
      const written = isJson ? JSON.stringify(value) : text().trimEnd();
      stdout.write(`${written}\n`);
    },
    note: (text) => {
      stderr.write(`${text}\n`);
    },
  };
}

/** Rows under a head, each column as wide as its widest cell; numbers stand to the right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const widths = head.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => [...String(row[i] ?? '')].length)),
  );
  const line = (cells: readonly (string | number)[]) =>
    cells
      .map((cell, i) => {
        const text = String(cell);
        const gap = ' '.repeat(Math.max(0, (widths[i] ?? 0) - [...text].length));
        return typeof cell === 'number' ? gap + text : text + gap;
      })
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Names and values below one another. */
export function facts(entries: readonly (readonly [string, string | number | undefined])[]): string {
  const present = entries.filter(([, value]) => value !== undefined);
  const width = Math.max(...present.map(([name]) => name.length));
  return present.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}
