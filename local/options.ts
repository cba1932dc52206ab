/** What `image-redirect start` can be configured with, as its command line says it. */

import { failed } from '../cli/failure';
import {
  type SlotBindings,
  type StockProviderName,
  type StockSlot,
  stockProviders,
  stockSlots,
} from '../lambda/contract/providers';

export interface LocalOptions {
  /** 0 for any free one. */
  readonly port: number;
  /** Folder of data and images; absent for a service that keeps everything in memory. */
  readonly folder?: string;
  /** Whether stdout gets one line of JSON instead of nothing, for scripts. */
  readonly isJson: boolean;
  readonly hasFakeProviders: boolean;
  readonly bindings: SlotBindings;
  /** Whether an emulated CloudFront distribution stands before the API, and callers reach it alone. */
  readonly hasEdge: boolean;
}

/** The sandbox draws images by itself. */
export const defaultBindings: SlotBindings = { stock_a: 'sandbox', stock_b: 'sandbox', stock_c: 'sandbox' };

/** @throws `Failure` */
export function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw failed('--port takes a whole number from 0 to 65535.');
  return port;
}

/** @throws `Failure` */
export function readFolder(text: string): string {
  if (text.trim() === '') throw failed('--data takes the name of a folder, which is empty here.');
  return text;
}

/** Comma-separated `slot=provider` pairs, over the bindings before them. @throws `Failure` */
export function readBindings(text: string, before: SlotBindings): SlotBindings {
  const bindings: Record<StockSlot, StockProviderName> = { ...before };
  for (const pair of text.split(',').filter((part) => part !== '')) {
    const [slot, provider] = pair.split('=').map((part) => part.trim());
    if (!stockSlots.includes(slot as StockSlot) || !stockProviders.includes(provider as StockProviderName))
      throw failed(
        `--bind takes slot=provider pairs of ${stockSlots.join(', ')} and ${stockProviders.join(', ')}, not "${pair}".`,
      );
    bindings[slot as StockSlot] = provider as StockProviderName;
  }
  return bindings;
}
