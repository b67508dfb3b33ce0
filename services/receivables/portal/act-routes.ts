import express, { type Request, type Response, type Router } from 'express'
import { createElement } from 'react'
import type { Limits } from '#services/http/limits'
import type { PortalAnswers } from './portal-answers.ts'
import { createPortalActs, type ActDone } from './portal-acts.ts'
import { formOf, formReader } from './portal-forms.ts'
import { PortalPage } from './portal-page.tsx'
import { pageAfter } from './portal-said.ts'
import type { createPortal, Visit } from './portal.ts'

export interface ActParts {
  readonly portal: Pick<ReturnType<typeof createPortal>, 'viewOf'>
  readonly receivables: Parameters<typeof createPortalActs>[0]['receivables']
  readonly limits: Pick<Limits, 'portalChange'>
  readonly newId: () => string
}

/** Promises and disputes: plain forms, that lead back to the page with the result. */
export function actRoutes(parts: ActParts, answers: PortalAnswers): Router {
  const router = express.Router()
  const acts = createPortalActs(parts)

  for (const [path, act, withdraw] of [
    ['promise', acts.promise, acts.withdrawPromise],
    ['dispute', acts.dispute, acts.withdrawDispute],
  ] as const) {
    router.post(
      `/pay/:token/${path}`,
      answers.refuseOtherSites,
      formReader('32kb'),
      answers.visiting(async (visit, request, response) => {
        await parts.limits.portalChange.spend(visit.clientId)
        const form = formOf(request)
        const done = await (form['want'] === 'withdraw' ? withdraw : act)(visit, form)
        await answer(visit, request, response, done)
      }),
    )
    // The address of a form that was not taken: the page itself has what is open.
    router.get(
      `/pay/:token/${path}`,
      answers.visiting(async (visit, _request, response) =>
        response.redirect(303, `/pay/${visit.token}`),
      ),
    )
  }
  return router

  async function answer(
    visit: Visit,
    request: Request,
    response: Response,
    done: ActDone,
  ): Promise<void> {
    if (done.kind === 'done') return response.redirect(303, pageAfter(visit.token, done.said))
    const view = await parts.portal.viewOf(visit)
    const refused = { sentence: done.sentence, form: formOf(request) }
    answers.send(response, 422, {
      title: `${view.merchant.name}: not sent`,
      color: view.brand.color,
      body: createElement(PortalPage, { view, refused }),
    })
  }
}
