import './ui/styles.ts'
// Hears the browser's offer to install, which comes early and once.
import './ui/installation.ts'
import './ui/focus-place.ts'

import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'

import { queryClient } from './api/query-client.ts'
import { createRouter } from './app/router.tsx'
import { holdUntilStanding, TypingScanners } from './scanner/scan-source.tsx'
import { mirrorSession } from './api/mirror-session.ts'
import { ConfirmProvider } from './ui/dialogs/confirm.tsx'
import { keptWords } from './page/house-words.ts'
import { colorSchemeManager, currentPreferences, watchPreferences } from './page/preferences.ts'
import { theme, themeVariables } from './ui/theme.ts'

/** As the top bar in theme.ts, and in index.html until this runs. */
const barOf = { light: '#fffdfa', dark: '#211f1b' } as const

/** Gives the browser's bar our colour; call it once, at start. */
function followThemeColor(): void {
  const paint = () => {
    const { theme } = currentPreferences()
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      const asked = meta.media.includes('dark') ? 'dark' : 'light'
      meta.content = barOf[theme === 'auto' ? asked : theme]
    }
  }
  paint()
  watchPreferences(paint)
}

// The server puts the nonce of inserted style elements into the page (see its security headers).
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
// The scroll lock under dialogs takes its nonce from there.
setNonce(nonce)

const Afterwards = lazy(() => import('./app/afterwards.tsx'))

mirrorSession()
followThemeColor()
holdUntilStanding()

const router = createRouter()

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')

const draw = () =>
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={themeVariables}
        colorSchemeManager={colorSchemeManager}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <TypingScanners />
          <ConfirmProvider>
            <RouterProvider router={router} />
            <Suspense fallback={null}>
              <Afterwards router={router} />
            </Suspense>
          </ConfirmProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )

// The first picture is in the library's words, also off line; whoever changed none does not wait for what says them.
if (localStorage.getItem(keptWords))
  void import('./page/say-with.ts').then(({ sayAsKept }) => sayAsKept()).then(draw, draw)
else draw()
