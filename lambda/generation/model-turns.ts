/** The requests that a model takes per clock minute, counted by all instances together. */

import type { CounterWindow } from '../base/item-store';
import type { Window } from '../base/window';

export interface ModelTurns {
  /**
   * Takes one request of a minute from each of its shares in one conditional write, or none when one is used up.
   * @throws when it is not known whether it was taken
   */
  take(model: string, minute: Window, shares: readonly CounterWindow[]): Promise<boolean>;
  /** Requests taken from each share of a minute, by its name. */
  taken(model: string, minute: Window): Promise<Readonly<Record<string, number>>>;
}
