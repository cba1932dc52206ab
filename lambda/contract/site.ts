/** Declares what the pages show of the operator: name, logo and links. */

/** Name, logo and links; contact, imprint and privacy are URLs or an e-mail address. */
export interface Site {
  readonly name: string;
  /** URL of an image, shown in place of the mark of the service. */
  readonly logo?: string;
  readonly contact?: string;
  readonly imprint?: string;
  readonly privacy?: string;
}

/** The site of an operator who has set none. */
export const defaultSite: Site = { name: 'Image Redirect' };

/** The target of a link: a URL as it is, an e-mail address as `mailto:`. */
export const siteLink = (target: string): string => (/^https?:/.test(target) ? target : `mailto:${target}`);
