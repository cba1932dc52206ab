/** `image-redirect rights`: the images that an account has shown, and what their licences ask for. */

import { type Command, Option } from 'commander';
import { html } from '../../lambda/docs/page/html';
import type { CreditRow } from '../../lambda/images/credits-schema';
import { createReadShownImages } from '../../lambda/images/dynamodb/shown-items';
import { creditRowOf } from '../../lambda/images/shown-images';
import { createCommand } from '../command';
import { accountOf } from '../keys/find-keys';
import { withKeysOptions, withSession } from '../keys/session';
import { table } from '../output';

const formats = ['json', 'csv', 'html'] as const;
const columns = [
  'pick',
  'provider',
  'creator',
  'license',
  'licenseUrl',
  'link',
  'creditLine',
  'creditDue',
  'since',
  'pages',
] as const satisfies readonly (keyof CreditRow)[];

interface RightsOptions {
  readonly account: string;
  readonly format?: (typeof formats)[number];
  readonly json?: boolean;
}

/** `image-redirect rights`: what an account has shown, as JSON, CSV or HTML; exit 3 for an unknown account. */
export const rights = (): Command =>
  withKeysOptions(
    createCommand('rights', {
      summary:
        'List the images that an account has shown, with creator, licence, and whether a credit is due.',
      examples: [
        'rights --account acc_0123456789abcdef01',
        'rights --account acc_0123456789abcdef01 --format csv --stack ImageRedirect-prod',
      ],
    })
      .requiredOption('--account <ID>', 'whose images')
      .addOption(
        new Option('--format <FORMAT>', 'for programs and reports, in place of a table').choices(formats),
      ),
  ).action(({ account, format, json }: RightsOptions, command: Command) =>
    withSession(command, async ({ keys, service, pickedImages, output }) => {
      await accountOf(keys, account);
      const { client, tables, lacks } = service;
      if (!tables.stockMemory) throw lacks('stock memory');
      const shown = createReadShownImages(client, tables.stockMemory);
      const images: CreditRow[] = [];
      let after: string | undefined;
      do {
        const answer = await shown.of(account, after === undefined ? {} : { after });
        images.push(...(await Promise.all(answer.images.map((image) => creditRowOf(pickedImages, image)))));
        after = answer.next;
      } while (after !== undefined);
      const document = { account, images };
      const text = json ? undefined : await textOf(document, format);
      output.result(document, (width) => text ?? tableOf(images, width));
    }),
  );

interface Rights {
  readonly account: string;
  readonly images: readonly CreditRow[];
}

/** @returns `undefined` for a table */
async function textOf(document: Rights, format: RightsOptions['format']): Promise<string | undefined> {
  switch (format) {
    case 'json':
      return JSON.stringify(document);
    case 'csv': {
      const { stringify } = await import('csv-stringify/sync');
      const rows = document.images.map((row) => ({ ...row, pages: row.pages.join(';') }));
      // A text that begins as a formula is text in spreadsheets too.
      return stringify(rows, {
        header: true,
        columns: [...columns],
        escape_formulas: true,
        cast: { boolean: String },
      });
    }
    case 'html':
      return page(document);
    default:
      return undefined;
  }
}

const none = 'The account has shown no images.';

const tableOf = (images: readonly CreditRow[], width: number) =>
  images.length === 0
    ? none
    : table(
        ['Pick', 'Credit', 'Licence', 'Due', 'Since', 'Pages'],
        images.map(({ pick, creditLine, license, creditDue, since, pages }) => [
          pick,
          creditLine,
          license,
          creditDue ? 'yes' : 'no',
          since.slice(0, 10),
          pages.join(', '),
        ]),
        width,
      );

const linked = (text: string, url: string | null) =>
  url && /^https?:/.test(url) ? html`<a href="${url}">${text}</a>` : text;

const headings = ['Image', 'Provider', 'Creator', 'Licence', 'Credit', 'Due', 'Since', 'Pages'];

function page({ account, images }: Rights): string {
  const rows = images.map(({ pick, provider, creator, license, licenseUrl, link, creditLine, ...row }) => {
    const cells = [
      linked(pick, link),
      provider,
      creator ?? '–',
      linked(license, licenseUrl),
      creditLine,
      row.creditDue ? 'yes' : 'no',
      html`<time datetime="${row.since}">${row.since.slice(0, 10)}</time>`,
      row.pages.join(', ') || '–',
    ];
    return html`<tr>${cells.map((cell, i) => html`<td data-heading="${headings[i]}">${cell}</td>`)}</tr>\n`;
  });
  const list = html`<table><thead><tr>${headings.map((each) => html`<th>${each}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table>`;
  return html`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Images of ${account}</title>
<style>
  :root { color-scheme: light dark; }
  body { margin: clamp(1rem, 4vw, 2rem); font: 15px/1.5 system-ui, sans-serif; background: light-dark(#fff, #13181b); }
  a { color: light-dark(#0c6b58, #62cdb2); }
  h1 { font-size: 1.3rem; }
  table { border-collapse: collapse; width: 100%; }
  th, td { padding: 0.4rem 0.8rem 0.4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
  h1, td:nth-child(5), td:last-child { overflow-wrap: anywhere; }
  td:first-child, time { white-space: nowrap; }
  @media (width < 60rem) {
    thead { display: none; }
    tr, td { display: block; }
    tr { padding: 0.8rem 0; border-bottom: 1px solid #8884; }
    td { padding: 0 0 0 5.5rem; border: 0; }
    td::before { content: attr(data-heading); float: left; margin-left: -5.5rem; opacity: 0.75; }
  }
</style>
<main><h1>Images of ${account}</h1>
${images.length === 0 ? none : list}</main></html>`.html;
}
