/** Fills pages by the fake service. */

import { fillHtml } from '../../src/pages/fill-html';
import type { FillOptions } from '../../src/pages/find-images';
import { createFakeService } from './fake-service';

export const box = 'https://placehold.co/600x400';
export const mug = `<img src="${box}" alt="A blue mug">`;

export async function fill(html: string, options: FillOptions = {}, service = createFakeService()) {
  const page = await fillHtml(html, service.find, options);
  return { ...page, requested: service.requested, calls: service.calls };
}
