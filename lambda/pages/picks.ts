/** Answers `/api/picks`: the images that a query has, and what the account has decided about them. */

import * as z from 'zod/mini';
import type { Change } from '../base/change-log';
import { batchBounds } from '../contract/batch';
import { bounds, parameters } from '../contract/parameters';
import { stockSlots } from '../contract/providers';
import { sheetImagesMax } from '../contract/request-bounds';
import type { AccountId } from '../credentials/account-id';
import type { Caller, KeyedCaller } from '../credentials/caller';
import type { MayChoose } from '../generation/serve-permalink';
import { rateHeaders } from '../http/answer-headers';
import { type HttpRequest, keyHolderOf } from '../http/http-request';
import { type HttpRefusal, type HttpResult, invalidParameter, jsonResponse } from '../http/http-response';
import { singleValues } from '../http/single-values';
import { describedBy } from '../images/alt-text';
import type { Orientation } from '../images/image';
import type { PickedImages } from '../images/picked-images';
import type { SheetJob } from '../images/renderer-job';
import { refusalOfFault } from '../problems/fault';
import { type RateLimitStatus, type Refusal, rendererBusy, throttleRefusal } from '../problems/problem';
import type { Ledger } from '../quota/ledger';
import { FaultAfterCharge } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { RecordUsage } from '../quota/usage/record-usage';
import type { UsageOutcome, UsageRefusal } from '../quota/usage/usage';
import type { StockRequest } from '../requests/image-request';
import { oncePerParameter } from '../requests/parse-request';
import type { Size } from '../requests/rendition';
import {
  type ChooseImage,
  cursorPattern,
  type Decided,
  type DecisionChange,
  type DecisionView,
} from '../stock/choose-image';
import type { ContactSheet, MakeContactSheet, SheetImage } from '../stock/contact-sheet';
import type { Curate } from '../stock/curation';
import { isVisibleTo } from '../stock/find-picked';
import { createSearchCaller } from '../stock/search-caller';
import { refusalOf } from '../stock/serve-stock';
import { readJsonBody } from './batch';

/** Draws small sizes of images as JPEGs in base64, or all on one. @throws when the renderer does not answer in time */
export type DrawSheet = (job: SheetJob, deadlineMs: number) => Promise<readonly (string | null)[]>;

/** What contact sheets and decisions are made with. */
export interface PicksDeps {
  readonly makeSheet: MakeContactSheet;
  readonly drawSheet: DrawSheet;
  readonly chooseImage: ChooseImage;
  readonly curate: Curate;
  /** What an image that the account may choose is; `undefined` for any other. @throws when a table does not answer */
  readonly choosable: (pick: string, account: AccountId) => Promise<'photo' | 'ai' | undefined>;
  /** Writes what a caller has decided into the log of changes. @throws when it is not known to be written: the decision stands */
  readonly recordChange: (caller: KeyedCaller, change: Change) => Promise<unknown>;
  readonly ledger: Pick<Ledger, 'charge' | 'refund' | 'take'>;
  readonly recordUsage: RecordUsage;
  readonly contextOf: (request: HttpRequest, caller: Caller) => RequestContext;
  readonly nowMs: () => number;
}

/** Sizes that stand for an orientation, as the images of a query do at every size of one. */
const sizes: Readonly<Record<Orientation, Size>> = {
  landscape: { widthPx: 1_200, heightPx: 800 },
  portrait: { widthPx: 800, heightPx: 1_200 },
  square: { widthPx: 1_000, heightPx: 1_000 },
};
/** In the order in which they are listed. */
export const orientations = Object.keys(sizes) as [Orientation, ...Orientation[]];

const words = {
  query: parameters.shape.query,
  orientation: z.optional(z.enum(orientations)),
  provider: z._default(z.enum(stockSlots), 'stock_a'),
};
const { lang, pick } = parameters.shape;
const sheetParameters = z.object({ ...words, lang, format: z.optional(z.enum(['json', 'image'])) });
const listParameters = z.extend(z.omit(sheetParameters, { query: true }), {
  cursor: z._default(z.string().check(z.regex(cursorPattern)), ''),
});
const undoParameters = z.object({ ...words, refuse: pick });
const seed = z.int().check(z.gte(1), z.lte(sheetImagesMax));
/** The body of a decision; exactly one of `decisionFields` is present. */
export const decisionSchema = z.object({
  ...words,
  orientation: words.orientation.check(z.describe('All three by default.')),
  pick: pick.check(z.describe('Chooses this image.')),
  seed: z.optional(seed).check(z.describe('Chooses the image of this number.')),
  refuse: pick.check(z.describe('Refuses this image.')),
});
/** What a decision does. */
export const decisionFields = ['pick', 'seed', 'refuse'] as const;

