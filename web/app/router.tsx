import { createBrowserRouter, type RouteObject } from 'react-router-dom'
import { PublicLayout } from './public-layout.tsx'
import { RootLayout } from './root-layout.tsx'
import { RouteError } from './route-error.tsx'

/** Every page is fetched when it is first visited; the store comes with the layouts that need it. */
export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: RouteError,
    HydrateFallback: () => null,
    children: [
      {
        Component: PublicLayout,
        children: [
          { path: '/', lazy: async () => ({ Component: (await import('./landing-route.tsx')).LandingRoute }) },
          { path: '/pricing', lazy: async () => ({ Component: (await import('../features/pricing/pricing-page.tsx')).PricingPage }) },
          {
            path: '/payment',
            lazy: async () => ({ Component: (await import('../features/payment-redirect/payment-redirect-page.tsx')).PaymentRedirectPage }),
          },
          { path: '*', lazy: async () => ({ Component: (await import('../features/not-found/not-found-page.tsx')).NotFoundPage }) },
        ],
      },
      {
        lazy: async () => ({ Component: (await import('./product-layout.tsx')).ProductLayout }),
        children: [
          { path: '/purchases', lazy: async () => ({ Component: (await import('./purchases-route.tsx')).PurchasesRoute }) },
          {
            path: '/payment-success',
            lazy: async () => ({ Component: (await import('../features/confirmation/confirmation-page.tsx')).ConfirmationPage }),
          },
        ],
      },
      {
        lazy: async () => ({ Component: (await import('./admin-layout.tsx')).AdminLayout }),
        children: [
          { path: '/admin', lazy: async () => ({ Component: (await import('../features/admin/admin-redirect-page.tsx')).AdminRedirectPage }) },
          { path: '/admin/dashboard', lazy: async () => ({ Component: (await import('../features/admin/admin-page.tsx')).AdminPage }) },
        ],
      },
    ],
  },
]

export const createAppRouter = () => createBrowserRouter(routes)
