import { Anchor, Button, Stack, Text, Title } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { createBrowserRouter, Navigate, type RouteObject, useRouteError } from 'react-router-dom'

import { CallError } from '../api/call-error.ts'
import { useConnection } from '../api/connection.ts'
import { useRights } from '../api/session.ts'
import { useInWords } from '../page/house-words.ts'
import { useStandingScreen } from '../scanner/scan-source.tsx'
import { TrailContext } from '../ui/trail.ts'
import { isSetting, mayOpen, type Screen, screens, trailOf } from './screens.tsx'

/** Something broke that no screen foresaw; nothing in the outbox is touched by it. */
export function ErrorScreen() {
  useStandingScreen()
  const error = useRouteError()
  const isOldVersion =
    error instanceof TypeError && /dynamically imported module|module script/i.test(error.message)
  return (
    <Stack align="center" justify="center" mih="60dvh" p="xl" role="alert">
      <Title order={1} size="h2">
        {isOldVersion ? 'Cet écran n’est pas disponible hors ligne' : 'Une erreur inattendue s’est produite'}
      </Title>
      <Text ta="center" maw="34rem">
        Vos prêts et retours enregistrés ne sont pas touchés. Rechargez la page{'\u202f'}; si cela recommence,
        revenez à l’accueil.
      </Text>
      {error instanceof CallError && <Text ta="center">{error.message}</Text>}
      <Button onClick={() => location.reload()}>Recharger</Button>
      <Anchor href="/home">Revenir à l’accueil</Anchor>
    </Stack>
  )
}

const lazily = (load: () => Promise<{ default: React.ComponentType }>) => ({
  lazy: async () => ({ Component: (await load()).default }),
})

const NoRight = lazy(() => import('./no-right-screen.tsx'))
const OfflineNotice = lazy(() => import('./offline-notice.tsx'))

/** A screen without data of its own. */
const bare = (load: () => Promise<{ default: React.ComponentType }>) => ({
  lazy: async () => {
    const { default: Open } = await load()
    const Standing = () => {
      useStandingScreen()
      return <Open />
    }
    return { Component: Standing }
  },
})

/** Tells of a missing right, whose data the server refuses anyway, or of a missing network. */
const guarded = (screen: Screen): RouteObject => ({
  path: screen.path,
  children: screens.filter(({ isBeside, under }) => isBeside && under === screen.path).map(guarded),
  lazy: async () => {
    const { default: Open } = await screen.load()
    const Guarded = () => {
      useStandingScreen()
      // The words may come after the screen was drawn with others.
      useInWords()
      const held = useRights()
      // What stands beside a list leaves it to the list to say.
      const isCutOff = useConnection() === 'offline' && !screen.worksOffline && !screen.isBeside
      if (!mayOpen(screen, held)) return <NoRight />
      return (
        <TrailContext value={trailOf(screen, held)}>
          <Open />
          {isCutOff ? (
            <Suspense fallback={null}>
              <OfflineNotice />
            </Suspense>
          ) : null}
        </TrailContext>
      )
    }
    return { Component: Guarded }
  },
})

/** Settings, and what stands under them, have the index of all of them beside them. */
const isFramed = (screen: Screen): boolean => isSetting(screen) || screen.path.startsWith('/settings/')

/** Every address of the app. */
export const routes: RouteObject[] = [
  {
    errorElement: <ErrorScreen />,
    hydrateFallbackElement: <div />,
    children: [
      { path: '/login', ...bare(() => import('../session/login-screen.tsx')) },
      { path: '/login/due', ...bare(() => import('../session/due-screen.tsx')) },
      { path: '/reset/password', ...bare(() => import('../session/ask-reset-screen.tsx')) },
      { path: '/reset/password/:token', ...bare(() => import('../session/reset-password-screen.tsx')) },
      { path: '/accessibility', ...bare(() => import('../accessibility/statement-screen.tsx')) },
      {
        // Behind the door: whoever is not signed in does not wait for it.
        ...lazily(() => import('./signed-in-frame.tsx')),
        children: [
          {
            errorElement: <ErrorScreen />,
            children: [
              { path: '/', element: <Navigate to="/home" replace /> },
              ...screens.filter((screen) => !isFramed(screen) && !screen.isBeside).map(guarded),
              {
                ...lazily(() => import('./settings-frame.tsx')),
                children: screens.filter((screen) => isFramed(screen) && !screen.isBeside).map(guarded),
              },
              { path: '*', ...bare(() => import('./not-found-screen.tsx')) },
            ],
          },
        ],
      },
    ],
  },
]

export const createRouter = () => createBrowserRouter(routes)
