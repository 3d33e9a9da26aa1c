import { builtinEnvironments } from 'vitest/runtime'

// A page (happy-dom) in the same process as the server. `@vitest-environment happy-dom` would have the server's own modules built
// for the web, and the addresses of files beside them with it. To be imported before anything of the page.

// One for all files of a worker, which share their modules.
await builtinEnvironments['happy-dom'].setup(globalThis, { happyDOM: { url: 'http://localhost:3000' } })

// What is waited for comes: a password takes a tenth of a second to verify and a screen is fetched when first shown, and both take much
// more where the machine is busy. Imported only now, because it looks for a document.
const { configure } = await import('@testing-library/dom')
configure({ asyncUtilTimeout: 25_000 })