const oneOf = (values: readonly string[]) => `one of ${values.join(', ')}`;
const accepted: Readonly<Record<string, string>> = {
  ...bounds,
  orientation: oneOf(orientations),
  provider: oneOf(stockSlots),
  format: 'json or image',
  cursor: 'next of the page before, or empty',
  seed: `a whole number from 1 to ${sheetImagesMax}`,
  refuse: bounds.pick,
};

const described = (text: string) => z.string().check(z.describe(text));
const pickSchema = described('Id of an image, as in its record.');
const chosen = z
  .nullable(pickSchema)
  .check(z.describe('The image that is shown; null where none was chosen.'));
const refused = z.array(pickSchema).check(z.describe('The images that are never shown.'));
const orientation = z.nullable(z.enum(orientations)).check(z.describe('null for all three.'));

/** What is decided about the images of some words. */
export const decisionViewSchema = z.object({
  query: z.string(),
  orientation,
  provider: z.enum(stockSlots),
  chosen,
  refused,
});
/** A page of everything that the account has decided. */
export const decisionPageSchema = z.object({
  picks: z.array(z.extend(decisionViewSchema, { at: z.iso.datetime() })),
  next: z.nullable(described('cursor of the next page; null after the last.')),
});
const side = z.nullable(z.int()).check(z.describe('Of the original, in pixels.'));
/** The images of a query. */
export const sheetSchema = z.object({
  query: z.string(),
  orientation: z.enum(orientations),
  provider: z.enum(stockSlots),
  chosen,
  refused,
  candidates: z.array(
    z.object({
      number: z.int().check(z.describe('The seed that shows it to accounts that have decided nothing.')),
      pick: pickSchema,
      thumbnail: described('URL of a small size that loads without a key, or a data URI.'),
      width: side,
      height: side,
      alt: z.nullable(z.string()),
      title: z.nullable(z.string()),
      fit: z.enum(['exact', 'partial', 'loose']),
      credit: described('The credit line.'),
      chosen: z.boolean(),
      refused: z.boolean(),
    }),
  ),
});
/** The images of a query as they are answered with. */
export type SheetView = Readonly<Omit<z.infer<typeof sheetSchema>, 'refused'>> &
  Pick<DecisionView, 'refused'>;

/** What a contact sheet is made for. */
type SheetWords = Omit<z.infer<typeof sheetParameters>, 'format'>;

/** What a request states, by name, before it is validated. */
type Given = Readonly<Record<string, unknown>>;

/** Answers every method of the route: shows or lists, chooses or refuses, and undoes. */
export async function answerPicks(deps: PicksDeps, request: HttpRequest): Promise<HttpResult> {
  const caller = keyHolderOf(request);
  if ('refusal' in caller) return caller;
  const stated = request.method === 'POST' ? readBody(request) : singleValues(request.query);
  if ('refusal' in stated) return stated;
  const { given } = stated;
  if (request.method === 'POST') return postPicks(deps, request, caller, given);
  if (request.method !== 'DELETE') return getPicks(deps, request, caller, given);
  const parsed = parse(undoParameters, given);
  if ('refusal' in parsed) return parsed;
  const undo = { kind: 'undo', pick: parsed.values.refuse } as const;
  return decide(deps, caller, parsed.values, undo, deps.contextOf(request, caller));
}

async function getPicks(
  deps: PicksDeps,
  request: HttpRequest,
  caller: KeyedCaller,
  given: Given,
): Promise<HttpResult> {
  if (given['query'] === undefined) {
    const parsed = parse(listParameters, given);
    return 'refusal' in parsed
      ? parsed
      : jsonResponse(await deps.chooseImage.list(caller.account, parsed.values.cursor));
  }
  if (given['cursor'] !== undefined) return invalidParameter('cursor', 'absent beside query');
  const isWhole = given['format'] === 'image';
  const shown = await showSheet(deps, request, given, isWhole);
  if ('refusal' in shown) return shown;
  const headers = rateHeaders(shown.rateLimit, deps.nowMs());
  return isWhole
    ? {
        status: 200,
        headers: { ...headers, 'Cache-Control': 'no-store', 'Content-Type': 'image/jpeg' },
        body: shown.sheet,
        isBase64: true,
      }
    : jsonResponse(shown.view, headers);
}

/** A contact sheet, and what is left of the caller's quota. */
interface ShownSheet {
  readonly view: SheetView;
  /** All candidates on one JPEG, in base64; empty where each has a thumbnail. */
  readonly sheet: string;
  readonly rateLimit: RateLimitStatus;
}

