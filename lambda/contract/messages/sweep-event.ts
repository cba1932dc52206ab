/** What the schedules send to the sweeper. */

export interface SweepEvent {
  /** Looks into operations whose time is not over yet, too, and into all images at once. */
  readonly everything?: boolean;
  /** Removes images that nothing names, instead of settling operations: a sixteenth of all images each hour. Adds up past days of usage too. */
  readonly orphans?: boolean;
}
