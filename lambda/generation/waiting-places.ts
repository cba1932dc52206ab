/** The places in which requests wait for AI images, shared by all instances. */

/** One taken place. */
export interface WaitingPlace {
  readonly number: number;
  /** Names this use of the place, so that it is never given up for another request that has it by now. */
  readonly holder: string;
}

export interface WaitingPlaces {
  /**
   * Takes a free place by one conditional write. A place whose time is over is free: an instance that crashed keeps none.
   * @param placesMax how many places there are
   * @param id names the request, unique
   * @param nowMs moment (epoch, milliseconds)
   * @param endsMs moment (epoch, milliseconds) until which the request may wait
   * @returns `undefined` when every place is taken
   * @throws when it is not known whether a place was taken
   */
  take(placesMax: number, id: string, nowMs: number, endsMs: number): Promise<WaitingPlace | undefined>;
  /** Gives a place back; without effect when it is another request's by now. @throws when the table does not answer */
  leave(place: WaitingPlace): Promise<void>;
}