/**
 * Charges one request, and gives it back where there is no image.
 * @param given the parameters, not validated yet
 * @param isWhole whether the candidates are drawn on one sheet, and have no thumbnails
 * @throws `FaultAfterCharge` when the search or the renderer fails
 */
export async function showSheet(
  deps: PicksDeps,
  request: HttpRequest,
  given: Given,
  isWhole: boolean,
): Promise<ShownSheet | HttpRefusal> {
  const caller = keyHolderOf(request);
  if ('refusal' in caller) return caller;
  const parsed = parse(sheetParameters, given);
  if ('refusal' in parsed) return parsed;
  const { values: wanted } = parsed;
  const { ledger } = deps;
  const context = deps.contextOf(request, caller);
  const usage = deps.recordUsage(caller, request.startedMs);
  const charge = await ledger.charge(context);
  if (charge.outcome === 'refused') {
    await usage.settle([{ refused: charge.refusal.code }]);
    return { refusal: charge.refusal };
  }
  const { payment } = charge;
  let outcome: UsageOutcome | UsageRefusal = { refused: 'internal_error' };
  try {
    const { orientation = 'landscape' } = wanted;
    const scope = { ...wanted, orientation };
    const [made, decision] = await Promise.all([
      sheetOf(deps, caller, scope, context),
      deps.chooseImage.read(caller.account, scope),
    ]);
    const drawn = made.outcome === 'found' ? await draw(deps, made.images, isWhole, context) : undefined;
    if (made.outcome === 'found' && drawn) {
      const [{ slot: source }] = made.images as [SheetImage];
      outcome = { source, cache: made.cache };
      const candidates = drawn.shown.map(({ image, thumbnail }) => candidateView(image, thumbnail, decision));
      const view = { ...decision, orientation, candidates };
      return { view, sheet: drawn.sheet, rateLimit: payment.rateLimit };
    }
    const refusal = made.outcome === 'found' ? ({ code: 'upstream_unavailable' } as const) : refusalOf(made);
    outcome = { refused: refusal.code };
    const { rateLimit } = await ledger.refund(context, payment);
    return { refusal, rateLimit };
  } catch (error) {
    outcome = { refused: refusalOfFault(error).code };
    const after = await ledger.refund(context, payment);
    if (error instanceof Error && error.name === 'RendererBusy')
      return {
        refusal: rendererBusy,
        rateLimit: after.rateLimit,
      };
    throw new FaultAfterCharge(after, error);
  } finally {
    await usage.settle([outcome]);
  }
}

/** The images of a query before anybody has decided. */
async function sheetOf(
  { makeSheet, curate, ledger }: PicksDeps,
  { account }: KeyedCaller,
  { query, orientation = 'landscape', provider, lang }: SheetWords,
  context: RequestContext,
): Promise<ContactSheet> {
  const filters = lang === undefined ? {} : { lang };
  const request: StockRequest = { query, provider, seed: '', filters, ...sizes[orientation], asJson: true };
  const { photos, removed } = await curate.current(request, account);
  const curated = { ...request, ...(photos && { photos }), ...(removed && { removed }) };
  return makeSheet(curated, context.deadlineMs, createSearchCaller(ledger, context));
}

/** The image that an account may choose by its pick, stock or AI. @throws when a table does not answer */
export async function choosableBy(
  {
    pickedImages,
    mayChoose,
  }: { readonly pickedImages: Pick<PickedImages, 'photo'>; readonly mayChoose: MayChoose },
  pick: string,
  account: AccountId,
): Promise<'photo' | 'ai' | undefined> {
  const photo = await pickedImages.photo(pick);
  if (photo) return !photo.value.isGone && isVisibleTo(photo.value, account) ? 'photo' : undefined;
  return (await mayChoose(pick, account)) ? 'ai' : undefined;
}

/** Images with their thumbnails, or all on one sheet; without those that cannot be loaded. `undefined` where none can. */
async function draw(
  { drawSheet }: PicksDeps,
  images: readonly SheetImage[],
  isWhole: boolean,
  { deadlineMs }: RequestContext,
) {
  const isLinked = ({ isHotlinked, thumbnail }: SheetImage) => isHotlinked && thumbnail.kind === 'remote';
  const drawn = isWhole ? images : images.filter((image) => !isLinked(image));
  const wanted = drawn.map(({ thumbnail: source, number }) => ({ source, number }));
  const jpegs =
    wanted.length > 0 ? await drawSheet({ kind: 'sheet', isWhole, images: wanted }, deadlineMs) : [];
  if (isWhole) return { sheet: jpegs[0] ?? '', shown: images.map((image) => ({ image, thumbnail: '' })) };
  const byPick = new Map(drawn.map(({ pick }, index) => [pick, jpegs[index]]));
  const shown = images.flatMap((image) => {
    const jpeg = byPick.get(image.pick);
    if (jpeg) return [{ image, thumbnail: `data:image/jpeg;base64,${jpeg}` }];
    return image.thumbnail.kind === 'remote' && isLinked(image)
      ? [{ image, thumbnail: image.thumbnail.url }]
      : [];
  });
  return shown.length > 0 ? { sheet: '', shown } : undefined;
}

