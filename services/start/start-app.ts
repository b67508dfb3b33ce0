import express from 'express'
import type { RequestListener } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createApp } from '#services/http/app'
import { inlineSources } from '#services/http/inline-sources'
import { createPages } from '#services/http/pages'
import { createPaymentScript, type PaymentScript } from '#services/http/payment-script'
import { administratorRoutes } from './app/administrator-routes.ts'
import type { AppParts } from './app/app-parts.ts'
import { billingRoutes } from './app/billing-routes.ts'
import { clientPortal } from './app/client-portal.ts'
import { startConsoleRoutes } from './app/start-console-routes.ts'
import { customerRoutes } from './app/customer-routes.ts'
import { startProviderWebhooks } from './app/start-provider-webhooks.ts'
import { createReceivablesParts } from './app/receivables-parts.ts'
import { receivablesRoutes } from './app/receivables-routes.ts'
import { createSharedParts } from './app/shared-parts.ts'
import { startSessions } from './app/start-sessions.ts'
import type { StartContext } from './start-context.ts'
import { warnWithoutConnectSecret } from '#services/settings/warn-without-connect-secret'
import { warnWithoutProxy } from '#services/settings/warn-without-proxy'
import { warnWithoutSecondPerson } from '#services/administrators/second-person/warn-without-second-person'

const builtPages = fileURLToPath(new URL('../../web', import.meta.url))

/** Starts the sessions, and composes the routes of all areas, the pages and the webhooks. */
export async function startApp(context: StartContext, parts: AppParts): Promise<RequestListener> {
  const { config, log, newerRelease, tracing } = context
  const { clock, webRoot = builtPages } = parts
  const { administrators, ports } = parts.side
  const inline = inlineSources(webRoot)

  warnWithoutProxy(config, log)
  warnWithoutConnectSecret(config, log)
  await warnWithoutSecondPerson(config.secondPerson, administrators, log)
  const shared = createSharedParts(context, parts)
  const sessions = startSessions(context, parts.storage)
  const receivables = createReceivablesParts(context, parts, shared)
  const app = createApp({
    personOf: administrators.person,
    keyHolderOf: receivables.apiKeys.holderOf,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    sessions,
    log,
    admission: parts.admission,
    onNewer: newerRelease.met,
    tracing: tracing.routes,
    timeRequests: parts.metrics.timeRequests,
    health: parts.health,
    areas: [
      ...customerRoutes(context, parts, shared),
      ...billingRoutes(context, parts, shared),
      ...receivablesRoutes(parts, receivables),
      ...(await administratorRoutes(context, parts, shared)),
      ...startConsoleRoutes(context, parts, shared),
    ],
    webhook: await startProviderWebhooks(context, parts, shared),
    apiDocs: config.apiDocs ? { webRoot } : null,
    pages: express
      .Router()
      .use(clientPortal(context, parts, shared, receivables, webRoot))
      .use(createPages(webRoot, config.publicUrl, () => clock.now(), paymentScript())),
    inline,
  })
  return app.listener

  /** Null without a publishable key, as with the sandbox. */
  function paymentScript(): PaymentScript | null {
    const { publishableKey } = config.stripe
    if (publishableKey === null) return null
    const isHttps = config.publicUrl.startsWith('https:')
    return createPaymentScript(publishableKey, ports.scriptHosts, { isHttps, inline })
  }
}
