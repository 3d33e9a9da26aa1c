// When a key is pressed tells a hand from a scanner. In tests that is said, so that no machine's speed tells it.

const betweenKeysOfHand = 200
const betweenKeysOfScanner = 5
/** No dialog came into sight just before. */
const afterwards = 1000

let at = 0

/** When somebody who takes their time presses the next key. */
const byHand = (): number => (at = Math.max(at + betweenKeysOfHand, performance.now() + afterwards))

/** When a hand-held scanner, after a rest or its own pause, types so many keys. */
export function byScanner(count: number, pause?: number): number[] {
  if (pause === undefined) byHand()
  else at += pause
  return Array.from({ length: count }, () => (at += betweenKeysOfScanner))
}

/** Each key that does not say when it is pressed is a hand's. */
export function timeKeys(page: EventTarget): void {
  const time = (event: Event) => {
    if (!Object.hasOwn(event, 'timeStamp')) Object.defineProperty(event, 'timeStamp', { value: byHand() })
  }
  page.addEventListener('keydown', time, { capture: true })
}