function candidateView(
  { number, pick, candidate, fit }: SheetImage,
  thumbnail: string,
  { chosen, refused }: DecisionView,
): SheetView['candidates'][number] {
  const { widthPx, heightPx, attribution } = candidate;
  const { alt, title } = describedBy(candidate);
  return {
    number,
    pick,
    thumbnail,
    width: widthPx ?? null,
    height: heightPx ?? null,
    alt: alt ?? null,
    title: title ?? null,
    fit,
    credit: attribution.creditLine,
    chosen: pick === chosen,
    refused: refused.includes(pick),
  };
}

async function postPicks(
  deps: PicksDeps,
  request: HttpRequest,
  caller: KeyedCaller,
  given: Given,
): Promise<HttpResult> {
  const parsed = parse(decisionSchema, given);
  if ('refusal' in parsed) return parsed;
  const { values } = parsed;
  const stated = decisionFields.filter((name) => values[name] !== undefined);
  if (stated.length !== 1)
    return invalidParameter(stated[1] ?? 'pick', `exactly one of ${decisionFields.join(', ')}`);
  const context = deps.contextOf(request, caller);
  const change = await changeOf(deps, caller, values, context);
  return 'refusal' in change ? change : decide(deps, caller, values, change, context);
}

/** What a body decides, of an image that the account may show. */
async function changeOf(
  deps: PicksDeps,
  caller: KeyedCaller,
  { pick, seed, refuse, ...wanted }: z.infer<typeof decisionSchema>,
  context: RequestContext,
): Promise<DecisionChange | HttpRefusal> {
  if (seed !== undefined) {
    const made = await sheetOf(deps, caller, { ...wanted, lang: undefined }, context);
    if (made.outcome !== 'found') return { refusal: refusalOf(made) };
    const image = made.images.find(({ number }) => number === seed);
    return image ? { kind: 'choose', pick: image.pick } : { refusal: { code: 'no_image_found' } };
  }
  const named = pick ?? refuse ?? '';
  const kind = await deps.choosable(named, caller.account);
  if (!kind) return { refusal: { code: 'not_found' } };
  if (pick === undefined) return { kind: 'refuse', pick: named };
  return { kind: 'choose', pick: named, ...(kind === 'ai' && { isAi: true as const }) };
}

/** The refusals of changes that were not made. */
const notDecided: Readonly<Record<Exclude<Decided['outcome'], 'decided'>, Refusal>> = {
  nothing: { code: 'not_found' },
  full: { code: 'too_many_picks' },
  busy: throttleRefusal,
};

const actions = { choose: 'pick.chosen', refuse: 'pick.refused', undo: 'pick.undone' } as const;

async function decide(
  deps: PicksDeps,
  caller: KeyedCaller,
  { query, provider, orientation }: Omit<SheetWords, 'lang'>,
  change: DecisionChange,
  { deadlineMs }: RequestContext,
): Promise<HttpResult> {
  const scope = { query, provider, orientation };
  const { account } = caller;
  const decided = await deps.chooseImage.change(account, scope, change, deadlineMs);
  if (decided.outcome !== 'decided') return { refusal: notDecided[decided.outcome] };
  const id = change.pick;
  await deps.recordChange(caller, { action: actions[change.kind], account, ...(id && { id }), query });
  return jsonResponse(decided.view);
}

function readBody(request: HttpRequest): { readonly given: Given } | HttpRefusal {
  const body = readJsonBody(request, batchBounds.bytesMax);
  if ('refusal' in body) return body;
  const { json } = body;
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? { given: json as Given }
    : invalidParameter('body', 'a JSON object');
}

/** What is null counts as absent. */
function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  given: Given,
): { readonly values: z.output<Schema> } | HttpRefusal {
  const stated = Object.entries(given).filter(([, value]) => value != null);
  const parsed = schema.safeParse(Object.fromEntries(stated));
  if (parsed.success) return { values: parsed.data };
  const faults = parsed.error.issues.map(({ path: [name] }) => {
    const parameter = String(name);
    return { parameter, bounds: accepted[parameter] ?? 'absent' };
  });
  return { refusal: { code: 'invalid_parameter', faults: oncePerParameter(faults) } };
}
