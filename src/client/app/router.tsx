import { createBrowserRouter, Navigate, type RouteObject } from 'react-router-dom'

import { ErrorScreen } from './error-screen.tsx'

const screen = (load: () => Promise<{ default: React.ComponentType }>) => ({
  lazy: async () => ({ Component: (await load()).default }),
})

/** Every address of the app (files 1 and 2, « Screens and routes »). */
export const routes: RouteObject[] = [
  {
    errorElement: <ErrorScreen />,
    hydrateFallbackElement: <div />,
    children: [
      { path: '/login', ...screen(() => import('../session/login-screen.tsx')) },
      { path: '/reset/password', ...screen(() => import('../session/ask-reset-screen.tsx')) },
      { path: '/reset/password/:token', ...screen(() => import('../session/reset-password-screen.tsx')) },
      {
        // Behind the door: whoever is not signed in does not wait for it.
        ...screen(() => import('./signed-in-frame.tsx')),
        children: [
          {
            errorElement: <ErrorScreen />,
            children: [
              { path: '/', element: <Navigate to="/home" replace /> },
              { path: '/home', ...screen(() => import('../home/home-screen.tsx')) },
              { path: '/loanings', ...screen(() => import('../loans/loan-list-screen.tsx')) },
              {
                path: '/loanings/view/:loaning_id',
                ...screen(() => import('../loans/loan-view-screen.tsx')),
              },
              {
                path: '/loanings/edit/:loaning_id',
                ...screen(() => import('../loans/loan-edit-screen.tsx')),
              },
              { path: '/loaning/add', ...screen(() => import('../loans/add-loan-screen.tsx')) },
              { path: '/loaning/return', ...screen(() => import('../loans/return-screen.tsx')) },
              { path: '/waiting', ...screen(() => import('../waiting/waiting-screen.tsx')) },
              { path: '/settings/devices', ...screen(() => import('../devices/devices-screen.tsx')) },
              { path: '/account', ...screen(() => import('../session/account-screen.tsx')) },
            ],
          },
        ],
      },
      { path: '*', element: <Navigate to="/" replace /> },
    ],
  },
]

export const createRouter = () => createBrowserRouter(routes)
