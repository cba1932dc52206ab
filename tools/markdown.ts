/** Writes amounts and tables in Markdown. */

/** An amount in US dollars, to the cent. */
export const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

/** Numbers, amounts, ratios and their bounds. */
const numeric = /^([$≤≥] ?)?[\d.,]+( ×)?$|^–$/;

/** A Markdown table; columns of numbers are right-aligned. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = head.map((_, i) => (rows.every((row) => numeric.test(row[i] ?? '')) ? '---:' : '---'));
  return [head, line, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
