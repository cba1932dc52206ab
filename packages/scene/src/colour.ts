/** Mixes and adjusts colours, which are written as `#rrggbb`. */

const parseChannels = (hex: string): readonly number[] =>
  [1, 3, 5].map((offset) => Number.parseInt(hex.slice(offset, offset + 2), 16));

const writeHex = (channels: readonly number[]): string =>
  `#${channels.map((value) => Math.round(Math.min(255, value)).toString(16).padStart(2, '0')).join('')}`;

/** Returns a colour between two others. @param amount 0 for the first, 1 for the second */
export function mixColours(from: string, to: string, amount: number): string {
  const end = parseChannels(to);
  return writeHex(parseChannels(from).map((value, index) => value + ((end[index] ?? 0) - value) * amount));
}

/** Multiplies the brightness of a colour, and its distance to grey. */
export function adjustColour(hex: string, brightness: number, colourfulness: number): string {
  const channels = parseChannels(hex);
  const grey = channels.reduce((sum, value) => sum + value, 0) / 3;
  return writeHex(channels.map((value) => Math.max(0, grey + (value - grey) * colourfulness) * brightness));
}
