/** Lets the last of several inputs count, whichever of their answers comes last. */

/** @returns called for each input; what it returns tells whether that input is still the last one */
export function createLatest(): () => () => boolean {
  let inputs = 0;
  return () => {
    inputs += 1;
    const own = inputs;
    return () => own === inputs;
  };
}
