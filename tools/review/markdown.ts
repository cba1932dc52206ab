/** Writes amounts and tables in Markdown. */

/** An amount in US dollars, to the cent. */
export const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

/** A Markdown table; columns of amounts are right-aligned. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = head.map((_, i) => (rows.every((row) => row[i]?.startsWith('$')) ? '---:' : '---'));
  return [head, line, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
