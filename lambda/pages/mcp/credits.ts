/** The tool that returns the credit lines of images by their picks. */

import { batchBounds } from '../../contract/batch';
import { keyHolderOf } from '../../http/http-request';
import { answered, failed, quoted, type Tool, text } from './tool';

const isPick = (pick: unknown): pick is string => typeof pick === 'string' && /^[\w-]{1,64}$/.test(pick);

/** MCP tool `credits`: 1 to 24 picks in, one line each out; costs nothing. */
export const credits: Tool = {
  description: () => 'Credit lines by pick.',
  input: () => ({ picks: { type: 'array', items: text } }),
  required: ['picks'],
  isReadOnly: true,
  call: async (deps, request, { picks }) => {
    const caller = keyHolderOf(request);
    if ('refusal' in caller) return failed(caller.refusal);
    const { imagesMax } = batchBounds;
    if (!Array.isArray(picks) || picks.length < 1 || picks.length > imagesMax || !picks.every(isPick))
      return failed(`picks: a list of 1 to ${imagesMax} picks of find_images.`);
    const found = await Promise.all(
      picks.map(async (pick) => [pick, (await deps.pickedImages.credit(pick)) ?? null] as const),
    );
    const lines = found.flatMap(([pick, credit]) =>
      credit ? [`${pick}: ${quoted(credit.creditLine)}`] : [],
    );
    const unknown = found.length - lines.length;
    if (unknown > 0) lines.push(`${unknown} unknown ${unknown === 1 ? 'pick' : 'picks'}`);
    return answered({ credits: Object.fromEntries(found) }, ...lines);
  },
};
