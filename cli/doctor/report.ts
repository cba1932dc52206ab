/** Prints the findings of the doctor: a table for people with what fixes each below it, or JSON. */

import type { Output } from '../output';
import { table } from '../output';
import type { Finding } from './finding';

const words = { pass: 'pass', warning: 'WARNING', failure: 'FAILURE' } as const;

/**
 * @param subject what was examined, for people
 * @param nowMs moment (epoch, milliseconds)
 */
export function report(output: Output, subject: string, findings: readonly Finding[], nowMs: number): void {
  const count = (outcome: Finding['outcome']) => findings.filter((each) => each.outcome === outcome).length;
  const counts = { passes: count('pass'), warnings: count('warning'), failures: count('failure') };
  output.result({ subject, at: new Date(nowMs).toISOString(), ...counts, findings }, (columns) => {
    const rows = findings.map(({ check, outcome, found }) => [words[outcome], check, found]);
    // Commands are not wrapped, so that they can be copied.
    const fixes = findings.flatMap(({ check, fix }) => (fix === undefined ? [] : [`${check}:\n  ${fix}`]));
    return [
      `Checks of ${subject}\n`,
      table(['RESULT', 'CHECK', 'FOUND'], rows, columns),
      ...(fixes.length > 0 ? [`\nTo fix them:\n${fixes.join('\n')}`] : []),
      `\n${counts.passes} passed, ${counts.warnings} warnings, ${counts.failures} failures`,
    ].join('\n');
  });
}
