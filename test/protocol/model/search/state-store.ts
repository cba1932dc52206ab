/** The set of visited states in order of their discovery: packed words in typed arrays with open addressing. */

/** States by number, in the order in which they were added. */
export interface StateStore {
  /** Number of states. */
  size(): number;
  /** Adds the state if it is new; answers its number, or -1 if it was met before. */
  add(state: Uint32Array, parent: number): number;
  /** Copies the words of a state out. */
  load(index: number, into: Uint32Array): void;
  parent(index: number): number;
}

const chunkBits = 18;
const chunkStates = 1 << chunkBits;
const { imul } = Math;

/** Makes an empty store of states that are `words` 32-bit words long. */
export function stateStore(words: number): StateStore {
  const chunks: Uint32Array[] = [];
  const parents: Int32Array[] = [];
  let size = 0;
  // Slots hold the state's number plus one, so that zero is empty. Its content is compared in the chunk itself.
  let table = new Uint32Array(1 << 16);

  const hashAt = (source: Uint32Array, offset: number): number => {
    let h = 0x811c9dc5;
    for (let i = 0; i < words; i++) {
      h = imul(h ^ (source[offset + i] as number), 0x85ebca6b);
      h ^= h >>> 15;
    }
    h = imul(h ^ (h >>> 13), 0xc2b2ae35);
    return (h ^ (h >>> 16)) >>> 0;
  };
  const chunkOf = (index: number): Uint32Array => chunks[index >>> chunkBits] as Uint32Array;
  const equals = (index: number, state: Uint32Array): boolean => {
    const chunk = chunkOf(index);
    const offset = (index & (chunkStates - 1)) * words;
    for (let i = 0; i < words; i++) if (chunk[offset + i] !== state[i]) return false;
    return true;
  };
  const grow = (): void => {
    const bigger = new Uint32Array(table.length * 2);
    const mask = bigger.length - 1;
    for (let index = 0; index < size; index++) {
      let slot = hashAt(chunkOf(index), (index & (chunkStates - 1)) * words) & mask;
      while (bigger[slot] !== 0) slot = (slot + 1) & mask;
      bigger[slot] = index + 1;
    }
    table = bigger;
  };

  return {
    size: () => size,
    add: (state, parent) => {
      if (size * 2 >= table.length) grow();
      const mask = table.length - 1;
      let slot = hashAt(state, 0) & mask;
      for (let met = table[slot] as number; met !== 0; met = table[slot] as number) {
        if (equals(met - 1, state)) return -1;
        slot = (slot + 1) & mask;
      }
      table[slot] = size + 1;
      if ((size & (chunkStates - 1)) === 0) {
        chunks.push(new Uint32Array(chunkStates * words));
        parents.push(new Int32Array(chunkStates));
      }
      const chunk = chunkOf(size);
      const offset = (size & (chunkStates - 1)) * words;
      for (let i = 0; i < words; i++) chunk[offset + i] = state[i] as number;
      (parents[size >>> chunkBits] as Int32Array)[size & (chunkStates - 1)] = parent;
      size += 1;
      return size - 1;
    },
    load: (index, into) => {
      const chunk = chunkOf(index);
      const offset = (index & (chunkStates - 1)) * words;
      for (let i = 0; i < words; i++) into[i] = chunk[offset + i] as number;
    },
    parent: (index) => (parents[index >>> chunkBits] as Int32Array)[index & (chunkStates - 1)] as number,
  };
}
