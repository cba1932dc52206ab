/** Computes the windows of UTC time in which units are counted, and writes moments for people. */

/** A span of UTC time in which units are counted. */
export interface Window {
  readonly kind: 'half-minute' | 'minute' | 'hour' | 'day' | 'month';
  /** The start in UTC, from `yyyy-mm-ddThh:mm:ss` for a half-minute to `yyyy-mm` for a month. */
  readonly label: string;
  readonly startMs: number;
  /** The first millisecond after the window. */
  readonly endsMs: number;
}

const dayS = 86_400;
export const dayMs = 86_400_000;

const createWindowFunction =
  (kind: Exclude<Window['kind'], 'month'>, lengthMs: number, labelLength: number) =>
  (nowMs: number): Window => {
    const startMs = Math.floor(nowMs / lengthMs) * lengthMs;
    const label = new Date(startMs).toISOString().slice(0, labelLength);
    return { kind, label, startMs, endsMs: startMs + lengthMs };
  };

// Each of these functions computes the window that contains a moment.
export const computeHalfMinuteWindow = createWindowFunction('half-minute', 30_000, 19);
export const computeMinuteWindow = createWindowFunction('minute', 60_000, 16);
export const computeHourWindow = createWindowFunction('hour', 3_600_000, 13);
export const computeDayWindow = createWindowFunction('day', dayMs, 10);

/** Computes the UTC calendar month that contains a moment. */
export function computeMonthWindow(nowMs: number): Window {
  const date = new Date(nowMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const [startMs, endsMs] = [Date.UTC(year, month), Date.UTC(year, month + 1)];
  return { kind: 'month', label: new Date(startMs).toISOString().slice(0, 7), startMs, endsMs };
}

/** Lists the days (`yyyy-mm-dd`) of a month (`yyyy-mm`), in order. */
export function listDaysOfMonth(label: string): readonly string[] {
  const [year = 0, month = 0] = label.split('-').map(Number);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return Array.from({ length: days }, (_, i) => `${label}-${String(i + 1).padStart(2, '0')}`);
}

/** Computes the seconds until a moment, rounded up to 1 at least, so that no client retries too early. */
export function computeSecondsUntil(ms: number, nowMs: number): number {
  return Math.max(1, Math.ceil((ms - nowMs) / 1_000));
}

/** Computes the `ttl` of an item in epoch seconds. DynamoDB may delete the item from then on. */
export const computeTtlS = (endsMs: number): number => Math.ceil(endsMs / 1_000);

/** Writes a moment in ISO 8601 in UTC, to the second. */
export function formatIsoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Writes a moment for people, such as `in 23 minutes, 19:00 UTC`. Without `nowMs`, it is ISO 8601. */
export function formatMoment(ms: number, nowMs: number | undefined): string {
  if (nowMs === undefined) return `at ${formatIsoSeconds(ms)}`;
  const date = new Date(ms);
  const time = `${date.toISOString().slice(11, 16)} UTC`;
  const seconds = computeSecondsUntil(ms, nowMs);
  // Each row is a unit, its seconds, and the number of seconds from which the next unit is exact enough.
  const units = [
    ['second', 1, 100],
    ['minute', 60, 6_000],
    ['hour', 3_600, 36 * 3_600],
    ['day', dayS, Infinity],
  ] as const;
  const [unit, unitS] = units.find(([, , below]) => seconds < below) ?? units[3];
  const count = Math.round(seconds / unitS);
  const dayText = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
  const day = seconds < dayS ? '' : `${dayText}, `;
  return `in ${count} ${unit}${count === 1 ? '' : 's'}, ${day}${time}`;
}
