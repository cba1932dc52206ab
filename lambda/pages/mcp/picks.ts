/** The tool that shows the images of a query on one numbered sheet. */

import { failed, quoted, type Tool, text } from './tool';

/** The sheet is an image part, its rows one line of text each. */
export const picks: Tool = {
  description: () => 'Contact sheet of a query, numbered by seed. One request.',
  input: () => ({ query: text, orientation: text, provider: text }),
  required: ['query'],
  isReadOnly: false,
  call: async (deps, request, input) => {
    const part = await deps.loadPicks();
    const shown = await part.showSheet({ ...deps, ...part }, request, input, true);
    if ('refusal' in shown) return failed(shown.refusal);
    const candidates = shown.view.candidates.map(({ thumbnail: _, ...candidate }) => candidate);
    const lines = candidates.map(({ number, fit, pick, alt, credit, chosen, refused }) =>
      [
        `${number}: ${fit}`,
        ...(chosen ? ['chosen'] : []),
        ...(refused ? ['refused'] : []),
        `pick ${pick}`,
        quoted(alt ?? ''),
        `credit ${quoted(credit)}`,
      ].join(', '),
    );
    return {
      content: [
        { type: 'image', data: shown.sheet, mimeType: 'image/jpeg' },
        { type: 'text', text: lines.join('\n') },
      ],
      structuredContent: { ...shown.view, candidates },
    };
  },
};
