import { hash } from 'node:crypto';

/** Lower-case hex SHA-256 of a text. */
export function sha256Hex(text: string): string {
  return hash('sha256', text);
}
