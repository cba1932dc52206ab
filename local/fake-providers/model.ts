/** A fake server of models that speaks OpenAI's chat and images APIs. As a judge it reads what fake providers have drawn, and no title. */

import sharp from 'sharp';
import { isEnglish } from '../../lambda/stock/dictionary/dictionary';
import { searchWords, understand } from '../../lambda/stock/understand';
import { type FakeProvider, json, notFound } from './fake-provider';
import { readCell } from './photo-code';

/** Side of a cell of a contact sheet in pixels, and the cells of a row. */
const cellPx = 320;
const columns = 4;
const fits = ['exact', 'partial', 'loose'] as const;

interface Question {
  readonly query: string;
  readonly lang: string | null;
  /** Of a judge alone. */
  readonly images?: number;
}

interface Content {
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

/** Judges contact sheets and rewrites queries; the same question has the same answer. */
export const fakeModel: FakeProvider = {
  keyIn: { header: 'authorization' },

  wordsOf: () => undefined,

  async answer({ path, body }) {
    if (path === '/models') return json({ data: [{ id: 'fake' }] });
    if (path === '/images/generations') return json({ data: [{ b64_json: await drawn(JSON.parse(body)) }] });
    if (path !== '/chat/completions') return notFound;
    const { messages } = JSON.parse(body) as { messages: [object, { content: [Content, Content?] }] };
    const [{ text = '{}' }, picture] = messages[1].content;
    const question = JSON.parse(text) as Question;
    const said = picture?.image_url ? await judged(question, picture.image_url.url) : rewritten(question);
    return json({ choices: [{ message: { content: JSON.stringify(said) } }] });
  },
};

/** A plain PNG in base64. @param size `WxH` in pixels */
async function drawn({ size = '1024x1024' }: { readonly size?: string }): Promise<string> {
  const [width = 0, height = 0] = size.split('x').map(Number);
  const plain = sharp({ create: { width, height, channels: 3, background: '#456' } });
  return (await plain.png().toBuffer()).toString('base64');
}

function subjectOf({ query, lang }: Question) {
  return understand(query, lang ?? undefined);
}

function rewritten(question: Question) {
  const subject = subjectOf(question);
  // The fake providers know no others.
  const english = { ...subject, words: subject.words.filter(({ word }) => isEnglish(word)) };
  return { searches: [3, 1].map((count) => searchWords(english, count) || 'landscape') };
}

async function judged(question: Question, dataUrl: string) {
  const sheet = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');
  const { data, info } = await sharp(sheet).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { words } = subjectOf(question);
  const seen = Array.from({ length: question.images ?? 0 }, (_, index) => {
    const [left, top] = [(index % columns) * cellPx, Math.floor(index / columns) * cellPx];
    const { shows, has, focal } = readCell({ data, widthPx: info.width }, left, top, cellPx);
    const shown = words.filter(({ stem }) => shows(stem)).length;
    const fit = shown === words.length ? 'exact' : shown > 0 ? 'partial' : 'loose';
    return { n: index + 1, fit, has, focal, calm: focal.x > 0.5 ? 'left' : 'right' } as const;
  });
  const rank = ({ fit, has }: (typeof seen)[number]) => fits.indexOf(fit) * 8 + has.length;
  return {
    images: seen.sort((a, b) => rank(a) - rank(b) || a.n - b.n),
    alt: `A photograph that shows ${question.query}`.slice(0, 125),
  };
}
