/** Works on things one at a time, so that each knows what the last one changed; none is dropped. */
export function inOrder<T>(work: (thing: T) => Promise<void>, onTrouble: (error: unknown, thing: T) => void) {
  let last: Promise<void> = Promise.resolve()
  return (thing: T): Promise<void> => {
    last = last.then(() => work(thing)).catch((error: unknown) => onTrouble(error, thing))
    return last
  }
}
