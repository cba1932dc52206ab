/** Both families of rate limit headers agree. */

import fc from 'fast-check';
import { hourWindow, monthWindow } from '../../lambda/domain/quota/window';
import { rateHeaders } from '../../lambda/http/rate-headers';

describe('the rate headers', () => {
  it('state the rate limit of an anonymous caller', () => {
    const nowMs = Date.parse('2026-11-21T12:59:00Z');
    expect(rateHeaders({ limit: 10, remaining: 3, window: hourWindow(nowMs) }, nowMs)).toEqual({
      'X-RateLimit-Limit': '10',
      'X-RateLimit-Remaining': '3',
      'X-RateLimit-Reset': '2026-11-21T13:00:00Z',
      'RateLimit-Policy': '"hour";q=10;w=3600',
      RateLimit: '"hour";r=3;t=60',
    });
  });

  it('state the length of a leap month', () => {
    const nowMs = Date.parse('2028-02-29T23:59:59.5Z');
    const headers = rateHeaders({ limit: 1_000, remaining: 0, window: monthWindow(nowMs) }, nowMs);
    expect(headers['RateLimit-Policy']).toBe(`"month";q=1000;w=${29 * 86_400}`);
    expect(headers['RateLimit']).toBe('"month";r=0;t=1');
    expect(headers['X-RateLimit-Reset']).toBe('2028-03-01T00:00:00Z');
  });

  it('agree with each other for every rateLimit at every moment', () => {
    const rateLimit = fc
      .tuple(
        fc.integer({ min: 0, max: Date.UTC(2199, 0) }),
        fc.constantFrom(hourWindow, monthWindow),
        fc.nat(),
        fc.nat(),
      )
      .map(([nowMs, windowOf, a, b]) => ({
        nowMs,
        rateLimit: { limit: Math.max(a, b), remaining: Math.min(a, b), window: windowOf(nowMs) },
      }));
    fc.assert(
      fc.property(rateLimit, ({ nowMs, rateLimit }) => {
        const headers = rateHeaders(rateLimit, nowMs);
        const [, policy, limit, lengthS] =
          /^"(\w+)";q=(\d+);w=(\d+)$/.exec(headers['RateLimit-Policy'] ?? '') ?? [];
        const [, name, remaining, leftS] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(headers['RateLimit'] ?? '') ?? [];
        expect(name).toBe(policy);
        expect(limit).toBe(headers['X-RateLimit-Limit']);
        expect(remaining).toBe(headers['X-RateLimit-Remaining']);
        expect(Number(lengthS) * 1_000).toBe(rateLimit.window.endMs - rateLimit.window.startMs);
        const resetMs = Date.parse(headers['X-RateLimit-Reset'] ?? '');
        expect(resetMs).toBe(rateLimit.window.endMs);
        const lateMs = nowMs + Number(leftS) * 1_000 - resetMs;
        expect(lateMs).toBeGreaterThanOrEqual(0);
        expect(lateMs).toBeLessThan(1_000);
      }),
    );
  });
});
