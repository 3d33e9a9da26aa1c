import { builtinEnvironments } from 'vitest/runtime'

import { timeKeys } from './key-times.ts'
import { readStylesLightly, rememberRoles, waitPatiently } from './quick-queries.ts'
import { drawn, loadShippedReact } from './shipped-react.ts'

// A page beside the server: `@vitest-environment happy-dom` would build the server's modules for the web.
// Import it before anything of the page.

// One for all files of a worker, which share their modules.
await builtinEnvironments['happy-dom'].setup(globalThis, { happyDOM: { url: 'http://localhost:3000' } })
timeKeys(window)
if (process.env['SHIPPED_REACT'] === '1') loadShippedReact()
// A browser has them, happy-dom does not; fields that grow with their text listen to the fonts.
Object.assign(globalThis, { print: () => undefined })
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })
readStylesLightly(document.defaultView!)
waitPatiently()
rememberRoles()

// It looks for a document when it is loaded.
const { configure } = await import('@testing-library/react')

const mostTries = 5
const soonMs = 5_000
const { setTimeout } = globalThis
const later = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), soonMs))
/** React may have replaced what was found, because the server told of a change meanwhile. */
const isGone = (found: unknown): boolean =>
  [found].flat().some((one) => one instanceof Element && !one.isConnected)

configure({
  asyncWrapper: async (work) => {
    let found = await work()
    await drawn()
    for (let tries = 1; tries < mostTries && isGone(found); tries += 1) {
      const again = await Promise.race([work().catch(() => undefined), later()])
      // What was there for a moment was found all the same.
      if (again === undefined) return found
      found = again
      await drawn()
    }
    return found
  },
  // Verifying a password and fetching a screen take long on a busy machine.
  asyncUtilTimeout: 25_000,
  // An error says what was sought; printing the page at each look of a `findBy…` took a sixth of all the time.
  getElementError: (message) =>
    Object.assign(new Error(message ?? 'not found'), { name: 'TestingLibraryElementError' }),
})
