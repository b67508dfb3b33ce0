import { dirname, relative } from 'node:path'

/** Two files. The first file imports the second file. */
function edge(from, to) {
  const specifier = /^(tests|web)\//.test(from)
    ? relative(dirname(from), to)
    : `#${to.replace(/\.ts$/, '')}`
  return {
    [from]: `import { used } from '${specifier}'\nexport const user = used`,
    [to]: 'export const used = 1',
  }
}

/** Every rule with the smallest tree that breaks the rule: files by path. */
export const violations = {
  'contracts-stand-alone': edge('contracts/money.ts', 'services/foundation/clock.ts'),
  'contracts-need-only-zod': {
    'contracts/money.ts': `import { randomUUID } from 'node:crypto'\nexport const id = randomUUID`,
  },
  'stored-events-stand-alone': edge('contracts/events/enquiry.ts', 'contracts/enquiry-status.ts'),
  'primitives-of-events-stand-alone': edge('contracts/money.ts', 'contracts/currency.ts'),
  'projections-read-the-log': edge(
    'projections/users/read-model.ts',
    'services/postgres/connect.ts',
  ),
  'engine-root-below-its-folders': edge(
    'projections/engine/read-model.ts',
    'projections/engine/run/shard.ts',
  ),
  'engine-run-below-operations': edge(
    'projections/engine/run/projector.ts',
    'projections/engine/rebuild/rebuild.ts',
  ),
  'engine-rebuild-below-operate': edge(
    'projections/engine/rebuild/rebuild.ts',
    'projections/engine/operate/status.ts',
  ),
  'engine-knows-no-read-model': edge(
    'projections/engine/run/projector.ts',
    'projections/users/read-model.ts',
  ),
  'shared-knows-no-read-model': edge(
    'projections/listing/search-text.ts',
    'projections/users/rows.ts',
  ),
  'read-models-apart': edge('projections/users/fold-event.ts', 'projections/purchases/rows.ts'),
  'services-know-no-screen': {
    'services/http/page.ts': `import { page } from '../../web/ui/page.tsx'\nexport const html = page`,
    'web/ui/page.tsx': 'export const page = <p ref={null}>Hello</p>',
  },
  'services-know-no-projection': edge(
    'services/event-store/postgres/rows.ts',
    'projections/users/tables.ts',
  ),
  'services-folder-is-listed': edge(
    'services/billing/billing-service.ts',
    'services/ledger/book.ts',
  ),
  'services-unlisted-folder-imports-nothing': edge(
    'services/ledger/book.ts',
    'services/settings/config.ts',
  ),
  'services-order-foundation': edge(
    'services/foundation/clock.ts',
    'services/operations/backup.ts',
  ),
  'services-order-tracing': edge('services/tracing/spans.ts', 'services/event-store/errors.ts'),
  'services-order-payments-mail-sms-tables-pdf': edge(
    'services/mail/mailer.ts',
    'services/payments/prices.ts',
  ),
  'services-order-postgres': edge(
    'services/postgres/migrate.ts',
    'services/event-store/event-store.ts',
  ),
  'services-order-event-store': edge(
    'services/event-store/event-store.ts',
    'services/commands/handle-command.ts',
  ),
  'finance-is-pure': edge('services/finance/book.ts', 'services/event-store/event-store.ts'),
  'finance-needs-no-module-of-node': {
    'services/finance/book.ts': `import { readFileSync } from 'node:fs'\nexport const read = readFileSync`,
  },
  'services-order-finance': edge('services/finance/book.ts', 'services/reports/revenue.ts'),
  'services-order-commands': edge(
    'services/commands/handle-command.ts',
    'services/http/endpoint.ts',
  ),
  'services-order-reactors': edge(
    'services/reactors/run-reactor.ts',
    'services/billing/billing-service.ts',
  ),
  'services-order-controls': edge(
    'services/controls/record-firing.ts',
    'services/http/endpoint.ts',
  ),
  'services-order-http': edge('services/http/app.ts', 'services/accounts/auth-routes.ts'),
  'services-order-administrators': edge(
    'services/administrators/administrators.ts',
    'services/accounts/accounts.ts',
  ),
  'services-order-accounts': edge(
    'services/accounts/auth-routes.ts',
    'services/billing/billing-service.ts',
  ),
  'services-order-keys': edge('services/keys/watch-keys.ts', 'services/billing/billing-service.ts'),
  'services-order-billing': edge(
    'services/billing/checkout-routes.ts',
    'services/enquiries/enquiry-decider.ts',
  ),
  'services-order-receivables': edge(
    'services/receivables/receivable-decider.ts',
    'services/reports/revenue.ts',
  ),
  'receivables-through-ports': edge(
    'services/receivables/receivable-decider.ts',
    'services/accounts/accounts.ts',
  ),
  'stripe-in-its-adapter': edge(
    'services/billing/checkouts.ts',
    'services/payments/stripe/calls.ts',
  ),
  'services-order-enquiries': edge(
    'services/enquiries/enquiry-routes.ts',
    'services/notifications/outbox.ts',
  ),
  'services-order-notifications': edge(
    'services/notifications/outbox.ts',
    'services/reports/revenue.ts',
  ),
  'services-order-reports': edge('services/reports/revenue.ts', 'services/admin/list-routes.ts'),
  'services-order-admin': edge('services/admin/list-routes.ts', 'services/settings/config.ts'),
  'services-order-health': edge('services/health/readiness.ts', 'services/settings/config.ts'),
  'services-order-read-side': edge(
    'services/read-side/read-side.ts',
    'services/settings/config.ts',
  ),
  'services-order-settings': edge('services/settings/config.ts', 'services/start/open-storage.ts'),
  'services-order-sandbox-process': edge(
    'services/sandbox-process/provide-sandbox.ts',
    'services/start/open-storage.ts',
  ),
  'services-order-start': edge(
    'services/start/open-storage.ts',
    'services/operations/operator-context.ts',
  ),
  'sandbox-order-store-webhooks': edge(
    'services/sandbox/store/store.ts',
    'services/sandbox/pages/format.ts',
  ),
  'sandbox-order-stripe-billing': edge(
    'services/sandbox/stripe/api.ts',
    'services/sandbox/control/routes.ts',
  ),
  'sandbox-order-messages-control': edge(
    'services/sandbox/control/routes.ts',
    'services/sandbox/pages/inbox-routes.ts',
  ),
  'sandbox-order-pages': edge(
    'services/sandbox/pages/inbox-routes.ts',
    'services/sandbox/http-server.ts',
  ),
  'services-root-is-main': edge('services/start/open-storage.ts', 'services/log.ts'),
  'event-store-port-below-adapters': edge(
    'services/event-store/event-store.ts',
    'services/event-store/audit/hash-chain.ts',
  ),
  'event-store-adapters-apart': edge(
    'services/event-store/eventstoredb/append.ts',
    'services/event-store/postgres/rows.ts',
  ),
  'event-store-port-knows-no-driver': {
    'services/event-store/event-log.ts': `import type { ClientBase } from 'pg'\nexport type Tx = ClientBase`,
    'node_modules/pg/package.json': '{ "name": "pg", "main": "main.js" }',
    'node_modules/pg/main.js': 'exports.Pool = 1',
  },
  'event-store-encryption-on-the-port': edge(
    'services/event-store/encryption/personal-keys.ts',
    'services/event-store/postgres/rows.ts',
  ),
  'event-store-audit-on-the-port': edge(
    'services/event-store/audit/hash-chain.ts',
    'services/event-store/encryption/codec.ts',
  ),
  'event-store-transfer-on-the-port': edge(
    'services/event-store/transfer/copy-log.ts',
    'services/event-store/postgres/rows.ts',
  ),
  'pdf-files-are-made-in-threads': edge(
    'services/billing/receipt-routes.ts',
    'services/billing/receipts/render-receipt.ts',
  ),
  'sandbox-is-another-program': edge('services/start/pay.ts', 'services/sandbox/bank.ts'),
  'sandbox-stands-alone': edge('services/sandbox/bank.ts', 'services/payments/pay.ts'),
  'web-knows-contracts': {
    'web/page.tsx': `import type { State } from '#services/billing/state'\nexport const page = (state: State) => <p>{state}</p>`,
    'services/billing/state.ts': 'export type State = string',
  },
  'web-folder-is-listed': edge('web/lib/money.ts', 'web/shared/format.ts'),
  'features-stand-alone': {
    'web/features/auth/dialog.tsx': `import { Price } from '../pricing/price.tsx'\nexport const dialog = <Price />`,
    'web/features/pricing/price.tsx': 'export const Price = () => <b>39</b>',
  },
  'web-below-prerender': edge('web/app/router.ts', 'web/prerender/documents.ts'),
  'web-features-below-app': edge('web/features/pricing/price.ts', 'web/app/router.ts'),
  'web-ui-on-lib': edge('web/ui/plans.ts', 'web/api/api.ts'),
  'web-api-on-lib': edge('web/api/api.ts', 'web/ui/plans.ts'),
  'web-lib-stands-alone': edge('web/lib/money.ts', 'web/ui/plans.ts'),
  'product-knows-no-test': {
    'scripts/seed.ts': `import { seed } from '../tests/seed.ts'\nexport const rows = seed`,
    'tests/seed.ts': 'export const seed = 1',
  },
  'unit-tests-need-nothing': edge(
    'tests/domain/users.test.ts',
    'tests/support/postgres/database.ts',
  ),
  'integration-starts-no-product': edge(
    'tests/integration/http/pages.test.ts',
    'tests/support/product/run-product.ts',
  ),
  'no-cycle': {
    'services/billing/a.ts': `import { b } from './b.ts'\nexport const a = (): number => b()`,
    'services/billing/b.ts': `import { a } from './a.ts'\nexport const b = (): number => a()`,
  },
  'no-barrel': {
    'web/app.tsx': `import { Price } from './ui/index.ts'\nexport const app = <Price />`,
    'web/ui/index.ts': `export { Price } from './price.tsx'`,
    'web/ui/price.tsx': 'export const Price = () => <b>39</b>',
  },
  'declared-packages': {
    'services/payments/pay.ts': `import { charge } from 'undeclared'\nexport const pay = charge`,
    'node_modules/undeclared/package.json': '{ "name": "undeclared", "main": "main.js" }',
    'node_modules/undeclared/main.js': 'exports.charge = 1',
  },
  'product-runs-without-dev-packages': {
    'scripts/billing.ts': `import { charge } from 'only-for-tests'\nexport const pay = charge`,
    'node_modules/only-for-tests/package.json': '{ "name": "only-for-tests", "main": "main.js" }',
    'node_modules/only-for-tests/main.js': 'exports.charge = 1',
  },
}

