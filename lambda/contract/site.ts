/** What an operator says of itself on the pages. */

/** Name, logo and links; the last three are URLs or an e-mail address. */
export interface Site {
  readonly name: string;
  /** URL of an image, shown in place of the mark of the service. */
  readonly logo?: string;
  readonly contact?: string;
  readonly imprint?: string;
  readonly privacy?: string;
}

/** Where the operator says nothing. */
export const defaultSite: Site = { name: 'Image Redirect' };

/** What a link leads to: the URL, or a message to the e-mail address. */
export const siteLink = (target: string): string => (/^https?:/.test(target) ? target : `mailto:${target}`);
