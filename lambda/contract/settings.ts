/** The operator's settings that stack, functions and pages share. */

import { labels } from './request-bounds';

/** The ways to deliver stock images. */
export const imageDeliveries = ['provider', 'own'] as const;
/** `provider`: a redirect may lead to a provider's host. `own`: never. */
export type ImageDelivery = (typeof imageDeliveries)[number];

/** The label that every AI image gets, also where its request says otherwise; the first is the default. */
export const aiLabels = ['off', ...labels] as const;
/** The place of the label on every AI image; `off` leaves it to the request. */
export type AiLabel = (typeof aiLabels)[number];

/** Highest `generationsPerDay` that an operator may set. */
export const generationsPerDayMax = 1_000_000;

/** Name, logo and links of the operator on pages; links but the logo are URLs or e-mail addresses. */
export interface Site {
  readonly name: string;
  readonly logo?: string;
  readonly contact?: string;
  readonly imprint?: string;
  readonly privacy?: string;
}

/** The site of an operator who has set none. */
export const defaultSite: Site = { name: 'Image Redirect' };

/** Writes the target of a link: a URL as it is, an e-mail address as `mailto:`. */
export const siteLink = (target: string): string => (/^https?:/.test(target) ? target : `mailto:${target}`);
