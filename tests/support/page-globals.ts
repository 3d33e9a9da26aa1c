import { builtinEnvironments } from 'vitest/runtime'

// A page beside the server: `@vitest-environment happy-dom` would build the server's modules for the web.
// Import it before anything of the page.

// One for all files of a worker, which share their modules.
await builtinEnvironments['happy-dom'].setup(globalThis, { happyDOM: { url: 'http://localhost:3000' } })

// Verifying a password and fetching a screen take long on a busy machine. Imported only now, because it looks
// for a document.
const { configure } = await import('@testing-library/dom')
configure({ asyncUtilTimeout: 25_000 })
