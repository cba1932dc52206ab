/** Charges an image that a signer or site key shows once a UTC day: the first request pays, the others wait for it. */

import type { Clock } from '../base/clock';
import { withDeadline } from '../base/deadline';
import { createExpiringCache } from '../base/expiring-cache';
import { orLogged } from '../base/or-logged';
import { poll } from '../base/poll';
import { createSingleFlight } from '../base/single-flight';
import type { Telemetry } from '../base/telemetry';
import { paymentPendingMs, renditionReserveMs } from '../contract/timeouts';
import type { KeyedCaller } from '../credentials/caller';
import type { Answer } from '../images/answer';
import {
  generationInProgress,
  inProgressRetryAfterS,
  type ProblemCode,
  type Refusal,
} from '../problems/problem';
import { paidImageWorkOf } from '../quota/caller-limits';
import { accountLimit, refusalRemembered } from '../quota/charge';
import { rateLimitStatusOf } from '../quota/limit';
import { type PaidImage, type PaidImages, paidImageOf } from '../quota/paid-images';
import { freePayment, isKept, paymentOf } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { LimitServices } from '../quota/take';
import type { ImageRequest } from '../requests/image-request';

interface ServeOnceDeps {
  readonly paidImages: PaidImages;
  readonly refusals: LimitServices['refusals'];
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Serves an image in a context, which may say that it is paid already. */
type ServePaid = (context: RequestContext) => Promise<Answer>;
/** Decides what pays for the image of a request, and has it served. */
export type PayOnce = (request: ImageRequest, context: RequestContext, serve: ServePaid) => Promise<Answer>;

/** For callers with a signer or site key. @throws as `serve` does, and when the marks cannot be read or written. */
export type ServeOnce = (caller: KeyedCaller) => PayOnce;

type PaidRequest = Parameters<PayOnce>;

/** `paid`: by another request; otherwise the answer of the request that wanted to pay. */
type Paying = 'paid' | Answer;

/** How long a card is given out without asking again what it costs, in milliseconds. */
const cardRememberedMs = 3_600_000;
const imagesRememberedMax = 20_000;
/** What holds for every request for the same image, whatever its size. */
const sharedRefusals: ReadonlySet<ProblemCode> = new Set([
  'quota_exceeded',
  'rate_limited',
  'no_image_found',
  'content_refused',
]);

/** An instance remembers what is paid until the end of the day. */
export function createServeOnce(deps: ServeOnceDeps): ServeOnce {
  const { paidImages, clock, telemetry } = deps;
  // What is paid stays paid, so it is remembered to the end of its day.
  const paid = createExpiringCache<true>(imagesRememberedMax);
  const flights = createSingleFlight<Paying>();

  const remember = ({ key, day }: PaidImage) => paid.set(key, true, day.endMs);

  /** Ends a payment whose request has charged, or may have: from now on the image counts as paid. */
  const settle = async (image: PaidImage, holder: string, outcome: 'charged' | 'unknown'): Promise<void> => {
    telemetry.count('paidImages', { outcome });
    remember(image);
    // What cannot be marked stays pending until others take it as paid.
    await orLogged(telemetry, 'A paid image was not marked', () => paidImages.settle(image, holder));
  };

  const release = (image: PaidImage, holder: string) =>
    orLogged(telemetry, 'A pending payment was not released', () => paidImages.release(image, holder));

  /** Serves a request that holds the pending mark, and settles or releases the mark by what was charged. */
  const pay = async (image: PaidImage, [, context, serve]: PaidRequest): Promise<Paying> => {
    const holder = context.requestId;
    let answer: Answer;
    try {
      answer = await serve(context);
    } catch (error) {
      const payment = paymentOf(error);
      if (payment && !isKept(payment)) await release(image, holder);
      else await settle(image, holder, 'unknown');
      throw error;
    }
    const { outcome, payment } = answer;
    if (payment && isKept(payment)) await settle(image, holder, outcome === 'served' ? 'charged' : 'unknown');
    else if ((await release(image, holder)) && outcome === 'refused') return 'paid';
    // The card of an image that is gone costs nothing, and its page may have many visitors.
    if (outcome === 'served' && payment.state === 'free' && payment.because === 'no-image')
      paid.set(image.key, true, clock.nowMs() + cardRememberedMs);
    return answer;
  };

  const waitEndsMs = ({ deadlineMs }: RequestContext) => deadlineMs - renditionReserveMs;

  /** Pays for an image unless it is paid, or another request does so meanwhile. */
  const payUnlessPaid = async (image: PaidImage, request: PaidRequest): Promise<Paying> => {
    const [{ provider }, context] = request;
    const { requestId, requestLimits } = context;
    const read = () => paidImages.read(image);
    let mark = await read();
    for (;;) {
      if (mark.state === 'paid') {
        remember(image);
        return 'paid';
      }
      if (mark.state === 'pending') {
        const pending = mark;
        const endsMs = Math.min(waitEndsMs(context), pending.endsMs);
        // A read that fails saw no change, and the next one may work.
        const readAgain = () => read().catch(() => pending);
        mark = await poll(mark, ({ holder }) => holder === pending.holder, readAgain, { clock, endsMs });
        if (mark.holder !== pending.holder) continue;
        if (clock.nowMs() < pending.endsMs) return stillPending(provider === 'ai');
        // Whether its holder has charged is not known, so the account is not charged again.
        if (await paidImages.settle(image, pending.holder))
          telemetry.count('paidImages', { outcome: 'unknown' });
        mark = await read();
        continue;
      }
      const refusal = refusalRemembered(deps, requestLimits);
      if (refusal) return { outcome: 'refused', refusal };
      const begun = await paidImages.begin(image, requestId, clock.nowMs() + paymentPendingMs);
      if (begun === 'begun') return pay(image, request);
      mark = begun;
    }
  };

  return (caller) => async (request, context, serve) => {
    const image = paidImageOf(caller, request, accountLimit(context.requestLimits), clock.nowMs());
    const serveFree = async () => {
      telemetry.count('paidImages', { outcome: 'free' });
      // Nobody is told it: the visitors of a page see no quota of its account.
      const rateLimit = rateLimitStatusOf(accountLimit(context.requestLimits), 0);
      const payment = freePayment('paid-before', rateLimit);
      // What one unit has paid for is delivered as often as it is viewed, and made in so many sizes and formats.
      const workLimits = [paidImageWorkOf(caller, image.key, clock.nowMs())];
      return serve({ ...context, payment, workLimits });
    };
    for (;;) {
      if (paid.get(image.key, clock.nowMs())) return serveFree();
      const { result, leads } = flights(image.key, () => payUnlessPaid(image, [request, context, serve]));
      const paying = leads
        ? await result
        : await withDeadline(clock, waitEndsMs(context), () => result).catch(() => undefined);
      if (paying === 'paid') return serveFree();
      if (paying && (leads || isShared(paying))) return paying;
      if (clock.nowMs() >= waitEndsMs(context)) return stillPending(request.provider === 'ai');
    }
  };
}

function isShared(answer: Answer): boolean {
  return answer.outcome === 'refused' && sharedRefusals.has(answer.refusal.code);
}

/** The answer when the request that pays does not end in time: the image may be there in a moment. */
function stillPending(isGenerated: boolean): Answer {
  const refusal: Refusal = isGenerated
    ? generationInProgress
    : { code: 'upstream_unavailable', retryAfterS: inProgressRetryAfterS };
  return { outcome: 'refused', refusal };
}