const upward = '#services/start/open-storage'
const imported = { 'services/start/open-storage.ts': 'export const open = 1' }

/** An import upwards in each form. Each breaks the rule of the order. */
export const formsOfImport = {
  'dynamic-import': {
    'services/billing/pay.ts': `export const pay = () => import('${upward}')`,
    ...imported,
  },
  'type-import': {
    'services/billing/pay.ts': `import type { open } from '${upward}'\nexport type Pay = typeof open`,
    ...imported,
  },
  're-export': { 'services/billing/pay.ts': `export { open } from '${upward}'`, ...imported },
  require: {
    'services/billing/pay.ts': `import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)\nexport const pay = require('../start/open-storage.ts')`,
    ...imported,
  },
}

/** Imports only downwards. */
export const orderly = {
  'contracts/receipt.ts': `import type { Money } from './money.ts'\nexport type Receipt = [string, Money]`,
  'contracts/events/billing.ts': `import type { Money } from '../money.ts'\nexport type Paid = Money`,
  'contracts/money.ts': `export type Money = number`,
  'projections/users/rows.ts': `import type { Money } from '#contracts/money'\nexport type Users = Money`,
  ...edge('projections/users/read-model.ts', 'projections/engine/read-model.ts'),
  ...edge('projections/engine/operate/status.ts', 'projections/engine/run/shard.ts'),
  ...edge('projections/engine/rebuild/rebuild.ts', 'services/event-store/event-store.ts'),
  ...edge('projections/engine/run/projector.ts', 'services/postgres/transaction.ts'),
  ...edge('projections/finance/rows.ts', 'services/finance/ledger/entry.ts'),
  ...edge('projections/engine/run/transient.ts', 'services/postgres/unavailable.ts'),
  ...edge(
    'services/event-store/transfer/copy-log.ts',
    'services/event-store/audit/verify-chain.ts',
  ),
  ...edge('services/billing/checkout-routes.ts', 'services/accounts/accounts.ts'),
  ...edge('projections/users/computed-columns.ts', 'projections/shared/home-currency.ts'),
  ...edge('services/operations/switch-log.ts', 'projections/engine/operate/source-log.ts'),
  ...edge('services/sandbox/pages/portal-routes.ts', 'services/sandbox/billing/change-card.ts'),
  ...edge('services/sandbox/store/store.ts', 'services/sandbox/webhooks/emit.ts'),
  ...edge('services/sandbox/store/read.ts', 'services/postgres/transaction.ts'),
  'services/start/pay.ts': `import type { Users } from '#projections/users/rows'\nexport type Pay = Users`,
  'services/main.ts': `import type { Pay } from './start/pay.ts'\nexport type Main = Pay`,
  ...edge('web/app/router.ts', 'web/features/purchases/page.ts'),
  ...edge('web/features/purchases/plans.ts', 'web/api/api.ts'),
  ...edge('web/ui/plans.ts', 'web/lib/dates.ts'),
  'web/features/pricing/price.tsx': `import type { Money } from '#contracts/money'\nexport const Price = (money: Money) => <b>{money}</b>`,
}
