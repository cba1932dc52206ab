/** What a fake provider says about its photos: as archives and photographers write it, with misfits where archives have them. */

/** What stands in a caption: every word, some words, none; or something else than a photo of what is looked for. */
type Kind = 'all' | 'some' | 'none' | 'people' | 'map' | 'scan' | 'logo' | 'engraving' | 'sign';

/** Collections that gather everything: scans, maps and logos stand among the photos, and the best is not always first. */
const archive: readonly Kind[] = [
  'some',
  'map',
  'all',
  'none',
  'all',
  'people',
  'all',
  'scan',
  'all',
  'logo',
  'all',
  'some',
  'engraving',
  'all',
  'none',
  'all',
  'sign',
  'all',
  'some',
  'all',
];
/** Photographers' own sites: photos only, in a good order. */
const photographers: readonly Kind[] = [
  'all',
  'all',
  'some',
  'all',
  'people',
  'all',
  'none',
  'all',
  'some',
  'all',
];

const places = ['at dawn', 'in the evening', 'after the rain', 'from above', 'in spring', 'by the road'];
const misfits: Readonly<Partial<Record<Kind, (words: string) => readonly [title: string, tag: string]>>> = {
  map: (words) => [`Location map of ${words}`, 'map'],
  scan: (words) => [`${words}, page 12 of a guide book`, 'scan'],
  logo: (words) => [`Logo of the ${words} society`, 'logo'],
  engraving: (words) => [`${words}, engraving of 1840`, 'engraving'],
  sign: (words) => [`Sign at ${words}`, 'sign'],
  people: (words) => [`A woman and ${words}`, 'woman'],
};

export interface Caption {
  readonly title: string;
  readonly tags: readonly string[];
}

/**
 * The caption of the photo at a place in an answer.
 * @param index from 0
 * @param number of the photo, which decides on what is left open
 */
export function captionOf(isArchive: boolean, words: string, index: number, number: number): Caption {
  const kinds = isArchive ? archive : photographers;
  const kind = kinds[index % kinds.length] ?? 'all';
  const [place = ''] = places.slice(number % places.length);
  const all = words.split(' ');
  const misfit = misfits[kind]?.(words);
  if (misfit) return { title: capital(misfit[0]), tags: [misfit[1], ...all.slice(0, 1)] };
  if (kind === 'none') return { title: `DSC_${String(number % 10_000).padStart(4, '0')}`, tags: ['photo'] };
  const named = kind === 'all' || all.length === 1 ? all : all.slice(0, -1);
  return { title: capital(`${named.join(' ')} ${place}`), tags: [...named, 'outdoors'] };
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
