/** The styles, by what each changes of a scene. */
import { adjust, mix } from './colour';

/** The changes of a style. `photo` has none. */
export interface SceneStyle {
  readonly isDark?: true;
  /** True for flat colours without gradients. */
  readonly isFlat?: true;
  /** True if small things such as clouds and windows are left out. */
  readonly isBare?: true;
  readonly hasOutlines?: true;
  /** Changes every colour of the finished scene. */
  finish?(colour: string): string;
}

const styles: Readonly<Record<string, SceneStyle>> = {
  minimal: { isFlat: true, isBare: true, finish: (colour) => mix(colour, '#f6f3ee', 0.5) },
  dark: { isDark: true, finish: (colour) => adjust(colour, 0.85, 0.95) },
  illustration: { isFlat: true, hasOutlines: true, finish: (colour) => adjust(colour, 1.03, 1.35) },
};

export const styleOf = (name = ''): SceneStyle => styles[name] ?? {};
