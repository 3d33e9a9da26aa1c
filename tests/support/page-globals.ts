import { builtinEnvironments } from 'vitest/runtime'

// A page beside the server: `@vitest-environment happy-dom` would build the server's modules for the web.
// Import it before anything of the page.

// One for all files of a worker, which share their modules.
await builtinEnvironments['happy-dom'].setup(globalThis, { happyDOM: { url: 'http://localhost:3000' } })

// Verifying a password and fetching a screen take long on a busy machine. An error says what was sought, and no page of HTML: printing
// one for each look of a `findBy…` took a sixth of all the time. Imported only now, because it looks for a document.
const { configure } = await import('@testing-library/dom')
configure({
  asyncUtilTimeout: 25_000,
  getElementError: (message) =>
    Object.assign(new Error(message ?? 'not found'), { name: 'TestingLibraryElementError' }),
})

// React notes where each element was made, for messages in a browser's console: a tenth of what a screen costs. Said to be at its limit, it
// notes no more.
const { default: React } = await import('react')
const internals = Reflect.get(
  React,
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
) as object
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set() {} })
