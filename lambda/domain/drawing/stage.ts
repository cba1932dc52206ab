/** What every part of a picture is given: its frame, its light, its hand and its source of choices. */
import type { Palette } from './colour/palette';
import type { Frame } from './frame';
import type { Random } from './random/random';
import type { Canvas } from './svg/canvas';
import type { Attributes } from './svg/element';
import type { Mood, Time } from './words/mood';
import type { Motif } from './words/motif';

/** The looks a picture can have; `stock` is the plain one that no style parameter asks for. */
export type LookName = 'stock' | 'photo' | 'minimal' | 'dark' | 'illustration';

/** A stretch of land, from its skyline down to `bottom`. */
export interface Land {
  /** The closed outline. */
  readonly path: string;
  /** The skyline alone, for looks that light or ink it. */
  readonly crest: string;
  /** The highest point and the lower end, in picture units. */
  readonly top: number;
  readonly bottom: number;
  /** The material's own colour, before light and air. */
  readonly colour: string;
  /** 0 at the viewer's feet, 1 at the horizon. */
  readonly distance: number;
  /** How much mist gathers at its foot, 0 to 1; 0.5 when absent. */
  readonly mist?: number;
}

/** The hand that draws: turns a piece of land into the marks of one look. */
export interface Look {
  readonly name: LookName;
  /** Share of small detail to draw, 0 to 1. */
  readonly detail: number;
  /** How strongly distance fades colours, 1 being natural. */
  readonly air: number;
  land(stage: Stage, land: Land): string;
  /** Outline of a single thing, as attributes; `weight` 1 for a thing in the foreground. */
  edge(stage: Stage, weight?: number): Attributes;
  /** What lies over the whole picture at the end. */
  finish(stage: Stage): string;
}

/** Everything a motif needs to draw itself. */
export interface Stage {
  readonly frame: Frame;
  readonly light: Palette;
  /** Names what the light was chosen by; the same for every variation. */
  readonly lightKey: string;
  readonly time: Time;
  readonly mood: Mood;
  /** Every motif that the words name, strongest first. */
  readonly motifs: readonly Motif[];
  /** The query's words, for details that only one of them asks for. */
  readonly words: ReadonlySet<string>;
  readonly look: Look;
  readonly canvas: Canvas;
  readonly random: Random;
}

/** Draws one motif on a stage. */
export type Painter = (stage: Stage) => string;
