import { lazy, useState, type ComponentType, type ReactNode } from 'react'
import { matchRoutes, useRoutes } from 'react-router-dom'
import type { PagePath } from '#contracts/pages'
import { LandingRoute } from './landing-route.tsx'
import { PublicLayout } from './public-layout.tsx'
import { RootLayout } from './root-layout.tsx'

/** The element of a route, and how to load its code before the element is rendered. */
interface LazyPage {
  readonly element: ReactNode
  readonly load: () => Promise<void>
}

/**
 * A page that is loaded on the first visit. The layouts that need the store are loaded in the same
 * way. A page that was loaded before its first render is rendered without a fallback.
 */
function page<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): LazyPage {
  let loaded: ComponentType | undefined
  const loadComponent = async () => (loaded = (await load())[name] as ComponentType)
  const Lazy = lazy(async () => ({ default: await loadComponent() }))
  // A component that changes between two renders would lose its state.
  const Page = () => {
    const [Shown] = useState(() => loaded ?? Lazy)
    return <Shown />
  }
  return { element: <Page />, load: async () => void (await loadComponent()) }
}

/**
 * The server answers a path that `pages` does not name with status 404, so such a path does not
 * compile.
 */
interface AppRoute {
  readonly path?: PagePath | '*'
  readonly element: ReactNode
  /** Loads the code of the element. Missing if the entry has the code. */
  readonly load?: () => Promise<void>
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
            ...page(() => import('../features/pricing/pricing-page.tsx'), 'PricingPage'),
          },
          {
            path: '/privacy-policy',
            ...page(
              () => import('../features/privacy-policy/privacy-policy-page.tsx'),
              'PrivacyPolicyPage',
            ),
          },
          {
            path: '/terms',
            ...page(() => import('../features/terms/terms-page.tsx'), 'TermsPage'),
          },
          {
            path: '/payment',
            ...page(
              () => import('../features/payment-redirect/payment-redirect-page.tsx'),
              'PaymentRedirectPage',
            ),
          },
          {
            path: '*',
            ...page(() => import('../features/not-found/not-found-page.tsx'), 'NotFoundPage'),
          },
        ],
      },
      {
        ...page(() => import('./product-layout.tsx'), 'ProductLayout'),
        children: [
          {
            path: '/purchases',
            ...page(() => import('./purchases-route.tsx'), 'PurchasesRoute'),
          },
          {
            path: '/profile',
            ...page(() => import('../features/profile/profile-page.tsx'), 'ProfilePage'),
          },
          {
            path: '/receipts/:receiptId',
            ...page(() => import('./receipt-route.tsx'), 'ReceiptRoute'),
          },
          {
            path: '/update-card',
            ...page(() => import('../features/portal-link/portal-link-page.tsx'), 'UpdateCardPage'),
          },
          {
            path: '/pay',
            ...page(() => import('../features/portal-link/portal-link-page.tsx'), 'PayPage'),
          },
          {
            path: '/manage-plan',
            ...page(() => import('../features/portal-link/portal-link-page.tsx'), 'ManagePlanPage'),
          },
          {
            path: '/payment-success',
            ...page(
              () => import('../features/confirmation/confirmation-page.tsx'),
              'ConfirmationPage',
            ),
          },
        ],
      },
      {
        ...page(() => import('./receivables-layout.tsx'), 'ReceivablesLayout'),
        children: [
          {
            path: '/receivables',
            ...page(
              () => import('../features/receivables/overview/overview-page.tsx'),
              'OverviewPage',
            ),
          },
          {
            path: '/receivables/invoices',
            ...page(
              () => import('../features/receivables/invoices/invoices-page.tsx'),
              'InvoicesPage',
            ),
          },
          {
            path: '/receivables/invoices/:receivableId',
            ...page(
              () => import('../features/receivables/invoice/invoice-page.tsx'),
              'InvoicePage',
            ),
          },
          {
            path: '/receivables/import',
            ...page(
              () => import('../features/receivables/import/page/import-page.tsx'),
              'ImportPage',
            ),
          },
          {
            path: '/receivables/clients',
            ...page(
              () => import('../features/receivables/clients/clients-page.tsx'),
              'ClientsPage',
            ),
          },
          {
            path: '/receivables/clients/:clientId',
            ...page(() => import('../features/receivables/client/client-page.tsx'), 'ClientPage'),
          },
          {
            path: '/receivables/schedule',
            ...page(
              () => import('../features/receivables/schedule/schedule-page.tsx'),
              'SchedulePage',
            ),
          },
          {
            path: '/receivables/templates',
            ...page(
              () => import('../features/receivables/templates/templates-page.tsx'),
              'TemplatesPage',
            ),
          },
          {
            path: '/receivables/brand',
            ...page(() => import('../features/receivables/brand/brand-page.tsx'), 'BrandPage'),
          },
          {
            path: '/receivables/payments',
            ...page(
              () => import('../features/receivables/payments/payments-page.tsx'),
              'PaymentsPage',
            ),
          },
        ],
      },
      {
        ...page(() => import('./admin-layout.tsx'), 'AdminLayout'),
        children: [
          {
            path: '/admin',
            ...page(() => import('../features/admin/admin-redirect-page.tsx'), 'AdminRedirectPage'),
          },
          {
            path: '/admin/dashboard',
            ...page(() => import('../features/admin/admin-page.tsx'), 'AdminPage'),
          },
          {
            path: '/admin/users/:userId/history',
            ...page(
              () => import('../features/admin/history/user-history-page.tsx'),
              'UserHistoryPage',
            ),
          },
          {
            path: '/admin/activity',
            ...page(() => import('../features/admin/history/activity-page.tsx'), 'ActivityPage'),
          },
          {
            path: '/admin/administrators',
            ...page(
              () => import('../features/admin/administrators/administrators-page.tsx'),
              'AdministratorsPage',
            ),
          },
          {
            path: '/admin/approvals',
            ...page(
              () => import('../features/admin/approvals/approvals-page.tsx'),
              'ApprovalsPage',
            ),
          },
          {
            path: '/admin/not-sent',
            ...page(() => import('../features/admin/unsent/unsent-page.tsx'), 'UnsentPage'),
          },
          {
            path: '/admin/events',
            ...page(
              () => import('../features/admin/history/total-events-page.tsx'),
              'TotalEventsPage',
            ),
          },
          {
            path: '/admin/reports',
            ...page(() => import('../features/admin/reports/reports-page.tsx'), 'ReportsPage'),
          },
          {
            path: '/admin/passkeys',
            ...page(() => import('../features/admin/passkeys/passkeys-page.tsx'), 'PasskeysPage'),
          },
        ],
      },
    ],
  },
]

/** Loads the code of the page at this path, so that its first render is complete. */
export async function loadPage(pathname: string): Promise<void> {
  const matches = matchRoutes<AppRoute>(routes, pathname) ?? []
  await Promise.all(matches.flatMap(({ route }) => (route.load ? [route.load()] : [])))
}

/** Declarative routes: the data router adds 19 kB, and RTK Query loads the data. */
export function AppRoutes() {
  return useRoutes(routes)
}
