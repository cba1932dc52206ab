/** Lets requests in a few at a time, since one process stands in for hundreds of instances that would work side by side. */

/** How many requests may begin at once: enough to keep the process busy. */
const beginnersMax = 32;
/** After this time, in milliseconds, a request counts as one that waits for something, and the next may begin. */
const beginnerForMs = 250;

/** Runs work once it is its turn, in the order of the calls. */
export type AdmissionGate = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * If all were let in at once, every call to a table would queue behind a thousand others and miss its deadline.
 * The gate never waits for work to end, so that any number of requests can wait for an image that is being made.
 */
export function createAdmissionGate(): AdmissionGate {
  const waiting: (() => void)[] = [];
  let beginners = 0;

  const enter = async () => {
    if (beginners < beginnersMax) beginners++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else beginners--;
  };

  return async (work) => {
    await enter();
    let isBeginner = true;
    const moveOn = () => {
      if (isBeginner) leave();
      isBeginner = false;
    };
    const timer = setTimeout(moveOn, beginnerForMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      moveOn();
    }
  };
}
