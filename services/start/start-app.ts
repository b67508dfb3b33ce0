import type { RequestListener } from 'node:http'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import express from 'express'
import type { Accounts } from '#services/accounts/accounts'
import { authRoutes } from '#services/accounts/auth-routes'
import type { EmailKeys } from '#services/accounts/email-keys'
import { deleteAccountRoutes } from '#services/accounts/delete-account-routes'
import { ownDataRoutes } from '#services/accounts/own-data-routes'
import { createOwnProfile } from '#services/accounts/own-profile'
import { profileRoutes } from '#services/accounts/profile-routes'
import { createRecipientBudget } from '#services/accounts/recipient-budget'
import { secondaryEmailRoutes } from '#services/accounts/secondary-email-routes'
import { sessionListRoutes } from '#services/accounts/session-list-routes'
import { sessionRoutes } from '#services/accounts/session-routes'
import { createSignInCodeStore } from '#services/accounts/sign-in-code-store'
import { administratorsRoutes } from '#services/administrators/administrators-routes'
import { createPasskeyChallenges } from '#services/administrators/passkeys/passkey-challenges'
import { relyingPartyOf } from '#services/administrators/passkeys/relying-party'
import { createAdminPasswordCheck, hashAdminPassword } from '#services/admin/admin-password'
import { blockRoutes } from '#services/admin/block-routes'
import { deadLetterRoutes } from '#services/admin/dead-letter-routes'
import { createRecordAdminAccess } from '#services/admin/record-admin-access'
import { historyRoutes } from '#services/admin/history-routes'
import { createTakeOver } from '#services/accounts/take-over'
import { createExportApprovals } from '#services/admin/export-approvals/export-approvals'
import { exportApprovalRoutes } from '#services/admin/export-approval-routes'
import { adminExportRoutes } from '#services/admin/export-routes'
import { createSentLists } from '#services/admin/exports/sent-list'
import { adminListRoutes } from '#services/admin/list-routes'
import { adminLiveRoutes } from '#services/admin/live-routes'
import { createLiveUpdates } from '#services/admin/live-updates'
import { adminLoginRoutes } from '#services/admin/login-routes'
import { passkeyLoginRoutes } from '#services/admin/passkey-login-routes'
import { passkeyRoutes } from '#services/admin/passkey-routes'
import { reportRoutes } from '#services/admin/report-routes'
import { checkoutRoutes } from '#services/billing/checkout-routes'
import { keepPlanRoutes } from '#services/billing/keep-plan-routes'
import { portalRedirectRoutes } from '#services/billing/portal-redirect-routes'
import { purchasesRoutes } from '#services/billing/purchases-routes'
import { receiptRoutes } from '#services/billing/receipt-routes'
import type { PdfFiles } from './pdf-files.ts'
import { refundApprovalRoutes } from '#services/billing/refund-approval-routes'
import { refundPaymentRoutes } from '#services/billing/refund-payment-routes'
import { refundRoutes } from '#services/billing/refund-routes'
import { webhookRoute } from '#services/billing/webhooks/webhook-route'
import { createEnquiriesOf } from '#services/enquiries/enquiries-of'
import { enquiryRoutes } from '#services/enquiries/enquiry-routes'
import { createEnquiryErasure } from '#services/enquiries/erase-enquiries'
import type { CommandHandler } from '#services/commands/handle-command'
import { stopKeyOf } from '#services/event-store/audit/audit-keys'
import { proveDecoded } from '#services/event-store/encryption/proven-codec'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import { systemClock, type Clock } from '#services/foundation/clock'
import { createSlowHash } from '#services/foundation/slow-hash'
import { randomIds } from '#services/foundation/ids'
import type { Admission } from '#services/http/admission/admission'
import { createApp } from '#services/http/app'
import { createCallReader } from '#services/http/call-reader'
import { joinedRouters } from '#services/http/joined-routers'
import { createLimits } from '#services/http/limits'
import { inlineSources } from '#services/http/inline-sources'
import type { Metrics } from '#services/http/metrics/metrics'
import { networkOfRequest } from '#services/http/client-network'
import { HttpError } from '#services/http/http-error'
import type { DocumentedRouter } from '#services/http/openapi/documented-call'
import { createPages } from '#services/http/pages'
import { createPaymentScript, type PaymentScript } from '#services/http/payment-script'
import {
  deleteAdminSessions,
  deleteCustomerSessions,
  openAdminSessions,
} from '#services/http/sessions/session-tables'
import { createSessionWatch } from '#services/http/sessions/session-watch'
import { createSessions } from '#services/http/sessions/sessions'
import type { Mailer } from '#services/mail/mailer'
import { reportRoute } from '#services/notifications/returned/report-route'
import { accountNoticeOf } from '#services/payments/stripe/account-notice-of'
import { noticeOf } from '#services/payments/stripe/notice-of'
import { stripeScriptHosts } from '#services/payments/stripe/script-hosts'
import { createWebhookVerifier } from '#services/payments/stripe/webhook-verifier'
import { brandRoutes } from '#services/receivables/brand-routes'
import { createBrands } from '#services/receivables/brand/brands'
import { createLogos } from '#services/receivables/brand/logos'
import { createMerchantTemplates } from '#services/receivables/templates/merchant-templates'
import { senderNameRoutes } from '#services/receivables/sender-name-routes'
import { templateRoutes } from '#services/receivables/template-routes'
import { paymentsRoutes } from '#services/receivables/payments-routes'
import { connectWebhookRoute } from '#services/receivables/connect-webhook-route'
import { apiKeyRoutes } from '#services/receivables/api-key-routes'
import { createApiKeys } from '#services/receivables/api-keys'
import { createClientMessages } from '#services/receivables/client-messages'
import { clientRoutes } from '#services/receivables/client-routes'
import { createClientErasure } from '#services/receivables/erase-clients'
import { importRoutes } from '#services/receivables/import-routes'
import { createImports } from '#services/receivables/import/imports'
import { feeRoutes } from '#services/receivables/fee-routes'
import { invoiceRoutes } from '#services/receivables/invoice-routes'
import { receivablesExportRoutes } from '#services/receivables/receivables-export-routes'
import { createPortal } from '#services/receivables/portal/portal'
import { createPortalDocuments } from '#services/receivables/portal/portal-document'
import { portalRoutes } from '#services/receivables/portal/portal-routes'
import { programRoutes } from '#services/receivables/program-routes'
import { scheduleRoutes } from '#services/receivables/schedule-routes'
import { sendingRoutes } from '#services/receivables/sending-routes'
import { createSchedules } from '#services/receivables/schedule/schedules'
import { createContactStops } from '#services/receivables/stops/contact-stops'
import { inboundTextRoute } from '#services/receivables/stops/inbound-text-route'
import { createOptOuts } from '#services/receivables/stops/opt-outs'
import { statementRoutes } from '#services/receivables/statement-routes'
import { messageRoutes } from '#services/receivables/message-routes'
import { byHandRoutes } from '#services/receivables/by-hand-routes'
import { receivablesOverviewRoutes } from '#services/receivables/overview-routes'
import { financeLog } from '#services/reports/finance-log'
import { createGatedReader } from '#services/reports/gated-reader'
import { createProjectionReader } from '#services/reports/projection-reader'
import { createReplayReader } from '#services/reports/replay-reader'
import type { TextSender } from '#services/sms/text-sender'
import type { BillingSide } from './create-billing-side.ts'
import { createMessagesSide } from './create-messages-side.ts'
import {
  createIsErased,
  createMerchantOf,
  createReceivablesSide,
} from './create-receivables-side.ts'
import { createClientCheckouts } from './create-client-checkouts.ts'
import { inboxUrl } from './inbox-url.ts'
import type { Storage } from './open-storage.ts'
import type { PriceCheck } from '#services/billing/price-check'
import type { ReadSide } from '#services/read-side/read-side'
import type { StartContext } from './start-context.ts'
import { portalTokensOf } from './portal-tokens-of.ts'
import { passwordMark } from '#services/admin/password-mark'
import { textAccountOf } from './text-account.ts'
import { returnTokensOf } from './return-tokens-of.ts'
import { startReturnedMails } from './start-returned-mails.ts'
import { warnWithoutConnectSecret } from './warn-without-connect-secret.ts'
import { warnWithoutProxy } from './warn-without-proxy.ts'
import { warnWithoutSecondPerson } from './warn-without-second-person.ts'
import { eventProofOf } from './event-proof.ts'

