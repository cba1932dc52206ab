/** Reports that a rendition or a placeholder was not made. */

import type { Telemetry } from '../base/telemetry';
import { RendererBusy } from './renderer';

const messages = {
  rendition: 'A rendition was not made',
  placeholder: 'A placeholder was not made',
} as const;

/**
 * Logs why something was not made. That no instance of the renderer is free is load, which is counted, and no fault.
 * @param about the image, as fields of the log line
 */
export function reportNotRendered(
  telemetry: Pick<Telemetry, 'count' | 'error' | 'info'>,
  what: keyof typeof messages,
  error: unknown,
  about: Readonly<Record<string, string>>,
): void {
  if (error instanceof RendererBusy) {
    telemetry.count('shed', { reason: what });
    telemetry.info(messages[what], { ...about, reason: error.message });
  } else telemetry.error(messages[what], error, about);
}
