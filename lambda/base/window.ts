/** UTC clock minutes and hours, days and calendar months: the windows in which requests are counted, and moments as callers read them. */

/** A span of UTC time in which units are counted. */
export interface Window {
  readonly kind: 'half-minute' | 'minute' | 'hour' | 'day' | 'month';
  /** `yyyy-mm-ddThh:mm:ss`, `yyyy-mm-ddThh:mm`, `yyyy-mm-ddThh`, `yyyy-mm-dd` or `yyyy-mm`, UTC. */
  readonly label: string;
  /** First millisecond of the window, since the epoch. */
  readonly startMs: number;
  /** First millisecond after the window, since the epoch. */
  readonly endMs: number;
}

/** The half of a UTC clock minute that holds a moment. */
export function halfMinuteWindow(nowMs: number): Window {
  return fixedWindow('half-minute', 30_000, 19, nowMs);
}

/** The UTC clock minute that holds a moment. */
export function minuteWindow(nowMs: number): Window {
  return fixedWindow('minute', 60_000, 16, nowMs);
}

/** The UTC clock hour that holds a moment. */
export function hourWindow(nowMs: number): Window {
  return fixedWindow('hour', 3_600_000, 13, nowMs);
}

/** The UTC day that holds a moment. */
export function dayWindow(nowMs: number): Window {
  return fixedWindow('day', 86_400_000, 10, nowMs);
}

function fixedWindow(
  kind: Exclude<Window['kind'], 'month'>,
  lengthMs: number,
  labelLength: number,
  nowMs: number,
): Window {
  const startMs = Math.floor(nowMs / lengthMs) * lengthMs;
  const label = new Date(startMs).toISOString().slice(0, labelLength);
  return { kind, label, startMs, endMs: startMs + lengthMs };
}

/** The UTC calendar month that holds a moment. */
export function monthWindow(nowMs: number): Window {
  const date = new Date(nowMs);
  const startMs = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  return {
    kind: 'month',
    label: new Date(startMs).toISOString().slice(0, 7),
    startMs,
    endMs: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1),
  };
}

/** Whole seconds until a window ends, rounded up, so that a client that waits them is never early. */
export function secondsLeft(window: Window, nowMs: number): number {
  return Math.max(0, Math.ceil((window.endMs - nowMs) / 1_000));
}

/** ISO 8601 in UTC, to the second. */
export function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** An end in ISO 8601 in UTC, to the second; `null` where there is none. @param endMs moment (epoch, milliseconds), or `Infinity` */
export function isoEnd(endMs: number): string | null {
  return endMs === Infinity ? null : isoSeconds(endMs);
}