export interface AppParts {
  readonly storage: Storage
  readonly accounts: Accounts
  readonly mailer: Mailer
  /** Null: no texts are sent. */
  readonly texts: TextSender | null
  readonly commands: CommandHandler
  readonly codec: EventCodec
  readonly keys: PersonalKeys
  readonly emailKeys: EmailKeys
  /** The business clock. */
  readonly clock: Clock
  readonly side: BillingSide
  readonly readSide: ReadSide
  readonly files: PdfFiles
  readonly prices: PriceCheck
  readonly admission: Admission
  readonly metrics: Metrics
  readonly health: DocumentedRouter
  /** The directory of the built pages. Default: the one of this build. */
  readonly webRoot?: string
}

const builtPages = fileURLToPath(new URL('../../web', import.meta.url))

/** Starts the sessions, and composes the routes for people and webhooks. */
export async function startApp(context: StartContext, parts: AppParts): Promise<RequestListener> {
  const { config, log, started, newerRelease, tracing } = context
  const { accounts, mailer, commands, codec, keys, emailKeys, clock, readSide } = parts
  const { webRoot = builtPages } = parts
  const inline = inlineSources(webRoot)
  const { pool, store } = parts.storage
  const { side } = parts
  const { stripe, billing, refunds, administrators, approvals, provider, events, prices } = side

  warnWithoutProxy(config, log)
  warnWithoutConnectSecret(config, log)
  await warnWithoutSecondPerson(config.secondPerson, administrators, log)
  const ownProfile = createOwnProfile({
    accounts,
    queries: readSide.profile,
    log: { store, codec },
  })
  const erasure = {
    commands,
    keys,
    pool,
    clock,
    emailKeys,
    enquiries: createEnquiryErasure({ commands, keys, clock }),
  }
  const limits = createLimits(pool)
  const recipients = createRecipientBudget({ limits, accounts })
  const slowHash = createSlowHash()
  const codes = createSignInCodeStore(pool, systemClock, slowHash)
  const passwordHash =
    'passwordHash' in config.admin
      ? config.admin.passwordHash
      : await hashAdminPassword(config.admin.password, slowHash)
  const sessions = createSessions({
    pool,
    secrets: config.sessionSecrets,
    isHttps: config.publicUrl.startsWith('https:'),
    // Browsers see this port. Processes behind one proxy can listen on different ones.
    port: Number(new URL(config.publicUrl).port || 80),
    clock: systemClock,
    comparePositions: store.comparePositions,
    passwordMark: passwordMark(config),
    log,
  })
  started.add('sessions', () => Promise.resolve(sessions.close()))
  const adminLists = adminListRoutes({ queries: readSide.admin, clock })
  const calls = createCallReader([adminLists], log)
  const openSessions = (handles: readonly string[]) =>
    openAdminSessions(pool, handles, systemClock.now())
  const watch = createSessionWatch({
    connectionString: parts.storage.connectionString,
    openSessions,
    clock: systemClock,
    log,
  })
  started.add('watch of the sessions', () => watch.close())
  const verifier = createWebhookVerifier(stripe, {
    name: 'STRIPE_WEBHOOK_SECRET',
    read: noticeOf,
    secrets: config.stripe.webhookSecrets,
    livemode: config.stripe.livemode,
    clock: systemClock,
  })

  const exportAccess = { openSessions, personOf: administrators.person }
  const lists = createSentLists({
    queries: readSide.admin,
    commands,
    limits,
    access: exportAccess,
    clock,
  })
  const exportApprovals = createExportApprovals({
    most: config.secondPerson.exportAbove,
    administrators,
    commands,
    clock,
  })
  const challenges = createPasskeyChallenges(pool, systemClock)
  const site = relyingPartyOf(config.publicUrl)
  const live = createLiveUpdates({
    positions: readSide.positions,
    calls,
    sessions: watch,
    personOf: administrators.person,
    log,
  })
  // With the servers: an open connection would delay the drain.
  started.addServer('live updates', () => live.close())
  const proof = eventProofOf(config)
  const auditedLog = {
    store,
    codec: proveDecoded(codec, proof),
    administratorNames: administrators.names,
  }
  const stops = createContactStops({
    commands,
    clock,
    key: stopKeyOf(config.auditKey),
    stoppedAmong: readSide.stoppedAmong,
  })
  const portalTokens = portalTokensOf(config)
  const receivables = createReceivablesSide({ commands, keys, clock })
  const checkouts = createClientCheckouts({
    side,
    commands,
    receivables,
    pool,
    publicUrl: config.publicUrl,
    clock,
    log,
  })
  const imports = createImports({
    commands,
    keys,
    clock,
    receivables,
    isErased: createIsErased(commands),
    clientsLike: readSide.imports.clientsLike,
    knownAmong: readSide.imports.knownAmong,
    openInvoices: readSide.imports.openInvoices,
    clientsWithOthers: readSide.imports.clientsWithOthers,
  })
  const apiKeys = createApiKeys({ commands, pool, clock })
  const merchantOf = createMerchantOf(commands)
  const logos = createLogos(pool)
  const receivablesParts = {
    logos,
    brands: createBrands({ commands, logos, clock }),
    templates: createMerchantTemplates({ commands, clock }),
    publicUrl: config.publicUrl,
    receivables,
    queries: readSide.receivables,
    imports,
    apiKeys,
    connectedAccounts: side.connectedAccounts,
    waysToPay: checkouts.ways,
    schedules: createSchedules({ commands, clock }),
    importQueries: readSide.imports,
    erasure: createClientErasure({ receivables, commands, keys, logos, clock }),
    merchantOf,
    limits,
    clientMessages: createClientMessages({ commands }),
    ...createMessagesSide({
      returnTokens: returnTokensOf(config),
      pool: parts.storage.background,
      commands,
      receivables,
      merchantOf,
      stops,
      tokens: portalTokens,
      publicUrl: config.publicUrl,
      textCountries: parts.texts === null ? null : config.textCountries,
      clock,
      mailer,
      texts: parts.texts,
    }),
    optOuts: createOptOuts({ queries: readSide.receivables, stops }),
    tokens: portalTokens,
    stops,
  }
  const clientPortal = portalRoutes({
    pay: checkouts.pay,
    sync: checkouts.sync,
    portal: createPortal({
      provider: side.connectedAccounts.title,
      tokens: portalTokens,
      commands,
      receivables,
      queries: readSide.receivables,
      merchantOf: receivablesParts.merchantOf,
      brands: receivablesParts.brands,
      publicUrl: config.publicUrl,
      stops,
    }),
    documents: createPortalDocuments(webRoot),
    sources: { queries: readSide.receivables, brands: receivablesParts.brands, logos },
    files: parts.files.statements,
    receivables,
    stops,
    limits,
    networkOf: (request) => networkOfRequest(request, config.trustProxy) ?? 'unknown',
    publicUrl: config.publicUrl,
    newId: randomUUID,
    log,
  })
  const returned = await startReturnedMails(context, {
    commands,
    store,
    clock,
    receivables,
    onOutcome: parts.metrics.reportTaken,
  })
  const app = createApp({
    personOf: administrators.person,
    keyHolderOf: apiKeys.holderOf,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    sessions,
    log,
    admission: parts.admission,
    onNewer: newerRelease.met,
    tracing: tracing.routes,
    timeRequests: parts.metrics.timeRequests,
    health: parts.health,
    webhook: joinedRouters([
      webhookRoute({ verifier, handle: events.handle, log }),
      ...connectWebhooks(),
      reportRoute({ returned, secret: config.bounces?.secret ?? null, log }),
      inboundTextRoute({
        stops,
        mayAnswerUnread: (phone) =>
          limits.unreadText.spend(phone).then(
            () => true,
            (error: unknown) => {
              if (error instanceof HttpError) return false
              throw error
            },
          ),
        publicUrl: config.publicUrl,
        authToken: textAccountOf(config)?.authToken ?? null,
        log,
      }),
    ]),
    areas: [
      authRoutes({
        accounts,
        queries: readSide.session,
        codes,
        mailer,
        limits,
        recipients,
        inboxUrl: inboxUrl(config),
      }),
      sessionRoutes({
        accounts,
        queries: readSide.session,
        needsSecondPerson:
          config.secondPerson.refundAbove !== null || config.secondPerson.exportAbove !== null,
        clock,
        sandbox:
          config.sandbox === null ? null : { inboxUrl: inboxUrl(config), realClock: systemClock },
      }),
      secondaryEmailRoutes({
        accounts,
        codes,
        pool,
        recipients,
        takeOver: createTakeOver({ ...erasure, hasCustomer: billing.hasCustomer }),
      }),
      sessionListRoutes({ accounts, codes, pool, securityClock: systemClock }),
      profileRoutes({ accounts, ownProfile, limits }),
      ownDataRoutes({
        ownProfile,
        log: { store, codec },
        accounts,
        enquiriesOf: createEnquiriesOf({ store, codec, keys, emailKeys }),
        pool,
        limits,
        clock,
        securityClock: systemClock,
      }),
      deleteAccountRoutes({
        ...erasure,
        billing,
      }),
      adminExportRoutes({ queries: readSide.admin, lists, approvals: exportApprovals, limits }),
      exportApprovalRoutes({
        approvals: exportApprovals,
        administrators,
        queries: readSide.admin,
        lists,
        limits,
        clock,
      }),
      enquiryRoutes({ commands, limits, clock, emailKeys, recipients }),
      keepPlanRoutes({ billing, provider, limits }),
      checkoutRoutes({
        accounts,
        billing,
        prices,
        assertPricesChecked: parts.prices.assertChecked,
        provider,
        publicUrl: config.publicUrl,
        limits,
      }),
      purchasesRoutes({ purchases: readSide.purchases, clock }),
      refundRoutes({ commands, refunds: readSide.refunds, clock }),
      refundPaymentRoutes({ refunds, approvals, payments: readSide.payments }),
      deadLetterRoutes({ pool, record: createRecordAdminAccess({ commands, clock }) }),
      refundApprovalRoutes({
        approvals,
        administrators,
        queries: readSide.history,
        payments: readSide.payments,
        clock,
      }),
      receivablesOverviewRoutes(receivablesParts),
      // Before the calls with an id in the place of `export`.
      receivablesExportRoutes(receivablesParts),
      feeRoutes(receivablesParts),
      // Before the calls with an id in the place of `check`.
      importRoutes(receivablesParts),
      apiKeyRoutes(receivablesParts),
      paymentsRoutes(receivablesParts),
      scheduleRoutes({ ...receivablesParts, clock }),
      sendingRoutes({
        schedules: receivablesParts.schedules,
        isUser: async (userId) => (await accounts.find(userId)) !== null,
      }),
      templateRoutes(receivablesParts),
      brandRoutes(receivablesParts),
      senderNameRoutes({ ...receivablesParts, findAccount: accounts.find }),
      programRoutes(receivablesParts),
      messageRoutes(receivablesParts),
      byHandRoutes(receivablesParts),
      invoiceRoutes(receivablesParts),
      clientRoutes(receivablesParts),
      statementRoutes({ ...receivablesParts, files: parts.files.statements }),
      receiptRoutes({ receipts: readSide.receipts, limits, files: parts.files.receipts }),
      portalRedirectRoutes({
        accounts,
        billing,
        purchases: readSide.purchases,
        commands,
        clock,
        provider,
        publicUrl: config.publicUrl,
      }),
      adminLoginRoutes({
        commands,
        administrators,
        codes,
        mailer,
        hmacOf: accounts.hmacOf,
        limits,
        clock,
        ids: randomIds,
        isPassword: createAdminPasswordCheck(passwordHash, slowHash),
      }),
      administratorsRoutes({
        administrators,
        queries: readSide.history,
        log: { store, codec },
        endSessions: (adminId) => deleteAdminSessions(pool, adminId),
      }),
      passkeyLoginRoutes({
        commands,
        administrators,
        challenges,
        site,
        limits,
        pool,
        clock,
      }),
      passkeyRoutes({ administrators, challenges, site, limits, pool }),
      blockRoutes({
        accounts,
        billing,
        endSessions: (userId) => deleteCustomerSessions(pool, userId),
      }),
      adminLists,
      adminLiveRoutes({ live, calls }),
      historyRoutes({ queries: readSide.history, log: auditedLog, commands, clock }),
      reportRoutes({
        reader: createProjectionReader(
          readSide.reports,
          createGatedReader(createReplayReader(financeLog(store, proof), config.reportingTimeZone)),
          config.reportingTimeZone,
        ),
        timeZone: config.reportingTimeZone,
        queries: readSide.history,
        log: auditedLog,
        commands,
        limits,
        access: exportAccess,
        clock,
      }),
    ],
    apiDocs: config.apiDocs ? { webRoot } : null,
    pages: express
      .Router()
      .use(clientPortal)
      .use(createPages(webRoot, config.publicUrl, () => clock.now(), paymentScript())),
    inline,
  })
  return app.listener

  /** Null without a publishable key, as with the sandbox. */
  function paymentScript(): PaymentScript | null {
    const { publishableKey } = config.stripe
    if (publishableKey === null) return null
    const isHttps = config.publicUrl.startsWith('https:')
    return createPaymentScript(publishableKey, stripeScriptHosts, { isHttps, inline })
  }

  /** None without a secret: nothing could be believed. */
  function connectWebhooks(): readonly DocumentedRouter[] {
    const { connectWebhookSecrets: secrets, livemode } = config.stripe
    if (secrets.length === 0) return []
    const name = 'STRIPE_CONNECT_WEBHOOK_SECRET'
    const read = accountNoticeOf
    const account = createWebhookVerifier(stripe, {
      name,
      secrets,
      livemode,
      clock: systemClock,
      read,
    })
    return [connectWebhookRoute({ verifier: account, handle: checkouts.handleNotice, log })]
  }
}
