import { lazy, type ComponentType, type ReactNode } from 'react'
import { useRoutes } from 'react-router-dom'
import type { PagePath } from '#contracts/pages'
import { LandingRoute } from './landing-route.tsx'
import { PublicLayout } from './public-layout.tsx'
import { RootLayout } from './root-layout.tsx'

/**
 * A page that is loaded on the first visit. The layouts that need the store are loaded in the same
 * way.
 */
function page<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  const Page = lazy(async () => ({ default: (await load())[name] as ComponentType }))
  return <Page />
}

/**
 * The server answers a path that `pages` does not name with status 404, so such a path does not
 * compile.
 */
interface AppRoute {
  readonly path?: PagePath | '*'
  readonly element: ReactNode
  readonly children?: AppRoute[]
}

export const routes: AppRoute[] = [
  {
    element: <RootLayout />,
    children: [
      {
        element: <PublicLayout />,
        children: [
          // The landing page is part of the entry: a separate chunk would cost most visitors one
          // more round trip.
          { path: '/', element: <LandingRoute /> },
          {
            path: '/pricing',
            element: page(() => import('../features/pricing/pricing-page.tsx'), 'PricingPage'),
          },
          {
            path: '/payment',
            element: page(
              () => import('../features/payment-redirect/payment-redirect-page.tsx'),
              'PaymentRedirectPage',
            ),
          },
          {
            path: '*',
            element: page(() => import('../features/not-found/not-found-page.tsx'), 'NotFoundPage'),
          },
        ],
      },
      {
        element: page(() => import('./product-layout.tsx'), 'ProductLayout'),
        children: [
          {
            path: '/purchases',
            element: page(() => import('./purchases-route.tsx'), 'PurchasesRoute'),
          },
          {
            path: '/profile',
            element: page(() => import('../features/profile/profile-page.tsx'), 'ProfilePage'),
          },
          {
            path: '/receipts/:receiptId',
            element: page(() => import('./receipt-route.tsx'), 'ReceiptRoute'),
          },
          {
            path: '/payment-success',
            element: page(
              () => import('../features/confirmation/confirmation-page.tsx'),
              'ConfirmationPage',
            ),
          },
        ],
      },
      {
        element: page(() => import('./admin-layout.tsx'), 'AdminLayout'),
        children: [
          {
            path: '/admin',
            element: page(
              () => import('../features/admin/admin-redirect-page.tsx'),
              'AdminRedirectPage',
            ),
          },
          {
            path: '/admin/dashboard',
            element: page(() => import('../features/admin/admin-page.tsx'), 'AdminPage'),
          },
          {
            path: '/admin/users/:userId/history',
            element: page(
              () => import('../features/admin/history/user-history-page.tsx'),
              'UserHistoryPage',
            ),
          },
          {
            path: '/admin/activity',
            element: page(
              () => import('../features/admin/history/activity-page.tsx'),
              'ActivityPage',
            ),
          },
          {
            path: '/admin/events',
            element: page(
              () => import('../features/admin/history/total-events-page.tsx'),
              'TotalEventsPage',
            ),
          },
        ],
      },
    ],
  },
]

/** Declarative routes: the data router adds 19 kB, and RTK Query loads the data. */
export function AppRoutes() {
  return useRoutes(routes)
}
