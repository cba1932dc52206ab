/** Settings of the operator that stack, functions and pages share. */

import { listedValues } from './request-bounds';

/** The ways to deliver stock images. */
export const imageDeliveries = ['provider', 'own'] as const;
/** `provider`: a redirect may lead to a provider's host. `own`: never. */
export type ImageDelivery = (typeof imageDeliveries)[number];

/** The label that every AI image gets, even against its request. The first is the default. */
export const aiLabels = ['off', ...listedValues.label] as const;
/** The place of the label on every AI image. `off` leaves it to the request. */
export type AiLabel = (typeof aiLabels)[number];

/** Highest `generationsPerDay` that an operator may set. */
export const generationsPerDayMax = 1_000_000;

/** The name, logo and links of the operator on pages. A link other than the logo may be an e-mail address. */
export interface Site {
  readonly name: string;
  readonly logo?: string;
  readonly contact?: string;
  readonly imprint?: string;
  readonly privacy?: string;
}

/** The site of an operator who has set none. */
export const defaultSite: Site = { name: 'Image Redirect' };

/** Makes the target of a link. An e-mail address gets `mailto:`, a URL stays as it is. */
export const makeSiteLink = (target: string): string =>
  /^https?:/.test(target) ? target : `mailto:${target}`;
