import { Router, urlencoded, type Request, type Response } from 'express'
import { z } from 'zod'
import { isStorable } from '#contracts/storable-text'
import { deauthorize, finishOnboarding, requireMore } from '../billing/onboard-account.ts'
import { useAccountLink, visitedLink, type AccountLink } from '../store/account-links.ts'
import type { Store } from '../store/store.ts'
import type { Account } from '../store/stripe-objects.ts'
import type { ReadTransaction } from '../store/transaction.ts'
import { renderNotice } from './notice-page.tsx'
import { renderOnboarding } from './onboarding-page.tsx'
import { sendPage } from './page-headers.ts'

const formShape = z.object({
  action: z.enum(['finish', 'more', 'deauthorize']).catch('finish'),
  businessName: z
    .string()
    .max(100)
    .refine(isStorable)
    .catch('')
    .transform((value) => value.trim()),
})

/**
 * The onboarding of a connected account. `GET /connect/setup/{token}` is the account link: it works
 * once and leads to the page, which can be loaded again. The page's form leads to the return URL.
 */
export function onboardingRoutes(store: Store, productUrl: string): Router {
  const router = Router()

  router.get('/connect/setup/:token', async (request: Request<{ token: string }>, response) => {
    const used = await store.change((tx) => useAccountLink(tx.client, request.params.token, tx.now))
    if (used === null) return sendUnknown(response)
    response.redirect(
      303,
      used.visit === null ? used.link.refreshUrl : `/connect/onboarding/${used.visit}`,
    )
  })

  router.get(
    '/connect/onboarding/:visit',
    async (request: Request<{ visit: string }>, response) => {
      const found = await store.read(async (tx, client) => {
        const link = await visitedLink(client, request.params.visit)
        return link === null ? null : { link, account: await accountOf(tx, link) }
      })
      if (found === null) return sendUnknown(response)
      sendOnboarding(response, 200, request.params.visit, found.link, found.account)
    },
  )

  router.post(
    '/connect/onboarding/:visit',
    urlencoded({ extended: false, limit: '16kb' }),
    async (request: Request<{ visit: string }>, response) => {
      const form = formShape.parse(
        typeof request.body === 'object' && request.body !== null ? request.body : {},
      )
      const answer = await store.change(async (tx) => {
        const link = await visitedLink(tx.client, request.params.visit)
        if (link === null) return () => sendUnknown(response)
        const account = await accountOf(tx, link)
        const leave = () => response.redirect(303, link.returnUrl)
        if (account?.sandbox.isConnected !== true) return leave
        switch (form.action) {
          case 'finish':
            if (form.businessName === '')
              return () => sendOnboarding(response, 422, request.params.visit, link, account, true)
            await finishOnboarding(tx, account, form.businessName)
            return leave
          case 'more':
            await requireMore(tx, account)
            return leave
          case 'deauthorize':
            await deauthorize(tx, account)
            return leave
        }
      })
      answer()
    },
  )

  return router

  function sendOnboarding(
    response: Response,
    status: number,
    visit: string,
    link: AccountLink,
    account: Account | null,
    lacksName = false,
  ): void {
    if (account?.sandbox.isConnected !== true) return sendUnknown(response)
    const html = renderOnboarding({ visit, account, returnUrl: link.returnUrl, lacksName })
    sendPage(response, status, html, [link.returnUrl])
  }

  function sendUnknown(response: Response): void {
    const html = renderNotice({
      title: 'Page not found',
      text: 'No account is connected at this address. Start again from the product.',
      href: productUrl,
    })
    sendPage(response, 404, html)
  }
}

function accountOf(tx: ReadTransaction, link: AccountLink): Promise<Account | null> {
  return tx.on(null).find('account', link.account)
}
