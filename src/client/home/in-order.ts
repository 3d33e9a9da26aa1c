/**
 * Takes things as fast as they come and works on them one at a time, in the order they came: none is dropped while another is being
 * looked up, and what one changes is known to the next. A work that fails is told to `onTrouble` and the next one begins.
 */
export function inOrder<T>(work: (thing: T) => Promise<void>, onTrouble: (error: unknown, thing: T) => void) {
  let last: Promise<void> = Promise.resolve()
  return (thing: T): Promise<void> => {
    last = last.then(() => work(thing)).catch((error: unknown) => onTrouble(error, thing))
    return last
  }
}
